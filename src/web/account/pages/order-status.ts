import type { Static } from 'typebox'
import type { Order } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { sumOf } from '#src/kit/money.ts'
import { timeOf } from '#src/web/page/index.ts'
import { orderText as text } from './order-text.ts'

/** An order, as the API returns it to its buyer. */
export type OwnOrder = Encoded<Static<typeof Order>>

type Reader = { readonly language: Language; readonly person: Session['member'] }

// What a bank takes back of a payment is shown before anything else.
const shownStatus = ({ status, dispute }: OwnOrder): Exclude<keyof typeof text.status, 'free' | 'trial'> => {
  if (status !== 'paid' && status !== 'partially_refunded') return status
  if (dispute?.state === 'open') return 'disputed'
  return dispute?.state === 'lost' ? 'lost' : status
}

type Free = {
  readonly status: string
  readonly total: number
  readonly lines: readonly { readonly unit_amount: number; readonly access: OwnOrder['lines'][number]['access'] }[]
}

/** What an order is about for which nothing was paid: free days before a first payment, or what costs nothing. */
export const freeKindOf = ({ status, total, lines }: Free): 'trial' | 'free' | undefined => {
  if (status !== 'paid' || total > 0) return undefined
  return lines.some(line => line.unit_amount === 0 && line.access?.subscription === true) ? 'trial' : 'free'
}

/** Where an order is, in a word or two. */
export const statusName = (order: OwnOrder, language: Language): string =>
  fill(text.status[freeKindOf(order) ?? shownStatus(order)], language)

/** Whether the order is about test payments, in which no money moves. */
export const isTestOrder = ({ payments }: OwnOrder): boolean => payments.some(({ provider }) => provider === 'test')

/** The payment that the buyer has begun and that has not ended. */
export const openPayment = ({ payments }: OwnOrder): OwnOrder['payments'][number] | undefined =>
  payments.findLast(({ state }) => state === 'asked' || state === 'open' || state === 'processing')

/** Whether the order waits for the answer of a payment provider, which can be asked for it. */
export const waitsForProvider = (order: OwnOrder): boolean => {
  const payment = openPayment(order)
  return payment !== undefined && payment.provider !== 'manual' && isWaiting(order)
}

/** Whether the order may become paid by itself at any moment. */
export const isWaiting = ({ status }: OwnOrder): boolean => status === 'pending' || status === 'processing'

const failureOf = ({ payments }: OwnOrder): Phrase | undefined => {
  const last = payments.at(-1)
  if (last === undefined || last.failure_code === null) return undefined
  return last.may_retry === false ? text.failure.other : text.failure.retry
}

const paidPart = (order: OwnOrder, language: Language): string[] => {
  const { paid_total: paid, total, currency } = order
  if (paid === 0 || paid >= total) return []
  const money = (amount: number) => formatMoney(amount, currency, language)
  return [fill(text.partlyPaid, language, { paid: money(paid), total: money(total), rest: money(total - paid) })]
}

const pendingAbout = (order: OwnOrder, { language, person }: Reader): string[] => {
  const { expires_at: until } = order
  const failure = failureOf(order)
  const kept = until === null ? '' : timeOf(new Date(until), language, person)
  return [
    ...(failure === undefined ? [] : [`${fill(text.failure.declined, language)} ${fill(failure, language)}`]),
    ...paidPart(order, language),
    ...(until === null ? [] : [fill(text.about.pending, language, { until: kept })]),
  ]
}

const refundedAbout = ({ lines, currency, paid_total: paid }: OwnOrder, language: Language): string => {
  const refunded = sumOf(lines.map(line => line.refunded_amount))
  const amounts = { refunded: formatMoney(refunded, currency, language), paid: formatMoney(paid, currency, language) }
  return fill(text.about.partially_refunded, language, amounts)
}

/** What happened to an order and what one can do, in sentences. */
export const statusAbout = (order: OwnOrder, reader: Reader): readonly string[] => {
  const { language } = reader
  const say = (phrase: Phrase): string => fill(phrase, language)
  const { about } = text
  const shown = shownStatus(order)
  switch (shown) {
    case 'pending':
      return pendingAbout(order, reader)
    case 'processing':
      return [say(about.processing)]
    case 'paid':
    case 'disputed':
    case 'lost':
    case 'expired':
    case 'refunded':
      return [say(about[shown])]
    case 'failed':
      return [say(about.failed), ...[failureOf(order)].flatMap(phrase => (phrase === undefined ? [] : [say(phrase)]))]
    case 'canceled':
      return [say(order.cancel_reason === 'buyer' ? about.canceled.buyer : about.canceled.staff)]
    case 'partially_refunded':
      return [refundedAbout(order, language)]
  }
}
