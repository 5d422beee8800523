import { OrderPage, shownStatuses } from '#src/areas/shop/index.ts'
import { listProviderTitles } from '#src/contract/payment-providers.ts'
import { type Html, html } from '#src/kit/html.ts'
import { daysAfter, isDay } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, dayStart, page, renderTable } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { type PillKind, pill } from '../../console/frame.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { formatBuyer, formatStatus, type OrderShown } from './shown.ts'
import { type Waiting, waitingFor } from './waiting.ts'

const { common, list: text } = texts.staff.orders

const PATH = '/staff/orders'

const list = createList({
  path: PATH,
  operation: 'listOrders',
  returns: OrderPage,
  sort: '-created_at',
  filters: {
    q: 'search',
    status: Object.fromEntries(shownStatuses.map(one => [one, common.statuses[one]])),
    provider: listProviderTitles(),
    refunded: { true: text.withRefunds, false: text.withoutRefunds },
    disputed: { true: text.openDispute },
    from: 'day',
    until: 'day',
  },
  asQuery: {
    status: value => [['status[in]', value]],
    from: (value, { viewer }) => (isDay(value) ? [['created_at[gte]', dayStart(value, viewer)]] : []),
    until: (value, { viewer }) => (isDay(value) ? [['created_at[lt]', dayStart(daysAfter(value, 1), viewer)]] : []),
  },
  texts: {
    filters: {
      q: text.search,
      status: text.status,
      provider: text.provider,
      refunded: text.refunded,
      disputed: text.disputed,
      from: text.from,
      until: text.until,
    },
    all: text.all,
    found: texts.words.found,
    none: text.none,
    empty: text.empty,
  },
})

const KINDS: Partial<Record<OrderShown['status'], PillKind>> = {
  paid: 'good',
  pending: 'warn',
  refunded: 'plain',
  partially_refunded: 'info',
}

/** The status of an order with its color. */
export const orderStatusPill = (order: OrderShown, context: StaffContext): Html => {
  if (order.dispute?.state === 'open') return pill(context.t(common.disputed), 'bad')
  return pill(formatStatus(order, context), KINDS[order.status])
}

const buildColumns = (context: StaffContext): Column<OrderShown>[] => {
  const { money, day } = context
  return [
    {
      name: texts.words.order,
      kind: 'main',
      cell: order =>
        html`<a href="${PATH}/${order.number}"><bdi>${order.number}</bdi></a><small class="sub"><a href="/staff/people/${order.member.id}"><bdi>${formatBuyer(order, context)}</bdi></a></small>`,
    },
    {
      name: text.bought,
      kind: 'low',
      cell: ({ lines }) => html`<bdi>${lines.map(({ name }) => name).join(', ')}</bdi>`,
    },
    { name: texts.words.status, cell: order => orderStatusPill(order, context) },
    { name: texts.words.date, kind: 'date', sort: '-created_at', cell: ({ created_at }) => day(created_at) },
    {
      name: texts.words.amount,
      kind: 'num c-lead',
      sort: '-total',
      cell: ({ total, currency }) => money(total, currency),
    },
  ]
}

const renderOrders = (orders: readonly OrderShown[], context: StaffContext, caption: string): Html =>
  renderTable(context, { caption, columns: buildColumns(context), rows: orders })

const seeAll: Partial<Record<keyof Waiting, string>> = {
  transfers: `${PATH}?status=pending&provider=manual`,
  disputes: `${PATH}?disputed=true`,
}

const renderWaiting = (waiting: Waiting, context: StaffContext): Html[] => {
  const { t } = context
  const kinds = ['transfers', 'disputes', 'failedRefunds', 'notGiven'] as const
  return kinds
    .filter(kind => waiting[kind].length > 0)
    .map(kind => {
      const title = t(text.waiting[kind])
      const href = seeAll[kind]
      return html`<section class="card flush">
<header><h2>${title}</h2>${href !== undefined && html`<a href="${href}" aria-label="${t(text.seeAll)}: ${title}">${t(text.seeAll)}</a>`}</header>
${renderOrders(waiting[kind], context, title)}
${kind === 'notGiven' && html`<footer class="quiet">${t(text.untilNoted)}</footer>`}
</section>
`
    })
}

/** GET /staff/orders, and the same list as CSV. */
export const orderList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, parts, person } = context
    const shown = await list.read(context)
    const waiting = shown.given.length > 0 ? undefined : await waitingFor(parts.performAs, person)
    const orders = shown.page.data
    return context.frame({
      title: t(common.title),
      actions: html`<a class="button main" href="${PATH}/record">${t(common.record)}</a>`,
      isWide: true,
      hasCards: true,
      body: html`${waiting !== undefined && renderWaiting(waiting, context)}${list.table(context, shown, {
        columns: buildColumns(context),
        rows: orders,
        below: orders.length > 0 && csvLinks(list.csvPath(shown), context),
      })}`,
    })
  }),
  page(`GET ${PATH}/csv`, staff, context =>
    exportList(context, { operation: 'listOrders', query: list.queryFor(context) }),
  ),
]
