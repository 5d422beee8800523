import type { KeyMode, ProviderDeclaration } from '#src/contract/payments.ts'
import { texts } from '#src/texts/index.ts'

const { title, pay, secretKey, webhookSecret, permissions } = texts.shop.stripe

const KEY = /^(?:sk|rk)_(test|live)_[A-Za-z0-9]{16,240}$/

const readMode = (key: string | undefined): KeyMode | undefined => {
  const mode = KEY.exec(key ?? '')?.[1]
  return mode === 'test' || mode === 'live' ? mode : undefined
}

// Stripe keeps keys for at least 24 hours; the rest is a margin.
const KEYS_LAST_MS = 20 * 3600 * 1000

/** The events that tell what became of a payment, a refund or a dispute, and when the fee is known. */
export const webhookEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'setup_intent.succeeded',
  'charge.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const

/**
 * The capabilities of an account whose methods can be saved on a page, as `setup_future_usage` of Checkout says in the types of the
 * package. PayPal has none.
 */
export const savingCapabilities: ReadonlySet<string> = new Set(
  'acss_debit amazon_pay bacs_debit bancontact blik_recurring boleto card cashapp kakao_pay kr_card legacy link naver_pay payto pix revolut_pay sepa_debit twint upi us_bank_account_ach'
    .split(' ')
    .map(name => `${name}_payments`),
)

/** Stripe as a provider. The names of the permissions are those of its dashboard. */
export const declaration: ProviderDeclaration = {
  name: 'stripe',
  title,
  payText: pay,
  secrets: [
    { name: 'secret_key', ...secretKey, pattern: KEY, required: 'charge' },
    { name: 'webhook_secret', ...webhookSecret, pattern: /^whsec_[A-Za-z0-9+/=_-]{16,240}$/, required: 'notify' },
  ],
  modeOf: ({ secret_key }) => readMode(secret_key),
  permissions: [
    { name: 'Checkout Sessions: Write', about: permissions.sessions },
    { name: 'PaymentIntents: Write', about: permissions.intents },
    { name: 'Customers: Write', about: permissions.customers },
    { name: 'Charges and Refunds: Write', about: permissions.charges },
    { name: 'Webhook Endpoints: Write', about: permissions.endpoints },
    { name: 'SetupIntents: Read', about: permissions.setups },
    { name: 'PaymentMethods: Read', about: permissions.methods },
    { name: 'Disputes: Read', about: permissions.disputes },
    { name: 'Balance: Read', about: permissions.balance },
    { name: 'Payouts: Read', about: permissions.payouts },
  ],
  events: webhookEvents,
  keysLast: KEYS_LAST_MS,
  can: { saves: true, payouts: false, connects: true, delays: true },
}
