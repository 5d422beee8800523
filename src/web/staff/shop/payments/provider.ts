import type { Static } from 'typebox'
import { type PaymentProvider, PaymentProviders } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { findDeclaredProvider, isKnownProvider } from '#src/contract/payment-providers.ts'
import type { ProviderDeclaration } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'

/** Whether connecting brings this secret, so that nobody types it. */
export const isBroughtByConnecting = (
  { can }: ProviderDeclaration,
  { required }: ProviderDeclaration['secrets'][number],
): boolean => can.connects && required === 'notify'

/** The secrets that a provider needs and the school does not have. */
export const listUnset = (
  declared: ProviderDeclaration | undefined,
  stored: Provider,
): readonly ProviderDeclaration['secrets'][number][] =>
  (declared?.secrets ?? []).filter(
    ({ name, required }) => required !== 'no' && stored.secrets.every(set => set.name !== name),
  )

/** Whether a provider is for test schools only, whatever its keys. */
export const isTestOnly = (declared: ProviderDeclaration | undefined): boolean => declared?.modeOf({}) === 'test'

/** The page of all payment providers. */
export const PATH = '/staff/payments'

/** A payment provider as owners see it. */
export type Provider = Encoded<Static<typeof PaymentProvider>>

/** The page of one provider. */
export const providerPath = (name: string): string => `${PATH}/${name}`

/** The providers of the school. */
export const readProviders = async ({ call }: StaffContext): Promise<readonly Provider[]> =>
  (await call({ operation: 'getPaymentProviders', returns: PaymentProviders })).data

const needs = ['open', 'processing', 'refunds', 'disputes', 'subscriptions', 'customers', 'refundable'] as const

/** How much of what needs a provider, in words; empty when nothing does. */
export const listCounts = (stored: Provider | undefined, t: StaffContext['t']): string[] =>
  stored === undefined
    ? []
    : needs
        .filter(one => stored.counts[one] > 0)
        .map(one => t(texts.staff.payments.removal.counts[one], { n: stored.counts[one] }))

/** The provider that a page is about, as an area declares it and as the school has it. */
export type Named = {
  readonly name: string
  readonly declared: ProviderDeclaration | undefined
  readonly stored: Provider | undefined
}

/** The provider in the path; refuses with 404 one that is neither known nor set. */
export const readNamed = async (context: StaffContext): Promise<Named> => {
  const { provider: name = '' } = context.params
  const stored = (await readProviders(context)).find(one => one.name === name)
  if (stored === undefined && !isKnownProvider(name)) throw new Refusal(notFound, 'There is no such payment provider.')
  return { name, stored, declared: findDeclaredProvider(name) }
}
