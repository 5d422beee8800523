import { DEBIT_BRAND } from '#src/contract/debits.ts'
import type { FoundDispute, FoundPayment, FoundRefund, MethodShown, Outcome } from '#src/contract/payments.ts'
import { decimalAmount, getExponent, isCurrency } from '#src/kit/money.ts'
import type { MollieChargeback, MolliePayment, MollieRefund } from './schema.ts'

type Amount = MolliePayment['amount']

/** An amount in minor units, as Mollie writes it, such as `{currency: 'EUR', value: '10.00'}`. */
export const buildAmount = (amount: number, currency: string): Amount => ({
  currency,
  value: decimalAmount(amount, currency),
})

const VALUE = /^(-?\d+)(?:\.(\d+))?$/

/** An amount of Mollie in minor units; throws for one that is not exact in its currency. */
const parseAmount = ({ currency, value }: Amount): number => {
  const [matched, whole = '', decimals = ''] = VALUE.exec(value) ?? []
  if (matched === undefined || !isCurrency(currency) || decimals.length !== getExponent(currency))
    throw new Error('Mollie answered with an amount that is not exact')
  return Number(whole + decimals)
}

/** The currencies in which Mollie is paid. */
export const currencies: ReadonlySet<string> = new Set(
  'AED AUD BGN BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR'.split(
    ' ',
  ),
)

// What a payment without order lines and postal addresses cannot be made with, or not over a page.
const unfit =
  'alma billie billink in3 klarna klarnapaylater klarnapaynow klarnasliceit pointofsale riverty voucher'.split(' ')
const slow = 'bacs directdebit multibanco paybybank przelewy24 trustly'.split(' ')
const freeToSave = ['creditcard', 'paypal']

/** What decides which methods a page offers. */
type Offer = { readonly isSetup: boolean; readonly delays: 'allowed' | 'refused' }

/** The methods of a page, of those that the owner has enabled: bank transfers go through the school itself. */
export const chooseMethods = (enabled: readonly string[], { isSetup, delays }: Offer): string[] =>
  enabled
    .filter(id => id !== 'banktransfer' && !unfit.includes(id))
    .filter(id => delays === 'allowed' || !slow.includes(id))
    // A payment of nothing is possible with these alone.
    .filter(id => !isSetup || freeToSave.includes(id))

const states: Readonly<Record<string, Outcome['state']>> = {
  open: 'needs_person',
  pending: 'processing',
  authorized: 'processing',
  paid: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'canceled',
}

// ISO 20022: the account does not exist, is closed or blocked, or its owner has forbidden debits.
const finalReasons = 'AC01 AC04 AC06 AC13 AG01 BE05 MD01 MD07 MS02 RC01 SL01'.split(' ')
const finalFailures = 'card_expired inactive_card invalid_card_number invalid_card_type possible_fraud'.split(' ')

const askingFailures = ['authentication_required', 'authentication_failed', 'authentication_abandoned']

const readFailure = ({ status, details }: MolliePayment): Pick<Outcome, 'failure'> => {
  if (status !== 'failed') return {}
  const code = details?.failureReason ?? details?.bankReasonCode ?? 'failed'
  return { failure: { code, mayRetry: !finalFailures.includes(code) && !finalReasons.includes(code) } }
}

// A saved method that needs its owner: nobody is there to authenticate.
const readState = ({ status, sequenceType, details }: MolliePayment): Outcome['state'] => {
  const needsPerson = status === 'failed' && askingFailures.includes(details?.failureReason ?? '')
  return sequenceType === 'recurring' && needsPerson ? 'needs_person' : (states[status] ?? 'unknown')
}

const readMethod = ({ method, mandateId, details }: MolliePayment): { readonly method?: MethodShown } => {
  const account = details?.consumerAccount
  const number = details?.cardNumber ?? account
  if (method == null || number == null || number.length < 4) return {}
  // With a mandate the account is debited, however the first payment was made.
  const isDebited = method !== 'creditcard' && account != null && mandateId != null
  const brand = isDebited ? DEBIT_BRAND : (details?.cardLabel ?? method)
  return { method: { brand: brand.toLowerCase(), last4: number.slice(-4), expires: null } }
}

const COUNTRY = /^[A-Z]{2}/

const readCountry = ({ details, countryCode }: MolliePayment): Pick<Outcome, 'country'> => {
  const [country] = COUNTRY.exec(details?.cardCountryCode ?? details?.consumerAccount ?? countryCode ?? '') ?? []
  return country === undefined ? {} : { country }
}

const readPaid = (payment: MolliePayment): Pick<Outcome, 'method' | 'methodType' | 'country' | 'saved'> => {
  const { status, sequenceType, customerId: customerRef, mandateId: methodRef, method: methodType } = payment
  if (status !== 'paid') return {}
  const isSaved = sequenceType === 'first' && customerRef != null && methodRef != null
  return {
    ...readMethod(payment),
    ...readCountry(payment),
    ...(methodType == null ? {} : { methodType }),
    ...(isSaved ? { saved: { customerRef, methodRef } } : {}),
  }
}

/** A payment as the port says it. Its fee is not known before the settlement. */
export const buildOutcome = (payment: MolliePayment): Outcome => ({
  state: readState(payment),
  refs: [payment.id],
  amount: parseAmount(payment.amount),
  currency: payment.amount.currency,
  ...readFailure(payment),
  ...readPaid(payment),
})

/** Our id in the metadata of what we made; undefined for what was made elsewhere. */
export const readOurId = (metadata: unknown, name: 'stoa_payment' | 'stoa_refund'): string | undefined => {
  const id = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, name) : undefined
  return typeof id === 'string' ? id : undefined
}

const statesOfRefunds: Readonly<Record<string, Outcome['state']>> = {
  queued: 'processing',
  pending: 'processing',
  processing: 'processing',
  refunded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

/** A refund as the port says it. */
export const buildRefund = ({ id, amount, status, metadata }: MollieRefund): FoundRefund => {
  const refundId = readOurId(metadata, 'stoa_refund')
  const state = statesOfRefunds[status] ?? 'unknown'
  return {
    state,
    refs: [id],
    amount: parseAmount(amount),
    currency: amount.currency,
    ...(refundId === undefined ? {} : { refundId }),
    ...(state === 'failed' ? { failure: { code: status, mayRetry: false } } : {}),
  }
}

const DISPUTED_DAYS = 90
const DAY_MS = 24 * 3600 * 1000

// A debit that the bank has returned stays returned. A card's chargeback may be reversed, which Mollie says; not that it never will.
const readDispute = (method: string | null | undefined, one: MollieChargeback, now: Date): FoundDispute['state'] => {
  if (one.reversedAt != null) return 'won'
  const isOver = now.getTime() - Date.parse(one.createdAt) >= DISPUTED_DAYS * DAY_MS
  return isOver || method === 'directdebit' || method === 'bacs' ? 'lost' : 'open'
}

/** All that Mollie knows of a payment at an instant, as the port says it. */
export const buildFound = (payment: MolliePayment, now: Date): FoundPayment => {
  const { refunds = [], chargebacks = [] } = payment._embedded ?? {}
  return {
    ...buildOutcome(payment),
    refunds: refunds.map(buildRefund),
    disputes: chargebacks.map(one => ({
      ref: one.id,
      state: readDispute(payment.method, one, now),
      amount: parseAmount(one.amount),
      currency: one.amount.currency,
      ...(one.reason == null ? {} : { reason: one.reason.code }),
    })),
  }
}

const locales = ['en_US', 'es_ES', 'pt_PT']

/** The locale of a page, as Mollie names it; undefined: that of the buyer's browser. */
export const findLocale = (locale: string): string | undefined =>
  locales.find(one => one.slice(0, 2) === locale.split('-')[0]?.toLowerCase())
