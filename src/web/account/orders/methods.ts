import { getSelling, listUsableProviders, type TransferInstructions } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { canCharge } from '#src/contract/payment-providers.ts'
import { type ChargePurpose, chargeable, type Money } from '#src/contract/payments.ts'

/** A way to pay an order. */
export type Method = {
  readonly name: string
  readonly instructions: TransferInstructions | null
  /** For how many days an order waits that is paid in this way; null where it waits for the page of a provider. */
  readonly days: number | null
}

const fits = async (
  context: SchoolContext,
  name: string,
  money: Money & { readonly purpose: ChargePurpose },
): Promise<boolean> =>
  name === 'manual' ||
  (canCharge(name, money.purpose) &&
    (await chargeable.call({ provider: name, ...money }, context)).some(fit => fit === true))

/** The ways to pay an amount in a school, those on a page first. */
export const methodsFor = (
  { database, school }: EndpointRequest,
  money: Money & { readonly purpose: ChargePurpose },
): Promise<readonly Method[]> =>
  database.statements(school.id, async db => {
    const [providers, { checkout }] = await Promise.all([listUsableProviders(db, school), getSelling(db, school.id)])
    const fitting = await Promise.all(providers.map(({ name }) => fits({ db, school }, name, money)))
    return providers
      .filter((_, index) => fitting[index] === true)
      .map(({ name, instructions }) => ({
        name,
        instructions,
        days: name === 'manual' ? checkout.manual_hold_days : null,
      }))
      .sort((one, other) => Number(one.name === 'manual') - Number(other.name === 'manual'))
  })
