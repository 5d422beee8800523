import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { fromId, isUuid, toId } from '#src/kit/ids.ts'
import { amountCell } from '#src/kit/money.ts'
import { periodList } from '../periods/queries.ts'
import { subscribedPrefixes } from '../rules.ts'
import { getSubscription } from './access.ts'
import { type SubscriptionFilter, type SubscriptionRow, subscriptionList } from './conditions.ts'
import { changeList } from './queries.ts'
import {
  type ListSubscriptionsParams,
  PartsQuery,
  Subscription,
  SubscriptionChangePage,
  SubscriptionPage,
  SubscriptionPeriodPage,
  SubscriptionRef,
  SubscriptionsQuery,
} from './schema.ts'
import { changeView, periodView, subscriptionView, subscriptionViews } from './views.ts'

// The id of an item is a UUID where it has the first of the prefixes.
const itemUuid = (id: string): string => {
  if (isUuid(id)) return id
  return (
    Object.values(subscribedPrefixes)
      .map(prefix => fromId(prefix, id))
      .find(uuid => uuid !== undefined) ?? id
  )
}

const readFilter = (query: ListSubscriptionsParams): SubscriptionFilter => ({
  memberId: query.member_id,
  itemType: query.item_type,
  itemId: query.item_id === undefined ? undefined : itemUuid(query.item_id),
  priceId: query.price_id,
  statuses: query['status[in]'],
  collection: query.collection,
  provider: query.provider,
  chargeFrom: query['next_charge_at[gte]'],
  chargeBefore: query['next_charge_at[lt]'],
  cancelFrom: query['cancel_at[gte]'],
  cancelBefore: query['cancel_at[lt]'],
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
})

const CELLS: Cells<SubscriptionRow> = {
  id: row => row.id,
  member_id: row => toId('mem', row.member_id),
  member_name: row => row.member_name,
  item_type: row => row.item_type,
  item_id: row => toId(subscribedPrefixes[row.item_type], row.item_id),
  name: row => row.name,
  status: row => row.status,
  collection: row => row.collection,
  provider: row => row.provider,
  amount: row => (row.price === null ? null : amountCell(row.price.amount, row.price.currency)),
  currency: row => row.price?.currency ?? null,
  interval: row => row.price?.interval ?? null,
  interval_count: row => row.price?.interval_count ?? null,
  payments_made: row => row.payments_made,
  started_at: row => row.started_at,
  next_charge_at: row => row.next_charge_at,
  cancel_at: row => row.cancel_at,
  created_at: row => row.created_at,
}

const listSubscriptions = declareFor('staff', 'subscriptions', {
  id: 'listSubscriptions',
  route: 'GET /subscriptions',
  summary: 'List subscriptions',
  description:
    'Lists the subscriptions of the school, newest first: what they are of, how they are paid, what they give and what they cost next.',
  query: SubscriptionsQuery,
  returns: SubscriptionPage,
  csv: {
    cells: CELLS,
    statement: ({ school, query }) => listStatement(subscriptionList(school.id, readFilter(query)), query.sort),
  },
  handle(context) {
    const { school, query } = context
    return readList(context, subscriptionList(school.id, readFilter(query)), rows => subscriptionViews(context, rows))
  },
})

/** A subscription of the demo data. */
export const anySubscription = { subscription_id: exampleFrom('sub', 'listSubscriptions') }

/** A subscription of the demo data that is charged to a saved payment method. */
export const chargedSubscription = {
  subscription_id: exampleFrom('sub', 'listSubscriptions', { having: { status: 'active', collection: 'automatic' } }),
}

const READS = ['getSubscription', 'listSubscriptionPeriods', 'listSubscriptionChanges']
const ENDING = ['cancelSubscription', 'undoSubscriptionCancellation']
const PAID = ['setSubscriptionCollection', 'setSubscriptionCode', 'removeSubscriptionCode']
const PLANNED = [...PAID, 'setSubscriptionNextCharge', 'setSubscriptionPrice']

// What staff can do in each status; the second list is for what is paid.
const ACTIONS: Partial<Record<SubscriptionRow['status'], readonly (readonly string[])[]>> = {
  incomplete: [['cancelSubscription'], []],
  trialing: [ENDING, PLANNED],
  active: [[...ENDING, 'pauseSubscription'], PLANNED],
  past_due: [ENDING, [...PAID, 'chargeSubscription']],
  paused: [[...ENDING, 'resumeSubscription'], PAID],
}

const listActions = ({ status, collection, price }: SubscriptionRow): string[] => {
  const [always = [], paid = []] = ACTIONS[status] ?? []
  const isPlan = price?.payment_type === 'payment_plan'
  // A payment plan is paid to its end.
  const more = collection === 'complimentary' ? [] : paid.filter(one => !isPlan || one !== 'setSubscriptionPrice')
  return [...READS, ...always, ...more]
}

const getOne = declareFor('staff', 'subscriptions', {
  id: 'getSubscription',
  route: 'GET /subscriptions/:subscription_id',
  summary: 'Get a subscription',
  description: 'Returns one subscription, by its id or as `external:` and its external id.',
  params: SubscriptionRef,
  returns: Subscription,
  example: { params: anySubscription },
  async handle(context) {
    const row = await getSubscription(context, context.params.subscription_id)
    return { ...(await subscriptionView(context, row)), allowed_actions: context.allowedActions(listActions(row)) }
  },
})

const listSubscriptionPeriods = declareFor('staff', 'subscriptions', {
  id: 'listSubscriptionPeriods',
  route: 'GET /subscriptions/:subscription_id/periods',
  summary: "List a subscription's periods",
  description:
    'Lists what was charged or is due, the latest period first, each with its order and how often it was charged.',
  params: SubscriptionRef,
  query: PartsQuery,
  returns: SubscriptionPeriodPage,
  example: { params: anySubscription },
  async handle(context) {
    const { id } = await getSubscription(context, context.params.subscription_id)
    return readList(context, periodList(context.school.id, id), rows => rows.map(periodView))
  },
})

const listSubscriptionChanges = declareFor('staff', 'subscriptions', {
  id: 'listSubscriptionChanges',
  route: 'GET /subscriptions/:subscription_id/changes',
  summary: "List a subscription's changes",
  description:
    'Lists what was changed of a subscription and by whom, the latest change first; `by` is null for the clock.',
  params: SubscriptionRef,
  query: PartsQuery,
  returns: SubscriptionChangePage,
  example: { params: anySubscription },
  async handle(context) {
    const { id } = await getSubscription(context, context.params.subscription_id)
    return readList(context, changeList(context.school.id, id), rows => rows.map(changeView))
  },
})

/** The operations that read subscriptions, in the order of the documentation. */
export const subscriptionOperations = [listSubscriptions, getOne, listSubscriptionPeriods, listSubscriptionChanges]
