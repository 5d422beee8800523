import type { Money } from '#src/contract/payments.ts'
import { getExponent } from '#src/kit/money.ts'

// https://docs.stripe.com/currencies: the minor units of Stripe are not those of ISO 4217 everywhere. ISK and UGX have two decimals
// there and none here, so an amount is a hundred times as large; MGA has none there and two here.
const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const withThreeDecimals = 'BHD JOD KWD OMR TND'.split(' ')

const findExponent = (currency: string): number => {
  if (withoutDecimals.includes(currency)) return 0
  return withThreeDecimals.includes(currency) ? 3 : 2
}

const computeFactor = (currency: string): number => 10 ** (findExponent(currency) - getExponent(currency))

/** An amount in Stripe's minor units. What `computeFit` accepts is whole there. */
export const toStripeAmount = ({ amount, currency }: Money): number => Math.round(amount * computeFactor(currency))

/** An amount of Stripe's in the minor units of ISO 4217; the currency as Stripe writes it. */
export const fromStripeAmount = (amount: number, code: string): Money => {
  const currency = code.toUpperCase()
  return { amount: Math.round(amount / computeFactor(currency)), currency }
}

// https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts, in Stripe's minor units. Of other currencies it is the
// equivalent of the smallest amount in the currency of the account, which only Stripe can compute.
const smallest: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1000,
  USD: 50,
}

// In Stripe's minor units: the last digit of three decimals is 0, and so are both decimals of ISK and UGX, which have none in fact.
const findStep = (currency: string): number => {
  if (withThreeDecimals.includes(currency)) return 10
  return currency === 'ISK' || currency === 'UGX' ? 100 : 1
}

/** Whether Stripe can charge an amount; otherwise the nearest amounts that it can, in ascending order. */
export const computeFit = ({ amount, currency }: Money): true | { readonly nearest: readonly number[] } => {
  const factor = computeFactor(currency)
  // The step and the smallest amount in our minor units.
  const step = Math.max(1, findStep(currency) / factor, 1 / factor)
  const least = Math.ceil((smallest[currency] ?? 1) / factor / step) * step
  if (amount < least) return { nearest: [least] }
  const rest = amount % step
  return rest === 0 ? true : { nearest: [amount - rest, amount - rest + step] }
}
