import { InvoicePage, OrderEntitlements } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeInitials } from '#src/kit/mark.ts'
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
import { card, pill, statusPill } from '../../console/frame.ts'
import { facts } from '../../teaching/parts.ts'
import { billingFields, isPaid, noteFields, type OrderDetail, orderActsFor } from './order-acts.ts'
import { renderMoney } from './order-money.ts'
import {
  computeLeft,
  formatBuyer,
  formatPayer,
  formatStatus,
  type OrderShown,
  orderRefusals,
  readOrder,
} from './shown.ts'

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
    return page === null || page === '/checkout' ? t(sources.site) : t(sources.page, { page })
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
  const { canceled_at, cancel_reason: by } = order
  const time = (at: string | null) => (at === null ? undefined : context.time(at))
  const money = (amount: number) => (amount === 0 ? undefined : context.money(amount, order.currency))
  const isWaiting = order.status === 'pending' || order.status === 'processing'
  const canceled = [time(canceled_at), ...(by === null ? [] : [t(text.canceledBy[by])])]
  return facts([
    [t(text.placed), time(order.created_at)],
    [t(texts.words.paid), order.total === 0 ? undefined : time(order.paid_at)],
    [t(text.expires), time(order.expires_at)],
    [t(texts.words.canceled), canceled_at === null ? undefined : canceled.join(', ')],
    [t(text.arrived), money(order.paid_total)],
    [t(text.missing), isWaiting ? money(Math.max(0, order.total - order.paid_total)) : undefined],
    [t(text.paidBack), money(order.refunded_total)],
    [t(text.source), describeSource(order, context)],
    [t(text.terms), time(order.terms?.accepted_at ?? null)],
    [t(texts.words.noteForStaff), order.note ?? undefined],
  ])
}

/** Who bought, with the address of the invoice. */
export const renderBuyer = (order: OrderShown, context: StaffContext): Html => {
  const { t } = context
  const name = formatBuyer(order, context)
  return card(
    t(text.buyer),
    html`<div class="who"><span class="avatar t2" aria-hidden="true">${computeInitials(name)}</span><div><a href="/staff/people/${order.member.id}"><bdi>${name}</bdi></a><small><bdi>${order.email ?? order.member.email}</bdi></small></div></div>
${facts([[t(text.billing), formatBilling(order)]])}`,
  )
}

const renderStatus = (order: OrderDetail, context: StaffContext): Html =>
  html`${statusPill(formatStatus(order, context), order.status)}${order.dispute?.state === 'open' && pill(context.t(common.disputed), 'bad')}`

/** What was ordered, with the sum and what of it was refunded. */
export const renderLines = (order: OrderShown, { t, money, language, viewer }: StaffContext): Html => {
  const table = buildTable(order, { language, timeZone: chooseZone(viewer) })
  const lines = table.lines.map((line, index) => {
    const { refunded_amount: refunded = 0 } = order.lines[index] ?? {}
    if (refunded === 0) return line
    const amount = money(refunded, order.currency)
    return { ...line, details: [...(line.details ?? []), t(text.lineRefunded, { amount })] }
  })
  return card(t(text.lines), orderTable({ ...table, lines }))
}

// What is done most often: the newest document, and the way to a refund.
const linkActions = (order: OrderDetail, { t }: StaffContext): Html => {
  const { file, kind, number } = order.documents[0] ?? { file: null }
  const canRefund = isPaid(order) && computeLeft(order) > 0
  return html`${file !== null && kind !== undefined && html`<a class="button" href="${file.url}">${t(text.documentKinds[kind], { number })}</a>`}${canRefund && html`<a class="button" href="${buildPath(order)}/refund">${t(text.refund.button)}</a>`}`
}

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, call, language, request } = context
  const found = await readOrder(context)
  const query = [
    ['order_id', found.id],
    ['sort', '-created_at'],
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
    badge: renderStatus(order, context),
    lead: [formatBuyer(order, context), context.time(order.created_at), formatPayer(order, context)]
      .filter(part => part !== '')
      .join(' · '),
    actions: linkActions(order, context),
    isWide: true,
    hasCards: true,
    body: html`<div class="split">
<div class="stack">${renderLines(order, context)}${renderMoney(order, given.data, context)}</div>
<div class="stack">${renderBuyer(order, context)}${card(t(texts.words.details), renderFacts(order, context))}${actForms(
      reader,
      {
        acts: orderActs,
        item: order,
        texts: acts,
        refused,
        stored: {
          reissue: billingFields.pairs({ ...billing, ...address }, reader),
          note: noteFields.pairs({ note: order.note ?? null }, reader),
        },
      },
    )}</div>
</div>`,
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
