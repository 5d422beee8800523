import type { School } from '#src/contract/school.ts'
import type { ProviderRow } from './providers/queries.ts'
import { fitsSchool, paymentMode } from './providers/rules.ts'
import type { SellingValues } from './settings/schema.ts'

/** What a school that has begun to sell has decided. */
export type SellingState = {
  readonly school: Pick<School, 'baseUrl' | 'isTest' | 'signupMode'>
  readonly legal: SellingValues['legal']
  readonly providers: readonly Pick<ProviderRow, 'name' | 'mode' | 'secret_key_last4' | 'webhook_secret_last4'>[]
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

const missingSecrets = ({ name, secret_key_last4, webhook_secret_last4 }: Provider): string[] => {
  if (name !== 'stripe') return []
  if (secret_key_last4 === null) return [`the provider ${name} has no secret key; set it again`]
  return webhook_secret_last4 === null ? [`the provider ${name} has no webhook secret`] : []
}

/** Whether a school has said who it is in law, where real money moves and an invoice has to name the seller. */
export const isSellerNamed = (
  school: Pick<School, 'baseUrl' | 'isTest'>,
  { name, address }: SellingValues['legal'],
): boolean => paymentMode(school) === 'test' || (name !== null && address !== null)

/** What keeps a school from selling, or makes it sell wrongly, in words for its operator. */
export const sellingWarnings = ({ school, legal, providers }: SellingState): string[] => [
  ...(providers.length === 0 ? ['there is no payment provider'] : []),
  ...providers.flatMap(provider => [...wrongMode(provider, school), ...missingSecrets(provider)]),
  ...(school.signupMode === 'open' ? [] : [`sign-up is ${school.signupMode}, so buyers cannot create an account`]),
  ...(legal.name === null || legal.address === null ? ['the legal name or the address of the seller is missing'] : []),
]
