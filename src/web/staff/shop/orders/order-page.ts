import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { orderTable, tableOf } from '#src/web/account/index.ts'
import { doneIn, type Framed, framed, timeOf, zoneOf } from '#src/web/page/index.ts'
import { refusedIn } from '../../pages/refused.ts'
import { actForms } from './act-forms.ts'
import { moneyParts } from './order-money.ts'
import { orderText as text } from './order-text.ts'
import type { OrderView } from './order-view.ts'
import { orderRefusals, ordersText, statusName } from './text.ts'

type Row = readonly [name: string, value: Html | string | undefined]

const sourceOf = ({ order, language }: OrderView): string => {
  const { client_id: app, page, campaign } = order.source
  const { sources } = text
  const through = (): string => {
    if (order.kind === 'outside') return fill(sources.outside, language)
    if (app !== null) return fill(sources.app, language, { app })
    return page === null ? fill(sources.site, language) : fill(sources.page, language, { page })
  }
  return campaign === null ? through() : `${through()}, ${fill(sources.campaign, language, { campaign })}`
}

const billingOf = ({ order }: OrderView): string | undefined => {
  const { name, company, address, country, tax_id } = order.billing
  const { line1, line2, postal_code, city, region } = address ?? {}
  const town = [postal_code, city].filter(part => part).join(' ')
  const parts = [name, company, line1, line2, town, region, country, tax_id].filter(part => part)
  return parts.length === 0 ? undefined : parts.join(', ')
}

const statusOf = ({ order, language }: OrderView): string => {
  const shown = statusName(order, language)
  return order.dispute?.state === 'open' ? `${shown}, ${fill(ordersText.disputed, language)}` : shown
}

const buyerOf = ({ order, language }: OrderView): Html => {
  const { id, name } = order.member
  const shown = isVisible(name) ? name : fill(ordersText.nobody, language)
  return html`<a href="/staff/people/${id}"><bdi>${shown}</bdi></a>`
}

const canceledOf = (view: OrderView): string | undefined => {
  const { canceled_at: at, cancel_reason: by } = view.order
  if (at === null) return undefined
  const time = timeOf(new Date(at), view.language, view.viewer)
  return by === null ? time : `${time}, ${fill(text.canceledBy[by], view.language)}`
}

const rowsOf = (view: OrderView): Row[] => {
  const { order, language, viewer } = view
  const time = (at: string | null) => (at === null ? undefined : timeOf(new Date(at), language, viewer))
  const money = (amount: number) => (amount === 0 ? undefined : formatMoney(amount, order.currency, language))
  const isWaiting = order.status === 'pending' || order.status === 'processing'
  return [
    [fill(text.status, language), html`<strong>${statusOf(view)}</strong>`],
    [fill(text.buyer, language), buyerOf(view)],
    [fill(text.email, language), order.email ?? order.member.email],
    [fill(text.placed, language), time(order.created_at)],
    [fill(text.paidAt, language), order.total === 0 ? undefined : time(order.paid_at)],
    [fill(text.expires, language), time(order.expires_at)],
    [fill(text.canceled, language), canceledOf(view)],
    [fill(text.arrived, language), money(order.paid_total)],
    [fill(text.missing, language), isWaiting ? money(Math.max(0, order.total - order.paid_total)) : undefined],
    [fill(text.paidBack, language), money(order.refunded_total)],
    [fill(text.billing, language), billingOf(view)],
    [fill(text.source, language), sourceOf(view)],
    [fill(text.terms, language), time(order.terms?.accepted_at ?? null)],
    [fill(text.note, language), order.note ?? undefined],
  ]
}

const facts = (view: OrderView): Html => html`<dl class="facts">
${rowsOf(view).map(
  ([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`,
)}</dl>`

const linesOf = ({ order, language, viewer }: OrderView): Html => {
  const table = tableOf(order, { language, timeZone: zoneOf(viewer) })
  const lines = table.lines.map((line, index) => {
    const { refunded_amount: refunded = 0 } = order.lines[index] ?? {}
    if (refunded === 0) return line
    const amount = formatMoney(refunded, order.currency, language)
    return { ...line, details: [...(line.details ?? []), fill(text.lineRefunded, language, { amount })] }
  })
  return html`<h2>${fill(text.lines, language)}</h2>
${orderTable({ ...table, lines })}`
}

const noticeOf = ({ refused, done, language }: OrderView): Pick<Framed, 'notice' | 'status'> => {
  if (refused === undefined) return { notice: doneIn(text.done, done, language) }
  const own = refused.act === 'undo' ? { invalid_state: text.refusals.undo } : {}
  return refusedIn(refused.refusal, language, { ...orderRefusals, ...own })
}

/** One order, with what staff can do about it. */
export const orderPage = (view: OrderView): Reply => {
  const { language, order } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language, { number: order.number }),
    ...noticeOf(view),
    body: html`${facts(view)}
${linesOf(view)}
${moneyParts(view)}
<h2>${fill(text.decide, language)}</h2>
${actForms(view)}
<p class="quiet"><a href="/staff/orders">${fill(ordersText.back, language)}</a></p>`,
  })
}
