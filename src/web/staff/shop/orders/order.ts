import { InvoicePage, OrderEntitlements } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildTable, orderTable } from '#src/web/account/index.ts'
import {
  type Again,
  actForms,
  buildDoneTexts,
  chooseZone,
  doneIn,
  form,
  noticeFor,
  page,
  readDone,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { facts } from '../../teaching/parts.ts'
import { billingFields, isPaid, noteFields, type OrderDetail, orderActsFor } from './order-acts.ts'
import { renderMoney } from './order-money.ts'
import { computeLeft, formatBuyer, formatStatus, type OrderShown, orderRefusals, readOrder } from './shown.ts'

const { acts, common, order: text } = texts.staff.orders

const buildPath = ({ number }: OrderShown): string => `/staff/orders/${number}`

const describeSource = (
  { kind, source: { client_id: app, page, campaign } }: OrderShown,
  { t }: StaffContext,
): string => {
  const { sources } = text
  const through = (): string => {
    if (kind === 'outside') return t(sources.outside)
    if (app !== null) return t(sources.app, { app })
    return page === null ? t(sources.site) : t(sources.page, { page })
  }
  return campaign === null ? through() : `${through()}, ${t(sources.campaign, { campaign })}`
}

const formatBilling = ({ billing: { name, company, address, country, tax_id } }: OrderShown): string | undefined => {
  const { line1, line2, postal_code, city, region } = address ?? {}
  const town = [postal_code, city].filter(part => part).join(' ')
  return [name, company, line1, line2, town, region, country, tax_id].filter(part => part).join(', ') || undefined
}

const renderFacts = (order: OrderDetail, context: StaffContext): Html => {
  const { t } = context
  const { canceled_at, cancel_reason: by, dispute } = order
  const time = (at: string | null) => (at === null ? undefined : context.time(at))
  const money = (amount: number) => (amount === 0 ? undefined : context.money(amount, order.currency))
  const isWaiting = order.status === 'pending' || order.status === 'processing'
  const status = [formatStatus(order, context), ...(dispute?.state === 'open' ? [t(common.disputed)] : [])]
  const canceled = [time(canceled_at), ...(by === null ? [] : [t(text.canceledBy[by])])]
  return facts([
    [t(texts.words.status), html`<strong>${status.join(', ')}</strong>`],
    [t(text.buyer), html`<a href="/staff/people/${order.member.id}"><bdi>${formatBuyer(order, context)}</bdi></a>`],
    [t(texts.words.email), order.email ?? order.member.email],
    [t(text.placed), time(order.created_at)],
    [t(texts.words.paid), order.total === 0 ? undefined : time(order.paid_at)],
    [t(text.expires), time(order.expires_at)],
    [t(texts.words.canceled), canceled_at === null ? undefined : canceled.join(', ')],
    [t(text.arrived), money(order.paid_total)],
    [t(text.missing), isWaiting ? money(Math.max(0, order.total - order.paid_total)) : undefined],
    [t(text.paidBack), money(order.refunded_total)],
    [t(text.billing), formatBilling(order)],
    [t(text.source), describeSource(order, context)],
    [t(text.terms), time(order.terms?.accepted_at ?? null)],
    [t(texts.words.noteForStaff), order.note ?? undefined],
  ])
}

const renderLines = (order: OrderDetail, { t, money, language, viewer }: StaffContext): Html => {
  const table = buildTable(order, { language, timeZone: chooseZone(viewer) })
  const lines = table.lines.map((line, index) => {
    const { refunded_amount: refunded = 0 } = order.lines[index] ?? {}
    if (refunded === 0) return line
    const amount = money(refunded, order.currency)
    return { ...line, details: [...(line.details ?? []), t(text.lineRefunded, { amount })] }
  })
  return html`<h2>${t(text.lines)}</h2>
${orderTable({ ...table, lines })}`
}

const renderRefundLink = (order: OrderDetail, { t }: StaffContext): Html | false =>
  isPaid(order) &&
  computeLeft(order) > 0 &&
  html`<section class="card">
<h3>${t(text.refund.title)}</h3>
<p class="quiet">${t(text.refund.about)}</p>
<p><a class="button" href="${buildPath(order)}/refund">${t(text.refund.button)}</a></p>
</section>
`

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, call, language, request } = context
  const found = await readOrder(context)
  const query = [
    ['order_id', found.id],
    ['limit', '100'],
  ] as const
  const [given, documents] = await Promise.all([
    call({ operation: 'listOrderEntitlements', params: { order_id: found.id }, returns: OrderEntitlements }),
    call({ operation: 'listInvoices', query, returns: InvoicePage }),
  ])
  const order: OrderDetail = { ...found, documents: documents.data }
  const orderActs = orderActsFor(order)
  const reader = { ...context, currency: order.currency }
  const { address, ...billing } = order.billing
  const sets = [orderActs.confirm.fields, billingFields, noteFields]
  const own = refused?.act === 'undo' ? { invalid_state: acts.undo.refused } : {}
  return context.frame({
    title: t(text.title, { number: order.number }),
    ...(refused === undefined
      ? { notice: doneIn({ ...text.done, ...buildDoneTexts(acts) }, readDone(request), language) }
      : noticeFor(refused.refusal, language, { sets, said: { ...orderRefusals, ...own } })),
    body: html`${renderFacts(order, context)}
${renderLines(order, context)}
${renderMoney(order, given.data, context)}
<h2>${t(texts.page.acts.decide)}</h2>
${renderRefundLink(order, context)}${actForms(reader, {
  acts: orderActs,
  item: order,
  texts: acts,
  refused,
  stored: {
    reissue: billingFields.pairs({ ...billing, ...address }, reader),
    note: noteFields.pairs({ note: order.note ?? null }, reader),
  },
})}
<p class="quiet"><a href="/staff/orders">${t(common.back)}</a></p>`,
  })
}

/** GET and POST /staff/orders/:number. */
export const orderDetail = [
  page('GET /staff/orders/:number', staff, context => show(context)),
  form('POST /staff/orders/:number', staff, async (context, typed) => {
    const order = await readOrder(context)
    return submitAct(
      context,
      {
        acts: orderActsFor(order),
        typed,
        params: { order_id: order.id },
        reader: { ...context, currency: order.currency },
      },
      {
        async perform(act, call) {
          await context.call(call)
          return `${buildPath(order)}?done=${act}`
        },
        show: again => show(context, again),
      },
    )
  }),
]
