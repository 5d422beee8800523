import type { Static } from 'typebox'
import { SubscriptionPage } from '#src/areas/memberships/index.ts'
import { OrderPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, page, renderTable } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { type PillKind, pill } from '../../console/frame.ts'
import { orderStatusPill } from '../../shop/orders/list.ts'
import type { OrderShown } from '../../shop/orders/shown.ts'
import { addressWith } from '../../teaching/lists.ts'
import { framePerson } from './frame.ts'
import { buildQuery, type Person, personPath, readPerson, showShortDay } from './read.ts'

const text = texts.staff.personPage
const { common } = texts.staff.subscriptions

type Subscription = Encoded<Static<typeof SubscriptionPage>>['data'][number]

const KINDS: Partial<Record<Subscription['status'], PillKind>> = {
  active: 'good',
  trialing: 'info',
  past_due: 'bad',
  paused: 'warn',
  incomplete: 'warn',
}

const buildColumns = (context: StaffContext): Column<OrderShown>[] => {
  const { money } = context
  return [
    {
      name: texts.words.order,
      kind: 'main',
      cell: ({ number }) => html`<a href="/staff/orders/${number}"><bdi>${number}</bdi></a>`,
    },
    { name: text.bought, cell: ({ lines }) => html`<bdi>${lines.map(({ name }) => name).join(', ')}</bdi>` },
    { name: texts.words.status, cell: order => orderStatusPill(order, context) },
    { name: texts.words.date, kind: 'date', cell: ({ created_at }) => showShortDay(context, created_at) },
    { name: texts.words.amount, kind: 'num c-lead', cell: ({ total, currency }) => money(total, currency) },
  ]
}

const formatSpent = ({ spent = [] }: Person, { t, money }: StaffContext): string =>
  spent.length === 0 ? '' : t(text.inAll, { amount: spent.map(one => money(one.amount, one.currency)).join(', ') })

const formatTerms = (
  { next_amount: amount, next_charge_at: at, price }: Subscription,
  context: StaffContext,
): string => {
  const { t, money, day } = context
  if (amount === null || at === null || price === null) return ''
  return t(text.renews, { amount: money(amount, price.currency), day: day(at) })
}

/** Reads the orders and the subscriptions of a member. */
export const readPurchases = async ({ call }: StaffContext, id: string, limit: number, cursor?: string) => {
  const [orders, subscriptions] = await Promise.all([
    call({ operation: 'listOrders', query: buildQuery(id, limit, cursor), returns: OrderPage }),
    call({ operation: 'listSubscriptions', query: buildQuery(id, 20), returns: SubscriptionPage }),
  ])
  return { orders, subscriptions: subscriptions.data }
}

type Purchases = Awaited<ReturnType<typeof readPurchases>>

const renderSubscription = (one: Subscription, context: StaffContext): Html =>
  html`<footer class="row"><a href="/staff/subscriptions/${one.id}"><bdi>${one.item.name}</bdi></a> ${pill(context.t(common.statuses[one.status]), KINDS[one.status])} <span class="quiet">${formatTerms(one, context)}</span></footer>
`

/** The orders and the subscriptions of a member in a card. */
export const purchasesCard = ({ orders, subscriptions }: Purchases, person: Person, context: StaffContext): Html => {
  const { t } = context
  const path = `${personPath(person.id)}/orders`
  const next = orders.next_cursor
  return html`<section class="card flush">
<header><h2>${t(text.purchases)}</h2><span class="quiet">${formatSpent(person, context)}</span></header>
${orders.data.length === 0 ? html`<div class="empty"><p>${t(text.noOrders)}</p></div>` : renderTable(context, { caption: t(texts.words.orders), columns: buildColumns(context), rows: orders.data })}
${subscriptions.map(one => renderSubscription(one, context))}${next !== undefined && html`<div class="pages"><a class="button small" rel="next" href="${addressWith(path, { cursor: next })}">${t(texts.words.nextPage)}</a></div>`}
</section>
`
}

/** GET /staff/people/:id/orders: what a member bought and pays again. */
export const ordersPart = page('GET /staff/people/:id/orders', staff, async context => {
  const person = await readPerson(context)
  const purchases = await readPurchases(context, person.id, 50, context.query.get('cursor') ?? '')
  return framePerson(context, person, 'orders', { body: purchasesCard(purchases, person, context) })
})
