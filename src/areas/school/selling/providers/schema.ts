import Type, { type Static } from 'typebox'
import type { Phrase } from '#src/contract/language.ts'
import { ProviderName, SECRET_NAME } from '#src/contract/payment-providers.ts'
import type { FindingCode } from '#src/contract/payments.ts'
import { Closed, Instant, Line, Nullable, OneOf, Revision, Words } from '#src/kit/shapes.ts'

/** What buyers are told who pay by bank transfer or in person; shown with the number of the order. */
const TransferInstructions = Closed('TransferInstructions', {
  account_holder: Nullable(Line(120, 'Who receives the money')),
  iban: Nullable(Line(42, 'The account as an IBAN (ISO 13616); spaces are removed')),
  text: Nullable(Words(2000, 'Anything else, such as the bank, or where to pay in person, as plain text')),
})

/** The instructions as values. */
export type TransferInstructions = Static<typeof TransferInstructions>

const ShownSecret = Closed('ShownSecret', {
  name: Type.String({ description: 'Its name, as the provider declares it' }),
  last4: Type.String({ description: 'The last four characters, all that is ever shown' }),
})

const providerUses = ['everything', 'renewals', 'nothing'] as const

/** One of them. */
export type ProviderUseName = (typeof providerUses)[number]

const Use = OneOf(
  providerUses,
  '`renewals`: no new buyers, and saved methods are charged. `nothing`: no new money; refunds, disputes and notices go on',
)

const ProviderAccount = Closed('ProviderAccount', {
  id: Type.String({ description: 'Its id at the provider' }),
  name: Nullable(Type.String()),
  country: Nullable(Type.String({ description: 'ISO 3166-1 alpha-2' })),
})

/** The account that the keys of a provider are of. */
export type ProviderAccount = Static<typeof ProviderAccount>

const ProviderWebhook = Closed('ProviderWebhook', {
  url: Type.String({ description: 'Where the provider reports what happens' }),
  events: Type.Array(Type.String(), { description: 'What it has to report' }),
  made_by_us: Type.Boolean({ description: 'Whether the endpoint there was made by the school platform' }),
  heard_at: Nullable(Instant),
})

const Sentence = Type.Unsafe<Phrase>(
  Type.Record(Type.String(), Type.String(), { description: 'A sentence, by the languages in which it is there' }),
)

const ProviderFinding = Closed('ProviderFinding', {
  code: Type.Unsafe<FindingCode>(Type.String({ description: 'What was found' })),
  level: OneOf(['missing', 'warning', 'good'], 'Whether payments need it'),
  text: Sentence,
  how: Nullable(Sentence),
})

const ProviderCheck = Closed('ProviderCheck', { at: Instant, findings: Type.Array(ProviderFinding) })

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const ProviderCounts = Closed('ProviderCounts', {
  open: Count('Payments whose page may be open'),
  processing: Count('Payments that are on their way'),
  refunds: Count('Refunds that have not ended'),
  disputes: Count('Disputes that are not decided'),
  subscriptions: Count('Subscriptions that are charged through it'),
  customers: Count('People whose saved methods it has to forget one day'),
  refundable: Count('Payments of the last 180 days of which something could be refunded'),
})

/** How much needs a provider. */
export type ProviderCounts = Static<typeof ProviderCounts>

/** A payment provider of a school; its secrets are never shown. */
export const PaymentProvider = Closed('PaymentProvider', {
  name: ProviderName('The provider'),
  mode: Nullable(OneOf(['test', 'live'], 'Whether its keys move money; null where it has none')),
  use: Use,
  secrets: Type.Array(ShownSecret, { description: 'Those that are set, by name' }),
  instructions: Nullable(TransferInstructions),
  account: Nullable(ProviderAccount),
  webhook: Nullable(ProviderWebhook),
  check: Nullable(ProviderCheck),
  counts: ProviderCounts,
  // Until when bank transfer is offered although buyers are told nothing; null where that is over, or never was.
  offered_until: Nullable(Instant),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
})

/** The payment providers of a school, by name. */
export const PaymentProviders = Closed('PaymentProviders', { data: Type.Array(PaymentProvider) })

/** A provider by its name. */
export const ProviderRef = Type.Object({ provider: ProviderName('The provider') })

/** The secrets of a provider, or the instructions of bank transfer; what is left out stays as it is. */
export const ProviderSecrets = Closed('ProviderSecrets', {
  secrets: Type.Optional(
    Type.Record(Type.String({ pattern: SECRET_NAME }), Type.String({ minLength: 1, maxLength: 300 }), {
      description: 'Secrets by their names, as the provider declares them',
    }),
  ),
  instructions: Type.Optional(TransferInstructions),
})

/** What a provider is used for from now on. */
export const ProviderUse = Closed('ProviderUse', { use: Use })

/** The removal of a provider. */
export const ProviderRemoval = Closed('ProviderRemoval', {
  name: Type.Optional(Line(31, 'The name of the provider, to remove it although something needs it')),
})

/** Keys to check before they are set. */
export const ProviderTrial = Closed('ProviderTrial', { secrets: ProviderSecrets.properties.secrets })

/** What is sent to set a provider, as values. */
export type ProviderInput = Static<typeof ProviderSecrets>
