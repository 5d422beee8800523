import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeSum } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from '#src/web/page/index.ts'
import type { OrderContext, OwnOrder } from './own.ts'

const { order: text } = texts.account

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
export const findFreeKind = ({ status, total, lines }: Free): 'trial' | 'free' | undefined => {
  if (status !== 'paid' || total > 0) return undefined
  return lines.some(line => line.unit_amount === 0 && line.access?.subscription === true) ? 'trial' : 'free'
}

/** Where an order is, in a word or two. */
export const statusName = (order: OwnOrder, { t }: Pick<PageContext, 't'>): string =>
  t(text.status[findFreeKind(order) ?? shownStatus(order)])

/** Whether the order is about test payments, in which no money moves. */
export const isTestOrder = ({ payments }: OwnOrder): boolean => payments.some(({ provider }) => provider === 'test')

/** Says that an order is about test payments. */
export const testNote = ({ order, t }: OrderContext): Html | false =>
  isTestOrder(order) && html`<p class="test-note"><strong>${t(text.testNote)}</strong></p>\n`

const describeFailure = ({ payments }: OwnOrder): Phrase | undefined => {
  const last = payments.at(-1)
  if (last === undefined || last.failure_code === null) return undefined
  return last.may_retry === false ? text.failure.other : text.failure.retry
}

const paidPart = ({ order, t, money }: OrderContext): string[] => {
  const { paid_total: paid, total, currency } = order
  if (paid === 0 || paid >= total) return []
  const rest = money(total - paid, currency)
  return [t(text.partlyPaid, { paid: money(paid, currency), total: money(total, currency), rest })]
}

const pendingAbout = (context: OrderContext): string[] => {
  const { order, t, time } = context
  const { expires_at: until } = order
  const failure = describeFailure(order)
  return [
    ...(failure === undefined ? [] : [`${t(text.failure.declined)} ${t(failure)}`]),
    ...paidPart(context),
    ...(until === null ? [] : [t(text.about.pending, { until: time(until) })]),
  ]
}

const refundedAbout = ({ order, t, money }: OrderContext): string => {
  const { lines, currency, paid_total: paid } = order
  const refunded = computeSum(lines.map(line => line.refunded_amount))
  return t(text.about.partially_refunded, { refunded: money(refunded, currency), paid: money(paid, currency) })
}

/** What happened to an order and what one can do, in sentences. */
export const statusAbout = (context: OrderContext): readonly string[] => {
  const { order, t } = context
  const { about } = text
  const shown = shownStatus(order)
  switch (shown) {
    case 'pending':
      return pendingAbout(context)
    case 'processing':
    case 'paid':
    case 'disputed':
    case 'lost':
    case 'expired':
    case 'refunded':
      return [t(about[shown])]
    case 'failed':
      return [about.failed, describeFailure(order)].flatMap(phrase => (phrase === undefined ? [] : [t(phrase)]))
    case 'canceled':
      return [t(order.cancel_reason === 'buyer' ? about.canceled.buyer : about.canceled.staff)]
    case 'partially_refunded':
      return [refundedAbout(context)]
  }
}
