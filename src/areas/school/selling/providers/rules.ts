import { fillEach, type Phrase } from '#src/contract/language.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { ibanError, writeIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'
import {
  type KeyMode,
  type ProviderInput,
  type ProviderName,
  type SecretName,
  type SecretValues,
  secretNames,
  type TransferInstructions,
} from './schema.ts'

/** The provider or its keys do not fit the school. */
export const wrongPaymentMode = problem(
  409,
  'wrong_payment_mode',
  'The provider does not fit the school',
  'A school at an https address that is not a test school takes live keys only. A test school, and one on http, takes test keys and the provider `test` only, so that no real money moves by mistake.',
)

/** Whether real money moves in a school: at an https address, unless the operator made it a test school. */
export const paymentMode = ({ baseUrl, isTest }: Pick<School, 'baseUrl' | 'isTest'>): KeyMode =>
  baseUrl.startsWith('https:') && !isTest ? 'live' : 'test'

const STRIPE_KEY = /^(?:sk|rk)_(test|live)_[A-Za-z0-9]{16,240}$/
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=_-]{16,240}$/

// The mode of a key of Stripe, by its prefix; undefined when it is none.
const modeOfKey = (key: string): KeyMode | undefined => {
  const [, mode] = STRIPE_KEY.exec(key) ?? []
  return mode === 'test' || mode === 'live' ? mode : undefined
}

/** Which secret a text is, by its beginning; undefined when it is none. */
export const findSecretKind = (text: string): SecretName | undefined => {
  if (/^(?:sk|rk)_/.test(text)) return 'secret_key'
  return text.startsWith('whsec_') ? 'webhook_secret' : undefined
}

const error = (field: string, code: string, message: string): FieldError => ({
  pointer: `/${field}`,
  code,
  message,
})

const errorsOfStripe = ({ secret_key, webhook_secret }: SecretValues, hasKey: boolean): FieldError[] => {
  const errors: FieldError[] = []
  if (secret_key === undefined && !hasKey) errors.push(error('secret_key', 'required', 'is missing'))
  if (secret_key !== undefined && modeOfKey(secret_key) === undefined)
    errors.push(
      error('secret_key', 'pattern', 'is not a secret key of Stripe: sk_live_…, sk_test_…, rk_live_… or rk_test_…'),
    )
  if (webhook_secret !== undefined && !WEBHOOK_SECRET.test(webhook_secret))
    errors.push(error('webhook_secret', 'pattern', 'is not the signing secret of a webhook: whsec_…'))
  return errors
}

const errorsOfSecrets = (provider: ProviderName, secrets: SecretValues, hasKey: boolean): FieldError[] => {
  if (provider === 'stripe') return errorsOfStripe(secrets, hasKey)
  return secretNames
    .filter(name => secrets[name] !== undefined)
    .map(name => error(name, 'unknown', `is not a secret of the provider ${provider}`))
}

const errorsOfInstructions = (provider: ProviderName, { instructions }: ProviderInput): FieldError[] => {
  if (instructions === undefined) return []
  if (provider !== 'manual') return [error('instructions', 'unknown', `are not for the provider ${provider}`)]
  const wrong = instructions.iban === null ? undefined : ibanError(instructions.iban)
  return wrong === undefined ? [] : [error('instructions/iban', 'iban', wrong)]
}

/** The errors of what is sent to set a provider; none of them repeats a secret. */
export const errorsOfProvider = (provider: ProviderName, input: ProviderInput, hasKey: boolean): FieldError[] => [
  ...errorsOfSecrets(provider, input, hasKey),
  ...errorsOfInstructions(provider, input),
]

/** The instructions as they are stored. */
export const storedInstructions = (instructions: TransferInstructions): TransferInstructions => ({
  ...instructions,
  iban: instructions.iban === null ? null : writeIban(instructions.iban),
})

/** The mode that a provider has with its keys: that of a new key, or the one before. */
export const nextMode = (
  provider: ProviderName,
  { secret_key }: SecretValues,
  before: KeyMode | null,
): KeyMode | null => {
  if (provider === 'manual') return null
  if (provider === 'test') return 'test'
  return secret_key === undefined ? before : (modeOfKey(secret_key) ?? null)
}

/** Whether a provider in a mode fits a school; bank transfer fits any. */
export const fitsSchool = (mode: KeyMode | null, school: Pick<School, 'baseUrl' | 'isTest'>): boolean =>
  mode === null || mode === paymentMode(school)

/** Which of its own secrets a provider loses with a new mode: a webhook has another secret in each. */
export const outdatedSecrets = (before: KeyMode | null, after: KeyMode | null): readonly SecretName[] =>
  before === null || before === after ? [] : ['webhook_secret']

/** The secrets that were sent. */
export const secretsIn = (secrets: SecretValues): { readonly name: SecretName; readonly value: string }[] =>
  secretNames.flatMap(name => {
    const value = secrets[name]
    return value === undefined ? [] : [{ name, value }]
  })

const text = texts.school.selling.providers.rules

/** What setting a provider means, in words. */
export const providerSet = (provider: ProviderName): Phrase =>
  provider === 'stripe' ? text.cardsLater : fillEach(text.set, { provider: text.names[provider] })

/** What removing a provider means, in words. */
export const providerRemoved = (provider: ProviderName): Phrase =>
  fillEach(text.removed, { provider: text.names[provider] })
