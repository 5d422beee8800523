import type Stripe from 'stripe'
import type { BeginInput, BegunPage } from '#src/contract/payments.ts'
import { type Account, type Client, isMissing, isRefused, openClient, readStripeError } from './client.lookups.ts'
import { toStripeAmount } from './money.rules.ts'
import { PAYMENT, readId } from './outcome.rules.ts'

type Params = Stripe.Checkout.SessionCreateParams

// https://docs.stripe.com/payments/payment-methods: these tell days later whether they succeeded.
const slowMethods: readonly string[] = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'sepa_debit',
  'us_bank_account',
]

const MINUTE_MS = 60_000
// Stripe ends a page 30 minutes to 24 hours after it was opened. The first of them with a margin, for a call that is repeated; an
// order that ends sooner has its page ended by us.
const LEAST_MS = 35 * MINUTE_MS
const MOST_MS = 23 * 60 * MINUTE_MS

// It depends on the first call alone, since a call that is repeated has the same parameters.
const computeEnd = ({ begunAt, endsAt }: BeginInput): number => {
  const end = Math.min(Math.max(endsAt.getTime(), begunAt.getTime() + LEAST_MS), begunAt.getTime() + MOST_MS)
  return Math.floor(end / 1000)
}

// Languages of Stripe's pages with our tags; it refuses any other one.
const locales = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
].concat(['lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh'])

const findLocale = (locale: string): string => {
  const [language = ''] = locale.split('-')
  return locales.find(one => one === locale) ?? locales.find(one => one === language) ?? 'auto'
}

const buildBuyer = ({ saves, customerRef, buyer }: BeginInput): Params => ({
  ...(saves && customerRef !== undefined ? { customer: customerRef } : {}),
  ...(saves && customerRef === undefined ? { customer_creation: 'always' as const } : {}),
  ...(buyer.email === '' || (saves && customerRef !== undefined) ? {} : { customer_email: buyer.email }),
})

const buildPayment = (input: BeginInput): Params => {
  const { paymentId, description, currency, saves } = input
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripeAmount(input),
          product_data: { name: description },
        },
      },
    ],
    payment_intent_data: {
      description: `${input.reference}: ${description}`,
      metadata: { [PAYMENT]: paymentId },
      ...(saves ? { setup_future_usage: 'off_session' as const } : {}),
    },
  }
}

const buildSetup = ({ paymentId, description, currency }: BeginInput): Params => ({
  mode: 'setup',
  currency: currency.toLowerCase(),
  setup_intent_data: { description, metadata: { [PAYMENT]: paymentId, stoa_currency: currency } },
})

const buildParams = (input: BeginInput): Params => ({
  ...(input.amount === 0 ? buildSetup(input) : buildPayment(input)),
  ...buildBuyer(input),
  client_reference_id: input.reference,
  metadata: { [PAYMENT]: input.paymentId },
  success_url: input.returnUrl,
  cancel_url: input.cancelUrl,
  expires_at: computeEnd(input),
  locale: findLocale(input.locale),
  // What is paid is the amount of the order in its currency, whatever the account is set to.
  ...(input.amount === 0 ? {} : { adaptive_pricing: { enabled: false } }),
  ...(input.delays === 'refused' && input.amount > 0 ? { excluded_payment_method_types: [...slowMethods] } : {}),
})

const create = ({ stripe, options }: Client, params: Params, key: string): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.create(params, options(key))

// A customer that was deleted at Stripe, or an address that it does not accept, keeps nobody from paying. The second request has a
// key of its own, since a key belongs to one request.
const createForBuyer = async (client: Client, input: BeginInput): Promise<Stripe.Checkout.Session> => {
  try {
    return await create(client, buildParams(input), input.paymentId)
  } catch (error) {
    const { param } = readStripeError(error) ?? {}
    if (!isRefused(error) || (param !== 'customer' && param !== 'customer_email')) throw error
    const { customer: _, customer_email: __, ...params } = buildParams(input)
    const anew = { ...params, ...(input.saves ? { customer_creation: 'always' as const } : {}) }
    return create(client, anew, `${input.paymentId}/anew`)
  }
}

/** Opens a page of Stripe Checkout. */
export const beginPage = async (account: Account, input: BeginInput): Promise<BegunPage> => {
  const session = await createForBuyer(await openClient(account), input)
  if (session.url === null) throw new Error(`the page ${session.id} has no address`)
  const customerRef = readId(session.customer)
  return {
    redirect: session.url,
    ref: session.id,
    expiresAt: new Date(session.expires_at * 1000),
    ...(customerRef === undefined ? {} : { customerRef }),
  }
}

/** Ends an open page; nothing happens to one that was completed or has ended. */
export const endPage = async (account: Account, ref: string): Promise<void> => {
  if (!ref.startsWith('cs_')) return
  const { stripe, options } = await openClient(account)
  try {
    await stripe.checkout.sessions.expire(ref, {}, options())
  } catch (error) {
    if (!isRefused(error) && !isMissing(error)) throw error
  }
}
