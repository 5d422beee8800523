import { clockNow } from '#src/areas/learning/index.ts'
import { monthlyRevenue } from '#src/areas/memberships/membership-plans/index.ts'
import { takeRefunded } from '#src/areas/memberships/subscription-credits/index.ts'
import { type Departure, memberDeparture, memberRunning } from '#src/areas/people/index.ts'
import { currencyUses, providerNeeds } from '#src/areas/school/index.ts'
import {
  isRenewal,
  listLines,
  methodUses,
  type OrderRow,
  subscriptionDisputeLost,
  subscriptionOrdered,
  subscriptionPaid,
  subscriptionTrialEnd,
  trialDaysFor,
} from '#src/areas/shop/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { implement } from '#src/contract/hook.ts'
import { inUseOf } from '#src/contract/items.ts'
import { memberMerge, personalData } from '#src/contract/personal-data.ts'
import { recordFacts } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { cancelNow } from './ending/writes.ts'
import { isRunning, subscribedPrefixes, subscriptionStatuses } from './rules.ts'
import { beginSubscription, startSubscription, trialFor } from './starting/writes.ts'
import type { SubscriptionRow } from './subscription/conditions.ts'
import {
  countChargedThrough,
  countInOtherCurrency,
  countRunningSubscriptions,
  findSubscription,
  listMemberChanges,
  listMemberSubscriptions,
  listUses,
  moveSubscriptions,
} from './subscription/queries.ts'
import { sumMonthlyRevenue } from './subscription/revenue.queries.ts'
import { lockSubscription, schedule, subscriptionFact } from './subscription/writes.ts'

const mayEnd = (row: SubscriptionRow): boolean => isRunning(row) || row.status === 'incomplete'

const listEndable = async ({ db, school }: SchoolContext, memberId: string): Promise<SubscriptionRow[]> =>
  (await listMemberSubscriptions(db, school.id, memberId, subscriptionStatuses)).filter(mayEnd)

// Nothing is charged for somebody who was deleted or erased; the payments area has the providers forget the methods.
const endAll = async (context: TransactionContext, memberId: string, reason: Departure): Promise<readonly Fact[]> => {
  const all: Fact[] = []
  for (const { id } of await listEndable(context, memberId)) {
    const row = await lockSubscription(context, id)
    if (row !== undefined && mayEnd(row))
      all.push(...(await cancelNow(context, row, { by: {}, reason, orders: reason })).facts)
  }
  return all
}

const key = ({ item_type, item_id }: SubscriptionRow): string => `${item_type} ${item_id}`

// Both subscriptions stay; staff decide which one goes on. What waited for a suspended member goes on for one who is active.
const merge = async ({ db, school }: SchoolContext, fromId: string, intoId: string): Promise<void> => {
  const where = { db, school, now: await clockNow(db) }
  await moveSubscriptions(db, school.id, fromId, intoId)
  const running = (await listEndable(where, intoId)).filter(isRunning)
  for (const row of running) await schedule(where, row)
  const twice = [...Map.groupBy(running, key).values()].filter(rows => rows.length > 1).map(rows => rows[0])
  const facts = twice.flatMap(row => (row === undefined ? [] : [subscriptionFact(row, 'paid_twice')]))
  await recordFacts(db, { schoolId: school.id, now: where.now }, facts)
}

// The bank has paid back what was credited of the order.
const loseDispute = async (context: TransactionContext, order: OrderRow) => {
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  if (row === undefined) return []
  const lines = await listLines(context.db, context.school.id, [order.id])
  const parts = lines.map(line => ({ line, amount: line.amount - line.refunded_amount }))
  const taken = await takeRefunded(context, order, parts)
  if (!mayEnd(row)) return taken
  return [...taken, ...(await cancelNow(context, row, { by: {}, reason: 'dispute' })).facts]
}

const subscriptionData = (row: SubscriptionRow) => ({
  id: toId('sub', row.id),
  item_type: row.item_type,
  item: toId(subscribedPrefixes[row.item_type], row.item_id),
  name: row.name,
  status: row.status,
  collection: row.collection,
  amount: row.price?.amount ?? null,
  currency: row.price?.currency ?? null,
  started_at: instant(row.started_at),
  next_charge_at: instant(row.next_charge_at),
  canceled_at: instant(row.canceled_at),
  cancel_reason: row.cancel_reason,
  payments_made: row.payments_made,
  created_at: instant(row.created_at),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(trialDaysFor, trialFor),
  implement(subscriptionOrdered, beginSubscription),
  implement(subscriptionPaid, async ({ order, line, now }, context) =>
    isRenewal(order) ? [] : startSubscription({ ...context, now }, order, line),
  ),
  implement(subscriptionDisputeLost, ({ order, now }, context) => loseDispute({ ...context, now }, order)),
  implement(subscriptionTrialEnd, async ({ subscriptionId }, { db, school }) => {
    const row = await findSubscription(db, school.id, { id: subscriptionId })
    return row?.trial_end ?? null
  }),
  implement(monthlyRevenue, ({ planIds }, { db, school }) => sumMonthlyRevenue(db, school.id, planIds)),
  implement(inUseOf, async (item, { db, school }) => {
    const count = await countRunningSubscriptions(db, school.id, item)
    return count === 0 ? [] : [{ kind: 'subscription', id: null, count }]
  }),
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'subscription', count: await countInOtherCurrency(db, school.id, currency) },
  ]),
  implement(providerNeeds, async ({ provider }, { db, school }) => ({
    subscriptions: await countChargedThrough(db, school.id, provider),
  })),
  implement(methodUses, ({ memberId }, { db, school }) => listUses(db, school.id, memberId)),
  implement(memberRunning, async ({ memberId }, context) => ({
    subscriptions: (await listEndable(context, memberId)).length,
  })),
  implement(memberDeparture, ({ memberId, reason, now }, context) => endAll({ ...context, now }, memberId, reason)),
  implement(memberMerge, async ({ fromId, intoId }, context) => merge(context, fromId, intoId)),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const rows = await listMemberSubscriptions(db, school.id, memberId, subscriptionStatuses)
    const changes = await listMemberChanges(db, school.id, memberId)
    return [
      { name: 'subscriptions', rows: rows.map(subscriptionData) },
      {
        name: 'subscription_changes',
        rows: changes.map(({ subscription_id: id, type, created_at: at }) => ({
          subscription_id: toId('sub', id),
          type,
          created_at: instant(at),
        })),
      },
    ]
  }),
]
