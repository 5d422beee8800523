import Type, { type Static } from 'typebox'
import { Closed, Instant, Line, Nullable, OneOf, Revision, Words } from '#src/kit/shapes.ts'

/** The providers of payments: bank transfer that staff confirm, test payments, and Stripe. */
export const providerNames = ['manual', 'test', 'stripe'] as const

/** The name of a provider. */
export type ProviderName = (typeof providerNames)[number]

/** Whether the keys of a provider move money. */
export type KeyMode = 'test' | 'live'

/** The names of the secrets of a provider. */
export const secretNames = ['secret_key', 'webhook_secret'] as const

/** The name of a secret of a provider. */
export type SecretName = (typeof secretNames)[number]

const SecretView = Nullable(
  Closed('ShownSecret', { last4: Type.String({ description: 'The last four characters, all that is ever shown' }) }),
)

/** What buyers are told who pay by bank transfer or in person; shown with the number of the order. */
const TransferInstructions = Closed('TransferInstructions', {
  account_holder: Nullable(Line(120, 'Who receives the money')),
  iban: Nullable(Line(42, 'The account as an IBAN (ISO 13616); spaces are removed')),
  text: Nullable(Words(2000, 'Anything else, such as the bank, or where to pay in person, as plain text')),
})

/** The instructions as values. */
export type TransferInstructions = Static<typeof TransferInstructions>

/** A payment provider of a school; its secrets are never shown. */
export const PaymentProvider = Closed('PaymentProvider', {
  name: OneOf(providerNames, 'The provider'),
  mode: Nullable(OneOf(['test', 'live'], 'Whether its keys move money; null where it has none')),
  secret_key: SecretView,
  webhook_secret: SecretView,
  instructions: Nullable(TransferInstructions),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
})

/** The payment providers of a school, by name. */
export const PaymentProviders = Closed('PaymentProviders', { data: Type.Array(PaymentProvider) })

/** A provider by its name. */
export const ProviderRef = Type.Object({ provider: OneOf(providerNames, 'The provider') })

const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })

/** The secrets of a provider, or the instructions of bank transfer; what is left out stays as it is. */
export const ProviderSecrets = Closed('ProviderSecrets', {
  secret_key: Type.Optional(Secret('The secret or restricted API key of Stripe: sk_… or rk_…')),
  webhook_secret: Type.Optional(Secret('The signing secret of the webhook endpoint: whsec_…')),
  instructions: Type.Optional(TransferInstructions),
})

/** What is sent to set a provider, as values. */
export type ProviderInput = Static<typeof ProviderSecrets>

/** The secrets as values. */
export type SecretValues = Pick<ProviderInput, SecretName>
