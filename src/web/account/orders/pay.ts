import { chargeForOrder, Order } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { isKnownProvider } from '#src/contract/payment-providers.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { chooseZone, form, hidden, noticeFor, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { beginOpenPayment } from './beginning.ts'
import { describeMethod, type Method, methodsFor } from './methods.ts'
import { askProviders, buyer, type OrderContext, type OwnOrder, openPayment, orderPath, readAgain } from './own.ts'
import { statusAbout, testNote } from './status.ts'
import { buildTable } from './sums.ts'
import { orderTable } from './table.ts'

const { notNow, refusals, text } = texts.account.pay

const canBePaid = ({ status }: OwnOrder): boolean => status === 'pending' || status === 'failed'

const methodCard = (method: Method, isFirst: boolean, { order, t, money, form }: OrderContext): Html => {
  const { name, about, button, setUp } = describeMethod(method)
  // A page charges the whole, and what was paid before goes back.
  const due = method.name === 'manual' ? order.total - order.paid_total : order.total
  const label = order.total === 0 && setUp !== undefined ? t(setUp) : t(button, { amount: money(due, order.currency) })
  return html`<section class="card">
<h3>${t(name)}</h3>
<p class="quiet">${t(about, { days: method.days ?? 0 })}</p>
${form(html`${hidden({ provider: method.name })}<div class="buttons"><button${isFirst && html` class="main"`} type="submit">${label}</button></div>`)}
</section>
`
}

const show = async (context: OrderContext, refusal?: Refusal): Promise<Reply> => {
  const { order, request, t, frame, language, viewer } = context
  const methods = await methodsFor(request, chargeForOrder(order))
  const cards = methods.map((method, index) => methodCard(method, index === 0, context))
  return frame({
    title: t(text.title, { number: order.number }),
    ...noticeFor(refusal, language, { said: { ...refusals, other: notNow } }),
    leadsAway: true,
    headers: refusal?.extras.headers ?? {},
    body: html`${testNote(context)}${statusAbout(context).map(sentence => html`<p>${sentence}</p>\n`)}${
      openPayment(order)?.provider === 'manual' && html`<p>${t(text.chosen)}</p>\n`
    }${order.total === 0 && html`<p>${t(text.setUp)}</p>\n`}${orderTable(buildTable(order, { language, timeZone: chooseZone(viewer) }))}
${methods.length === 0 ? html`<p class="note">${t(text.none)}</p>` : html`<h2>${t(text.ways)}</h2>\n${cards}`}
<p class="quiet"><a href="${orderPath(order)}">${t(texts.words.toOrder)}</a></p>`,
  })
}

/** GET and POST /account/orders/:number/pay: the ways to pay an order, and the way to the page of a provider. */
export const payPages = [
  page('GET /account/orders/:number/pay', buyer, async context =>
    canBePaid(context.order) ? show(context) : redirect(orderPath(context.order)),
  ),
  form('POST /account/orders/:number/pay', buyer, async (before, typed) => {
    const provider = formField(typed, 'provider')
    // Somebody may have paid on a page that is still open, and one that has ended is not opened again.
    const context = await askProviders(before)
    const { order, call } = context
    if (!canBePaid(order)) return redirect(orderPath(order))
    if (!isKnownProvider(provider)) return redirect(`${orderPath(order)}/pay`)
    const params = { order_id: order.id }
    return shownAgain(
      async () =>
        beginOpenPayment(
          context,
          await call({ operation: 'createAccountOrderPayment', params, body: { provider }, returns: Order }),
          orderPath(order),
        ),
      async refusal => {
        const now = await readAgain(context)
        // What ended the order, or paid it, is what its page says.
        return refusal.problem === invalidState && !canBePaid(now.order)
          ? redirect(orderPath(now.order))
          : show(now, refusal)
      },
      () => true,
    )
  }),
]
