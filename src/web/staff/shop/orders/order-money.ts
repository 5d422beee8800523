import { fill } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf } from '#src/web/page/index.ts'
import { orderText as text } from './order-text.ts'
import type { OrderView } from './order-view.ts'
import { ordersText } from './text.ts'

const money = (amount: number, { order, language }: OrderView): string => formatMoney(amount, order.currency, language)

const day = (at: string, { language, viewer }: OrderView): string => dayOf(new Date(at), language, viewer)

const list = (title: string, items: readonly Html[]): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<h2>${title}</h2>
<ul class="list">
${items.map(item => html`<li>${item}</li>\n`)}</ul>
`

const item = (title: string, details: readonly (string | undefined)[]): Html =>
  html`<strong>${title}</strong>${details.map(detail => detail !== undefined && html`<br><span class="quiet"><bdi>${detail}</bdi></span>`)}`

type Payment = OrderView['order']['payments'][number]

const paymentItem = (payment: Payment, view: OrderView): Html => {
  const { provider, state, amount, paid_amount: paid, brand, last4, failure_code: code, reference } = payment
  const { language } = view
  const isPart = paid > 0 && paid !== amount
  const sum = isPart
    ? fill(text.part, language, { paid: money(paid, view), amount: money(amount, view) })
    : money(amount, view)
  const card =
    provider === 'test' || brand === null || last4 === null ? [] : [fill(text.card, language, { brand, last4 })]
  const how = [fill(ordersText.providers[provider], language), ...card, day(payment.created_at, view)]
  return item(`${sum}: ${fill(text.states[state], language)}`, [
    how.join(' · '),
    code === null ? undefined : fill(text.failure, language, { code }),
    reference === null ? undefined : fill(text.reference, language, { reference }),
  ])
}

type Refund = OrderView['order']['refunds'][number]

const refundItem = (refund: Refund, view: OrderView): Html => {
  const { amount, state, reason, note, lines, created_at } = refund
  const { language, order } = view
  const names = lines.map(({ line_id: id }) => order.lines.find(line => line.id === id)?.name ?? '')
  return item(`${money(amount, view)}: ${fill(text.states[state], language)}`, [
    `${fill(ordersText.reasons[reason], language)} · ${day(created_at, view)}`,
    names.length === 0 ? undefined : names.join(', '),
    note ?? undefined,
  ])
}

const disputePart = (view: OrderView): Html | undefined => {
  const { order, language } = view
  if (order.dispute === null) return undefined
  const { state, amount, opened_at, reason } = order.dispute
  const values = { amount: money(amount, view), day: day(opened_at, view) }
  return html`<h2>${fill(text.dispute, language)}</h2>
<p>${fill(text.disputeStates[state], language, values)}${reason !== null && html` ${fill(text.disputeReason, language, { reason })}`}</p>
`
}

type Document = OrderView['documents'][number]

const documentItem = (one: Document, view: OrderView): Html => {
  const { kind, number, file, total, issued_on, is_test, print_state } = one
  const { language } = view
  const name = fill(text.documentKinds[kind], language, { number })
  const states = { pending: text.printing, failed: text.notPrinted, printed: undefined }
  const state = states[print_state]
  const facts = [
    money(total, view),
    day(`${issued_on}T12:00:00Z`, view),
    ...(is_test ? [fill(text.notAnInvoice, language)] : []),
    ...(state === undefined ? [] : [fill(state, language)]),
  ]
  return html`${file === null ? html`<strong>${name}</strong>` : html`<a href="${file.url}">${name}</a>`}<br><span class="quiet">${facts.join(' · ')}</span>`
}

const givenItems = (view: OrderView): Html[] => {
  const { order, given, language } = view
  if (order.paid_at === null && given.length === 0) return []
  return order.lines.flatMap(line => {
    const { name } = line
    const own = given.filter(({ line_id: id }) => id === line.id)
    if (own.length === 0) return [html`${fill(text.notGiven, language, { name })}`]
    return own.map(({ starts_at, ends_at, ended_at, ended_by }) => {
      const from = day(starts_at, view)
      if (ended_at !== null && ended_by !== null) {
        const by = fill(text.endedBy[ended_by], language)
        return html`${fill(text.ended, language, { name, until: day(ended_at, view), by })}`
      }
      return ends_at === null
        ? html`${fill(text.active, language, { name, from })}`
        : html`${fill(text.activeUntil, language, { name, from, until: day(ends_at, view) })}`
    })
  })
}

/** What an order gave, and its payments, refunds, dispute, invoices and credit notes. */
export const moneyParts = (view: OrderView): (Html | undefined)[] => {
  const { order, documents, language } = view
  const payments = order.payments.map(one => paymentItem(one, view))
  return [
    list(fill(text.given, language), givenItems(view)),
    list(fill(text.payments, language), payments),
    list(
      fill(text.refunds, language),
      order.refunds.map(one => refundItem(one, view)),
    ),
    disputePart(view),
    list(
      fill(text.documents, language),
      documents.map(one => documentItem(one, view)),
    ),
  ]
}
