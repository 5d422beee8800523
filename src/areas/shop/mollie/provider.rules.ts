import type { ProviderDeclaration } from '#src/contract/payments.ts'
import { texts } from '#src/texts/index.ts'

const { title, payText, apiKey } = texts.shop.mollie

/** Mollie as a provider. */
export const declaration: ProviderDeclaration = {
  name: 'mollie',
  title,
  payText,
  secrets: [
    {
      name: 'api_key',
      label: apiKey.label,
      about: apiKey.about,
      pattern: /^(?:test|live)_[A-Za-z0-9]{30,200}$/,
      required: 'charge',
    },
  ],
  modeOf: ({ api_key: key }) => {
    if (key === undefined) return undefined
    return key.startsWith('live_') ? 'live' : 'test'
  },
  // A key of Mollie may do everything.
  permissions: [],
  // The address comes with each payment.
  events: [],
  // Mollie forgets keys after an hour.
  keysLast: 45 * 60 * 1000,
  can: { saves: true, payouts: false, connects: false, delays: true },
}
