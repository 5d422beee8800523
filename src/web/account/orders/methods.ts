import { getSelling, type TransferInstructions } from '#src/areas/school/index.ts'
import { listFittingProviders } from '#src/areas/shop/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { findDeclaredProvider } from '#src/contract/payment-providers.ts'
import type { ChargePurpose, Money, ProviderDeclaration } from '#src/contract/payments.ts'
import { texts } from '#src/texts/index.ts'

const { methods: text } = texts.account.pay.text

/** A way to pay an order. */
export type Method = {
  readonly name: string
  readonly instructions: TransferInstructions | null
  /** For how many days an order waits that is paid in this way; null where it waits for the page of a provider. */
  readonly days: number | null
}

type Described = Omit<ProviderDeclaration['payText'], 'setUp'> & { readonly setUp?: Phrase }

/** What a way to pay is called, what is said about it, and the texts of its buttons. */
export const describeMethod = ({ name, instructions }: Method): Described => {
  const declared = findDeclaredProvider(name)
  if (declared !== undefined) return declared.payText
  return instructions?.iban == null ? text.school : text.transfer
}

/** The ways to pay an amount in a school, those on a page first. */
export const methodsFor = (
  { database, school }: EndpointRequest,
  charge: Money & { readonly purpose: ChargePurpose },
): Promise<readonly Method[]> =>
  database.statements(school.id, async db => {
    const providers = await listFittingProviders({ db, school }, charge)
    const isTransfer = (name: string): boolean => name === 'manual'
    const isOffered = providers.some(({ name }) => isTransfer(name))
    const days = isOffered ? (await getSelling(db, school.id)).checkout.manual_hold_days : null
    return providers
      .map(({ name, instructions }) => ({ name, instructions, days: isTransfer(name) ? days : null }))
      .sort((one, other) => Number(isTransfer(one.name)) - Number(isTransfer(other.name)))
  })
