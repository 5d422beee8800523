// The smallest amounts of some currencies, and what else of an amount Stripe checks, in its own minor units:
// https://docs.stripe.com/currencies
const smallest: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  gbp: 30,
  jpy: 50,
  huf: 17_500,
  pln: 200,
  sek: 300,
}
const threeDecimals = ['bhd', 'jod', 'kwd', 'omr', 'tnd']
const wholeUnits = ['isk', 'ugx']

/** Why an amount is refused, as `code` and `message` of an error; undefined when it can be charged. */
export const findAmountError = (
  amount: number,
  currency: string,
): { readonly code: string; readonly message: string } | undefined => {
  if (!/^[a-z]{3}$/.test(currency)) return { code: 'invalid_currency', message: `Invalid currency: ${currency}.` }
  if (!Number.isSafeInteger(amount) || amount < 1)
    return { code: 'parameter_invalid_integer', message: 'Invalid positive integer.' }
  const step = threeDecimals.includes(currency) ? 10 : wholeUnits.includes(currency) ? 100 : 1
  if (amount % step !== 0)
    return { code: 'invalid_amount', message: `The amount in ${currency} must be divisible by ${step}.` }
  const least = smallest[currency] ?? 1
  return amount < least
    ? { code: 'amount_too_small', message: `The amount must be at least ${least} ${currency}.` }
    : undefined
}
