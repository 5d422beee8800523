import { hmac, sameBytes } from '#src/kit/crypto.ts'

/** What a preview of a change has shown: what decides the amounts, and the amounts. */
export type Figures = {
  readonly price_id: string
  readonly proration: 'prorate'
  readonly proration_at: string
  readonly to_pay: number
  readonly credit_used: number
  readonly credit_left: number
  readonly next_amount: number
}

/** The most characters of a quote. */
export const MAX_QUOTE = 400

/** For what figures are signed: nobody takes them to another subscription. */
export type Signed = { readonly key: Buffer; readonly schoolId: string; readonly subscriptionId: string }

const computeMac = (text: string, { key, schoolId, subscriptionId }: Signed): Buffer =>
  hmac(key, `${schoolId} ${subscriptionId} ${text}`)

/** Figures as a text that only the school can write. */
export const signQuote = (figures: Figures, signed: Signed): string => {
  const text = Buffer.from(JSON.stringify(figures)).toString('base64url')
  return `${text}.${computeMac(text, signed).toString('base64url')}`
}

/** The figures of a quote; undefined when the school did not write it for this subscription. */
export const figuresIn = (quote: string, signed: Signed): Figures | undefined => {
  const [text = '', mac = '', ...more] = quote.split('.')
  if (more.length > 0 || !sameBytes(Buffer.from(mac, 'base64url'), computeMac(text, signed))) return undefined
  const figures: Figures = JSON.parse(Buffer.from(text, 'base64url').toString())
  return figures
}
