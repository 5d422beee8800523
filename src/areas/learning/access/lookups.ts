import type { Db } from '#src/contract/db.ts'
import * as entitlements from './entitlements/queries.ts'
import * as holds from './holds/queries.ts'
import { type Access, accessAt, type EntitlementRow, type HoldRow, type Item, isHoldFor, type Pair } from './rules.ts'

/** The instant of the database's clock. */
export const clockNow = entitlements.clockNow

/** How many members who were not deleted may use each of some items now or later. */
export const countEntitled = entitlements.countEntitled

/** An entitlement by its id, with whether it has ended. */
export const findEntitlement = entitlements.findEntitlement

/** Whether the school ended a member's access to an item and has not given it again. */
export const isEndedBySchool = entitlements.isEndedBySchool

/** Whether a member is entitled to one of some items or bundles now, or to any of a type. */
export const isEntitledTo = entitlements.isEntitledTo

/** The active holds that staff placed on an item or on everything. */
export const listActiveHolds = holds.listActiveHolds

/** Whether a member may use an item at an instant, with everything that decided it. */
export type Explained = {
  readonly at: Date
  readonly access: Access
  readonly entitlements: readonly EntitlementRow[]
  readonly holds: readonly HoldRow[]
}

// Holds on a source count where it gave something.
const explainedAt = (at: Date, entitlements: readonly EntitlementRow[], allHolds: readonly HoldRow[]): Explained => {
  const holds = allHolds.filter(hold => hold.source === null || entitlements.some(one => isHoldFor(hold, one)))
  return { at, access: accessAt(entitlements, holds, at), entitlements, holds }
}

/** Whether a member may use an item at an instant, by default now by the database's clock. */
export const readAccess = async (
  db: Db,
  schoolId: string,
  { memberId, item, at }: { readonly memberId: string; readonly item: Item; readonly at?: Date | undefined },
): Promise<Explained> => {
  const [reaching, held, instant] = await Promise.all([
    entitlements.listReaching(db, schoolId, memberId, item),
    holds.listHolds(db, schoolId, memberId, item),
    at ?? clockNow(db),
  ])
  return explainedAt(instant, reaching, held)
}

const isOn = (one: HoldRow, type: Item['type'], { memberId, itemId }: Pair): boolean =>
  one.member_id === memberId && (one.item_type === null || (one.item_type === type && one.item_id === itemId))

/** The key of a pair in the result of readAccesses. */
export const nameOfPair = ({ memberId, itemId }: Pair): string => `${memberId} ${itemId}`

/**
 * Whether each of many members may use each item of one type now, with everything that decided it; in two statements.
 */
export const readAccesses = async (
  db: Db,
  schoolId: string,
  type: Item['type'],
  pairs: readonly Pair[],
): Promise<ReadonlyMap<string, Explained>> => {
  if (pairs.length === 0) return new Map()
  const memberIds = [...new Set(pairs.map(({ memberId }) => memberId))]
  const [reaching, held, at] = await Promise.all([
    entitlements.listReachingMany(db, schoolId, type, pairs),
    holds.listMemberHolds(db, schoolId, memberIds),
    clockNow(db),
  ])
  const byPair = Map.groupBy(reaching, one => nameOfPair({ memberId: one.member_id, itemId: one.reached_id }))
  return new Map(
    pairs.map(pair => {
      const own = held.filter(one => isOn(one, type, pair))
      return [nameOfPair(pair), explainedAt(at, byPair.get(nameOfPair(pair)) ?? [], own)] as const
    }),
  )
}
