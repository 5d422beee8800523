import { computeSum } from '#src/kit/money.ts'

/** What is left to pay of a payment plan: how many payments, and what each costs; amounts in minor units. */
type RestInput = {
  readonly payments: number
  readonly amount: number
  /** What the code takes off one payment, and how many more it reduces; null payments are all. */
  readonly codeOff: number
  readonly codePayments: number | null
  readonly credit: number
}

/** What is left to pay at once: the payments, less what the code and the credit pay. */
export const computeRest = ({ payments, amount, codeOff, codePayments, credit }: RestInput) => {
  const whole = computeSum(Array.from({ length: payments }, () => amount))
  const reduced = codePayments === null ? payments : Math.min(payments, codePayments)
  const off = computeSum(Array.from({ length: reduced }, () => codeOff))
  return { whole, codeOff: off, creditUsed: Math.min(credit, whole - off) }
}
