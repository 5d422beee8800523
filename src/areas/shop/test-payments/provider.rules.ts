import type { ProviderDeclaration } from '#src/contract/payments.ts'
import { texts } from '#src/texts/index.ts'

/** Test payments as a provider: it has no secrets, and its keys last as long as its books. */
export const declaration: ProviderDeclaration = {
  name: 'test',
  title: texts.words.testPayments,
  payText: texts.shop.testPayments.payText,
  secrets: [],
  modeOf: () => 'test',
  permissions: [],
  events: [],
  keysLast: 20 * 3600 * 1000,
  can: { saves: true, payouts: false, connects: false, delays: true },
}
