import Type, { type Static } from 'typebox'
import { ProviderName, SECRET_NAME } from '#src/contract/payment-providers.ts'
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

/** A payment provider of a school; its secrets are never shown. */
export const PaymentProvider = Closed('PaymentProvider', {
  name: ProviderName('The provider'),
  mode: Nullable(OneOf(['test', 'live'], 'Whether its keys move money; null where it has none')),
  secrets: Type.Array(ShownSecret, { description: 'Those that are set, by name' }),
  instructions: Nullable(TransferInstructions),
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

/** What is sent to set a provider, as values. */
export type ProviderInput = Static<typeof ProviderSecrets>
