import { OrderPage } from '#src/areas/shop/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { backLink } from '../links.ts'
import { type AccountContext, owner } from '../parts.ts'
import { pageLinks, readCursor } from '../turning.ts'
import { type OwnOrder, orderPath } from './own.ts'
import { isTestOrder, statusName } from './status.ts'

const { order: text } = texts.account

const PATH = '/account/orders'

const nextStep = (order: OwnOrder, { t, money }: AccountContext): Html | false => {
  if (order.status !== 'pending' && order.status !== 'failed') return false
  const isPending = order.status === 'pending'
  const label = isPending ? t(text.pay, { amount: money(order.total, order.currency) }) : t(text.payAgain)
  const to = isPending && order.payments.some(({ state }) => state === 'open') ? '' : '/pay'
  return html`<a class="next" href="${orderPath(order)}${to}">${label}</a>`
}

const item = (order: OwnOrder, context: AccountContext): Html => {
  const { t, money, day } = context
  const { number, total, currency, lines, created_at: at } = order
  return html`<li>
<a href="${orderPath(order)}">${t(text.one, { number })}</a>
<span class="amount">${money(total, currency)}</span>
<span class="quiet names">${lines.map(({ name }, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)}</span>
<span class="quiet">${day(at)} · ${statusName(order, context)}${isTestOrder(order) && html` · <strong>${t(text.test)}</strong>`}</span>
${nextStep(order, context)}
</li>
`
}

/** GET /account/orders: what a person has bought, the newest first, in pages. */
export const orderListPages = [
  page(`GET ${PATH}`, owner, async context => {
    const { t, call, frame, language } = context
    const query = [['limit', '10'], ...readCursor(context)] as const
    const { data, next_cursor: next } = await call({ operation: 'listAccountOrders', query, returns: OrderPage })
    return frame({
      title: t(texts.words.yourOrders),
      body: html`${
        data.length === 0
          ? html`<p>${t(text.none)}</p>
<p><a href="/courses">${t(texts.words.seeAllCourses)}</a></p>`
          : html`<ul class="list orders">
${data.map(order => item(order, context))}</ul>`
      }
${pageLinks(context, next, text)}
${backLink(language)}`,
    })
  }),
]
