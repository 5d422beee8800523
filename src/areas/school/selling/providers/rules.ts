import { fillEach, type Phrase } from '#src/contract/language.ts'
import { findDeclaredProvider, findProviderTitle, isKnownProvider } from '#src/contract/payment-providers.ts'
import type { Finding, KeyMode, SecretDeclaration } from '#src/contract/payments.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { ibanError, writeIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'
import type { ProviderRow } from './queries.ts'
import type { ProviderCounts, ProviderInput, ProviderUseName, TransferInstructions } from './schema.ts'

type Secrets = NonNullable<ProviderInput['secrets']>

/** The provider or its keys do not fit the school. */
export const wrongPaymentMode = problem(
  409,
  'wrong_payment_mode',
  'The provider does not fit the school',
  'A school at an https address that is not a test school takes live keys only. A test school, and one on http, takes test keys and the provider `test` only, so that no real money moves by mistake.',
)

/** The provider did not answer. */
export const providerUnavailable = problem(
  503,
  'provider_unavailable',
  'The payment provider does not answer',
  'The payment provider did not answer, or answered with an error. Nothing was charged twice: send the request again after the time in Retry-After.',
  true,
)

/** Something still needs the provider. */
export const providerInUse = problem(
  409,
  'provider_in_use',
  'Something still needs the provider',
  'Payments, refunds, disputes, subscriptions or saved payment methods need the keys of the provider. `counts` says how many. Set its use to `nothing` and remove it later, or send its name to remove it all the same.',
)

/** The address at which a provider reports what happens in a school. */
export const buildWebhookUrl = ({ baseUrl }: Pick<School, 'baseUrl'>, name: string): string =>
  `${baseUrl}/webhooks/${name}`

/** Whether real money moves in a school: at an https address, unless the operator made it a test school. */
export const paymentMode = ({ baseUrl, isTest }: Pick<School, 'baseUrl' | 'isTest'>): KeyMode =>
  baseUrl.startsWith('https:') && !isTest ? 'live' : 'test'

const error = (field: string, code: string, message: string): FieldError => ({
  pointer: `/${field}`,
  code,
  message,
})

const errorsOfSecret = (
  { name, about, pattern, required }: SecretDeclaration,
  { sent, stored }: { readonly sent: string | undefined; readonly stored: readonly string[] },
): FieldError[] => {
  const field = `secrets/${name}`
  if (sent !== undefined) return pattern.test(sent) ? [] : [error(field, 'pattern', `does not fit: ${about.en}`)]
  return required === 'charge' && !stored.includes(name) ? [error(field, 'required', 'is missing')] : []
}

const errorsOfSecrets = (provider: string, sent: Secrets, stored: readonly string[]): FieldError[] => {
  const declared = findDeclaredProvider(provider)?.secrets ?? []
  const unknown = Object.keys(sent).filter(name => declared.every(one => one.name !== name))
  return [
    ...unknown.map(name => error(`secrets/${name}`, 'unknown', `is not a secret of the provider ${provider}`)),
    ...declared.flatMap(one => errorsOfSecret(one, { sent: sent[one.name], stored })),
  ]
}

const errorsOfInstructions = (provider: string, { instructions }: ProviderInput): FieldError[] => {
  if (instructions === undefined) return []
  if (provider !== 'manual') return [error('instructions', 'unknown', `are not for the provider ${provider}`)]
  const wrong = instructions.iban === null ? undefined : ibanError(instructions.iban)
  return wrong === undefined ? [] : [error('instructions/iban', 'iban', wrong)]
}

/** The errors of what is sent to set a provider, with the names of the secrets that are stored; none of them repeats a secret. */
export const errorsOfProvider = (provider: string, input: ProviderInput, stored: readonly string[]): FieldError[] => [
  ...errorsOfSecrets(provider, input.secrets ?? {}, stored),
  ...errorsOfInstructions(provider, input),
]

/** The instructions as they are stored. */
export const storedInstructions = (instructions: TransferInstructions): TransferInstructions => ({
  ...instructions,
  iban: instructions.iban === null ? null : writeIban(instructions.iban),
})

/** The mode that a provider has with what is sent: that of the secrets, or the one before. */
export const nextMode = (provider: string, { secrets = {} }: ProviderInput, before: KeyMode | null): KeyMode | null =>
  findDeclaredProvider(provider)?.modeOf(secrets) ?? before

/** Whether a provider in a mode fits a school; bank transfer fits any. */
export const fitsSchool = (mode: KeyMode | null, school: Pick<School, 'baseUrl' | 'isTest'>): boolean =>
  mode === null || mode === paymentMode(school)

/** The secrets that were sent, in the order in which the provider declares them. */
export const listSent = (provider: string, sent: Secrets): { readonly name: string; readonly value: string }[] =>
  (findDeclaredProvider(provider)?.secrets ?? []).flatMap(({ name }) => {
    const value = sent[name]
    return value === undefined ? [] : [{ name, value }]
  })

/** Which of its secrets a provider loses with a new mode: all that are not sent, since they are of another account or endpoint. */
export const listOutdated = (
  stored: readonly string[],
  sent: Secrets,
  modes: { readonly before: KeyMode | null; readonly after: KeyMode | null },
): readonly string[] =>
  modes.before === null || modes.before === modes.after ? [] : stored.filter(name => sent[name] === undefined)

/** The secrets that a provider declares and that are not there. */
export const listMissing = (provider: string, stored: readonly string[]): readonly SecretDeclaration[] =>
  findDeclaredProvider(provider)?.secrets.filter(({ name }) => !stored.includes(name)) ?? []

/** Whether one of these secrets says whose account it is: those without which nothing is charged do. */
export const isOfAccount = (provider: string, secrets: readonly string[]): boolean =>
  findDeclaredProvider(provider)?.secrets.some(one => one.required === 'charge' && secrets.includes(one.name)) === true

/** Whether anything needs a provider. */
export const isNeeded = (counts: ProviderCounts): boolean => Object.values(counts).some(count => count > 0)

// Two permissions that are missing have the same code.
const isSame = (one: Finding, other: Finding): boolean => one.code === other.code && one.text.en === other.text.en

/** What is missing that was not missing before. */
export const listNewMissing = (before: readonly Finding[], after: readonly Finding[]): readonly Finding[] =>
  after.filter(
    one => one.level === 'missing' && before.every(other => other.level !== 'missing' || !isSame(one, other)),
  )

/** What a provider is wanted for: by a buyer, or to charge a method that was saved. */
export type ProviderPurpose = 'offer' | 'charge'

/** Whether a school uses a provider for something. */
export const isUsedFor = ({ use }: Pick<ProviderRow, 'use'>, purpose: ProviderPurpose): boolean =>
  use === 'everything' || (use === 'renewals' && purpose === 'charge')

/** Whether a provider has the secrets without which nothing is charged. */
export const hasChargeSecrets = (provider: string, stored: readonly string[]): boolean =>
  listMissing(provider, stored).every(({ required }) => required !== 'charge')

/** Whether buyers are told how to pay by transfer or in person: an account with its holder, or a text. */
export const isInstructed = (instructions: TransferInstructions | null): boolean => {
  if (instructions === null) return false
  const { account_holder: holder, iban, text } = instructions
  return (holder !== null && iban !== null) || (text ?? '').trim() !== ''
}

/** What keeps a provider that is set from being offered to buyers. */
export type ProviderLack = 'provider_incomplete' | 'wrong_mode' | 'clearing'

/** What keeps a provider that is set from being offered to buyers; undefined where nothing does. */
export const findProviderLack = (
  row: Pick<ProviderRow, 'name' | 'mode' | 'secrets' | 'instructions' | 'offered_until' | 'is_clearing'>,
  school: Pick<School, 'baseUrl' | 'isTest'>,
): ProviderLack | undefined => {
  const { name, mode, secrets, instructions, offered_until: offeredUntil, is_clearing: isClearing } = row
  if (isClearing) return 'clearing'
  if (!fitsSchool(mode, school)) return 'wrong_mode'
  const stored = secrets.map(one => one.name)
  const isComplete =
    name === 'manual'
      ? isInstructed(instructions) || offeredUntil !== null
      : isKnownProvider(name) && hasChargeSecrets(name, stored)
  return isComplete ? undefined : 'provider_incomplete'
}

const text = texts.school.selling.providers.rules

/** What setting a provider means, in words. */
export const providerSet = (provider: string): Phrase => fillEach(text.set, { provider: findProviderTitle(provider) })

/** What removing a provider means, in words. */
export const providerRemoved = (provider: string): Phrase =>
  fillEach(text.removed, { provider: findProviderTitle(provider) })

/** What another use of a provider means, in words. */
export const providerUsed = (provider: string, use: ProviderUseName): Phrase =>
  fillEach(text.uses[use], { provider: findProviderTitle(provider) })
