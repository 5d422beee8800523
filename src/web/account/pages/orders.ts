import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, framed } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import { orderPath } from './order.ts'
import { isTestOrder, type OwnOrder, statusName } from './order-status.ts'
import { orderText as text } from './order-text.ts'

type OrdersView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly orders: readonly OwnOrder[]
  /** Where the next page begins; unset after the last one. */
  readonly next: string | undefined
  readonly isFirst: boolean
}

const nextStep = (order: OwnOrder, language: Language): Html | false => {
  const amount = formatMoney(order.total, order.currency, language)
  if (order.status !== 'pending' && order.status !== 'failed') return false
  const label = order.status === 'pending' ? fill(text.pay, language, { amount }) : fill(text.payAgain, language)
  const to = order.status === 'pending' && order.payments.some(({ state }) => state === 'open') ? '' : '/pay'
  return html`<a class="next" href="${orderPath(order)}${to}">${label}</a>`
}

const item = (order: OwnOrder, { language, person }: OrdersView): Html => html`<li>
<a href="${orderPath(order)}">${fill(text.one, language, { number: order.number })}</a>
<span class="amount">${formatMoney(order.total, order.currency, language)}</span>
<span class="quiet names">${order.lines.map(({ name }, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)}</span>
<span class="quiet">${dayOf(new Date(order.created_at), language, person)} · ${statusName(order, language)}${isTestOrder(order) && html` · <strong>${fill(text.test, language)}</strong>`}</span>
${nextStep(order, language)}
</li>
`

const pagesOf = ({ next, isFirst, language }: OrdersView): Html | false =>
  (next !== undefined || !isFirst) &&
  html`<p>${!isFirst && html`<a href="/account/orders">${fill(text.newest, language)}</a> `}${
    next !== undefined &&
    html`<a rel="next" href="/account/orders?${String(new URLSearchParams({ cursor: next }))}">${fill(text.older, language)}</a>`
  }</p>`

/** The orders of a person, the newest first, in pages. */
export const ordersPage = (view: OrdersView): Reply => {
  const { school, language, orders } = view
  return framed({
    ...{ language, school },
    title: fill(text.title, language),
    body: html`${
      orders.length === 0
        ? html`<p>${fill(text.none, language)}</p>
<p><a href="/courses">${fill(text.catalogue, language)}</a></p>`
        : html`<ul class="list orders">
${orders.map(order => item(order, view))}</ul>`
    }
${pagesOf(view)}
${backLink(language)}`,
  })
}
