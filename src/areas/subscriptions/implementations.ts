import { clockNow } from '#src/areas/access/index.ts'
import { subscriptionOrdered, trialDaysFor } from '#src/areas/checkouts/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { monthlyRevenue } from '#src/areas/membership-plans/index.ts'
import { isRenewal, subscriptionDisputeLost, subscriptionPaid } from '#src/areas/orders/index.ts'
import { currencyUses } from '#src/areas/school/index.ts'
import { type HookPlace, implement } from '#src/contract/hook.ts'
import { inUseOf } from '#src/contract/items.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { recordFacts } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { cancelNow } from './ending/writes.ts'
import { isRunning, subscribedPrefixes, subscriptionStatuses } from './rules.ts'
import { beginSubscription, startSubscription, trialFor } from './starting/writes.ts'
import type { SubscriptionRow } from './subscription/conditions.ts'
import { countInOtherCurrency, countRunningOf, listSubscriptionsOf, moveSubscriptions } from './subscription/queries.ts'
import { sumMonthlyRevenue } from './subscription/revenue.queries.ts'
import { lockSubscription, subscriptionFact, type Writing } from './subscription/writes.ts'

const mayEnd = (row: SubscriptionRow): boolean => isRunning(row) || row.status === 'incomplete'

// Nothing is charged for somebody who was erased; the payments area has the providers forget the methods.
const erase = async ({ db, school }: HookPlace, memberId: string): Promise<void> => {
  const where = { db, school, now: await clockNow(db) }
  for (const row of await listSubscriptionsOf(db, school.id, memberId, subscriptionStatuses)) {
    const locked = mayEnd(row) ? await lockSubscription(where, row.id) : undefined
    if (locked === undefined || !mayEnd(locked)) continue
    const { facts } = await cancelNow(where, locked, { by: {}, reason: 'erasure', orders: 'erasure' })
    await recordFacts(db, { schoolId: school.id, now: where.now }, facts)
  }
}

const key = ({ item_type, item_id }: SubscriptionRow): string => `${item_type} ${item_id}`

// Both subscriptions stay; staff decide which one goes on.
const merge = async ({ db, school }: HookPlace, fromId: string, intoId: string): Promise<void> => {
  await moveSubscriptions(db, school.id, fromId, intoId)
  const running = (await listSubscriptionsOf(db, school.id, intoId, subscriptionStatuses)).filter(isRunning)
  const twice = [...Map.groupBy(running, key).values()].filter(rows => rows.length > 1).map(rows => rows[0])
  const facts = twice.flatMap(row => (row === undefined ? [] : [subscriptionFact(row, 'paid_twice')]))
  await recordFacts(db, { schoolId: school.id, now: await clockNow(db) }, facts)
}

const loseDispute = async (where: Writing, subscriptionId: string | null) => {
  const row = subscriptionId === null ? undefined : await lockSubscription(where, subscriptionId)
  if (row === undefined || !mayEnd(row)) return []
  return (await cancelNow(where, row, { by: {}, reason: 'dispute' })).facts
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
  payments_made: row.payments_made,
  created_at: instant(row.created_at),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(trialDaysFor, trialFor),
  implement(subscriptionOrdered, beginSubscription),
  implement(subscriptionPaid, async ({ order, line, now }, place) =>
    isRenewal(order) ? [] : startSubscription({ ...place, now }, order, line),
  ),
  implement(subscriptionDisputeLost, ({ order, now }, place) => loseDispute({ ...place, now }, order.subscription_id)),
  implement(monthlyRevenue, ({ planIds }, { db, school }) => sumMonthlyRevenue(db, school.id, planIds)),
  implement(inUseOf, async (item, { db, school }) => {
    const count = await countRunningOf(db, school.id, item)
    return count === 0 ? [] : [{ kind: 'subscription', id: null, count }]
  }),
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'subscription', count: await countInOtherCurrency(db, school.id, currency) },
  ]),
  implement(memberErasure, ({ memberId }, place) => erase(place, memberId)),
  implement(memberMerge, async ({ fromId, intoId }, place) => merge(place, fromId, intoId)),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const rows = await listSubscriptionsOf(db, school.id, memberId, subscriptionStatuses)
    return [{ name: 'subscriptions', rows: rows.map(subscriptionData) }]
  }),
]
