import { isKnownProvider } from '#src/contract/payment-providers.ts'
import type { School } from '#src/contract/school.ts'
import type { ProviderRow } from './providers/queries.ts'
import { fitsSchool, isInstructed, listMissing, paymentMode } from './providers/rules.ts'
import type { SaleState } from './sale.schema.ts'
import type { SellingValues } from './settings/schema.ts'

/** What a school that has begun to sell has decided. */
export type SellingState = {
  readonly school: Pick<School, 'baseUrl' | 'isTest' | 'signupMode'>
  readonly legal: SellingValues['legal']
  readonly providers: readonly Pick<ProviderRow, 'name' | 'mode' | 'secrets' | 'instructions' | 'offered_until'>[]
  readonly missing: SaleState['missing']
}

type Provider = SellingState['providers'][number]

const wrongMode = ({ name, mode }: Provider, school: SellingState['school']): string[] => {
  if (fitsSchool(mode, school)) return []
  const found = name === 'test' ? 'the provider test is set' : `the provider ${name} has ${mode} keys`
  const place =
    paymentMode(school) === 'live'
      ? 'real payments are expected at an https address'
      : 'no real payments are expected here'
  return [`${found}, and ${place}`]
}

const listUntold = ({ instructions, offered_until: until }: Provider): string[] => {
  if (isInstructed(instructions)) return []
  const told = 'bank transfer has neither an account with its holder nor a text for buyers'
  return [until === null ? `${told}, so it is not offered` : `${told}; it is offered until ${until.toISOString()}`]
}

// Without the first of them the others are of no use.
const findMissing = (provider: Provider): string[] => {
  const { name, secrets } = provider
  if (name === 'manual') return listUntold(provider)
  if (!isKnownProvider(name)) return [`the provider ${name} is not known here; remove it`]
  const stored = secrets.map(one => one.name)
  const missing = listMissing(name, stored)
  const missed =
    missing.find(({ required }) => required === 'charge') ?? missing.find(({ required }) => required === 'notify')
  if (missed === undefined) return []
  return [`the provider ${name} has no ${missed.name}${missed.required === 'charge' ? '; set it again' : ''}`]
}

/** Whether a school has said who it is in law, where real money moves and an invoice has to name the seller. */
export const isSellerNamed = (
  school: Pick<School, 'baseUrl' | 'isTest'>,
  { name, address }: SellingValues['legal'],
): boolean => paymentMode(school) === 'test' || (name !== null && address !== null)

/** What keeps a school from selling, or makes it sell wrongly, in words for its operator. */
export const sellingWarnings = ({ school, legal, providers, missing }: SellingState): string[] => [
  ...(missing.length === 0 ? [] : [`the school cannot be paid: ${missing.join(', ')}`]),
  ...(providers.length === 0 ? ['there is no payment provider'] : []),
  ...providers.flatMap(provider => [...wrongMode(provider, school), ...findMissing(provider)]),
  ...(school.signupMode === 'open' ? [] : [`sign-up is ${school.signupMode}, so buyers cannot create an account`]),
  ...(legal.name === null || legal.address === null ? ['the legal name or the address of the seller is missing'] : []),
]
