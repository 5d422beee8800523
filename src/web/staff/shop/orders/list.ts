import { OrderPage, shownStatuses } from '#src/areas/shop/index.ts'
import { listProviderTitles } from '#src/contract/payment-providers.ts'
import { type Html, html } from '#src/kit/html.ts'
import { daysAfter, isDay } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, dayStart, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { pill, statusPill } from '../../console/frame.ts'
import { renderPart, showList } from '../../pages/list-page.ts'
import { formatBuyer, formatPayer, formatStatus, type OrderShown } from './shown.ts'
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
    none: text.none,
    empty: text.empty,
  },
})

/** The status of an order with its color. */
export const orderStatusPill = (order: OrderShown, context: StaffContext): Html => {
  if (order.dispute?.state === 'open') return pill(context.t(common.disputed), 'bad')
  return statusPill(formatStatus(order, context), order.status)
}

const buildColumns = (context: StaffContext): Column<OrderShown>[] => {
  const { money } = context
  return [
    {
      name: texts.words.order,
      kind: 'main',
      cell: order =>
        renderName(
          `${PATH}/${order.number}`,
          order.number,
          html`<a href="/staff/people/${order.member.id}">${formatBuyer(order, context)}</a>`,
        ),
    },
    {
      name: text.bought,
      kind: 'low',
      cell: ({ lines }) => html`<bdi>${lines.map(({ name }) => name).join(', ')}</bdi>`,
    },
    { name: texts.words.status, cell: order => orderStatusPill(order, context) },
    { name: text.provider, kind: 'low', cell: order => formatPayer(order, context) },
    momentColumn(context, { name: texts.words.date, sort: '-created_at', at: ({ created_at }) => created_at }),
    {
      name: texts.words.amount,
      kind: 'num c-lead',
      sort: '-total',
      cell: ({ total, currency }) => money(total, currency),
    },
  ]
}

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
      return renderPart(context, {
        id: kind,
        title,
        link:
          href !== undefined && html`<a href="${href}" aria-label="${t(text.seeAll)}: ${title}">${t(text.seeAll)}</a>`,
        columns: buildColumns(context),
        rows: waiting[kind],
        below: kind === 'notGiven' && t(text.untilNoted),
      })
    })
}

/** GET /staff/orders. */
export const orderList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, parts, person } = context
    const shown = await list.read(context)
    const waiting = shown.given.length > 0 ? undefined : await waitingFor(parts.performAs, person)
    const listed = showList(context, list, shown, {
      columns: buildColumns(context),
      rows: shown.page.data,
      action: html`<a class="button main" href="${PATH}/record">${t(common.record)}</a>`,
    })
    return context.frame({
      title: t(common.title),
      ...listed,
      body: html`${waiting !== undefined && renderWaiting(waiting, context)}${listed.body}`,
    })
  }),
]
