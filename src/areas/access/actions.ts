import { holdsOf } from '#src/areas/courses/index.ts'
import { groupJoined, groupLeft } from '#src/areas/groups/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { implement } from '#src/contract/hook.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { endHold, type HoldRow, insertHold, listHolds, listHoldsOf, type NewHold } from './holds.queries.ts'
import {
  forgetEntitled,
  insertEntitlements,
  moveEnds,
  moveEntitlements,
  type NewEnd,
  type NewEntitlement,
  revokeEntitlements,
  revokeSource,
  type Touched,
} from './ledger.queries.ts'
import {
  clockNow,
  countEntitled,
  type EntitlementRow,
  type Item,
  listReaching,
  listReachingMany,
  type Pair,
} from './queries.ts'
import { accessChanged } from './questions.ts'
import { type Access, accessAt, prefixOf } from './rules.ts'

/** Whether a member may use a thing at an instant, with all it was decided from. */
export type Explained = {
  readonly at: Date
  readonly access: Access
  readonly entitlements: readonly EntitlementRow[]
  readonly holds: readonly HoldRow[]
}

/** Whether a member may use a thing at an instant; unset: now, by the database's clock. */
export const accessOf = async (
  db: Db,
  schoolId: string,
  { memberId, item, at }: { readonly memberId: string; readonly item: Item; readonly at?: Date | undefined },
): Promise<Explained> => {
  const [entitlements, holds, now] = await Promise.all([
    listReaching(db, schoolId, memberId, item),
    listHolds(db, schoolId, memberId, item),
    clockNow(db),
  ])
  const instant = at ?? now
  return { at: instant, access: accessAt(entitlements, holds, instant), entitlements, holds }
}

type Where = { readonly db: Db; readonly school: School; readonly now: Date }

const tell = async ({ db, school, now }: Where, entitlements: readonly Touched[]): Promise<void> => {
  if (entitlements.length > 0) await accessChanged.call({ entitlements, now }, { db, school })
}

const about = ({ member_id, item_type, item_id }: Pick<Touched, 'member_id' | 'item_type' | 'item_id'>) => ({
  member: toId('mem', member_id),
  item_type,
  item: toId(prefixOf(item_type), item_id),
})

const given = (one: Touched): Fact => ({
  type: 'entitlement.granted',
  payload: { entitlement: toId('ent', one.id), source: one.source, ...about(one) },
  effects: { access: { en: 'Gives the person access', pt: 'Dá acesso à pessoa' } },
})

/** Entitles members to things or bundles, in one statement; gives what happened, nothing for what a source gave before. */
export const entitleAll = async (
  where: Where,
  plans: readonly Omit<NewEntitlement, 'id'>[],
): Promise<{ readonly entitlements: readonly Touched[]; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = where
  const made = plans.map(plan => ({ ...plan, id: newUuid(now.getTime()) }))
  const entitlements = await insertEntitlements(db, school.id, made)
  await tell(where, entitlements)
  return { entitlements, facts: entitlements.map(given) }
}

/** Entitles a member to a thing or a bundle; gives what happened, or nothing when the same source gave it before. */
export const entitle = async (
  db: Db,
  school: School,
  now: Date,
  plan: Omit<NewEntitlement, 'id'>,
): Promise<Fact | undefined> => (await entitleAll({ db, school, now }, [plan])).facts[0]

const withdrawn = async (where: Where, ended: readonly Touched[]): Promise<Fact[]> => {
  await tell(where, ended)
  return ended.map(one => ({
    type: 'entitlement.revoked',
    payload: { entitlement: toId('ent', one.id), source: one.source, ...about(one) },
    effects: {
      access: { en: 'Ends one reason for access; any other stays', pt: 'Termina uma razão de acesso; outras ficam' },
    },
  }))
}

/** Ends the named entitlements and no other; gives what happened. */
export const revoke = async (where: Where, ids: readonly string[], reason?: string): Promise<Fact[]> =>
  withdrawn(where, await revokeEntitlements(where.db, where.school.id, ids, reason))

/** Ends what one source gave, and nothing another one did; gives what happened. */
export const revokeSourceAccess = async (
  where: Where,
  of: Parameters<typeof revokeSource>[2],
  reason?: string,
): Promise<Fact[]> => withdrawn(where, await revokeSource(where.db, where.school.id, of, reason))

/** Moves the ends of entitlements that have not ended, and of no other; gives what happened. */
export const changeEnds = async (where: Where, ends: readonly NewEnd[]): Promise<Fact[]> => {
  const moved = await moveEnds(where.db, where.school.id, ends)
  await tell(where, moved)
  return moved.map(one => ({
    type: 'entitlement.updated',
    payload: { entitlement: toId('ent', one.id), source: one.source, ...about(one) },
    effects: {
      access: { en: 'Moves the end of one reason for access', pt: 'Altera o fim de uma razão de acesso' },
    },
  }))
}

const aboutHold = ({ memberId, item }: Pick<NewHold, 'memberId' | 'item'>) =>
  item === undefined
    ? { member: toId('mem', memberId) }
    : about({ member_id: memberId, item_type: item.type, item_id: item.id })

/** Keeps a member from a thing, or from all, until the hold is lifted or ends; gives its id and what happened. */
export const placeMemberHold = async (
  db: Db,
  school: School,
  now: Date,
  plan: Omit<NewHold, 'id'>,
): Promise<{ readonly id: string; readonly fact: Fact }> => {
  const id = newUuid(now.getTime())
  await insertHold(db, school.id, { ...plan, id })
  const fact: Fact = {
    type: 'hold.placed',
    payload: { hold: toId('hld', id), reason: plan.reason, ...aboutHold(plan) },
    effects: { access: { en: 'Keeps the person out for now', pt: 'Impede o acesso da pessoa por agora' } },
  }
  return { id, fact }
}

/** Lifts a hold; nothing happens to one that has ended. */
export const liftMemberHold = async (db: Db, school: School, id: string): Promise<Fact | undefined> =>
  (await endHold(db, school.id, id)) === 0
    ? undefined
    : {
        type: 'hold.lifted',
        payload: { hold: toId('hld', id) },
        effects: { access: { en: 'Lets the person in again', pt: 'Volta a dar acesso à pessoa' } },
      }

/** The name of a pair in what `accessesOf` gives. */
export const nameOfPair = ({ memberId, itemId }: Pair): string => `${memberId} ${itemId}`

/** Whether each of many members may use each thing of one kind now, with all it was decided from; two statements for all. */
export const accessesOf = async (
  db: Db,
  schoolId: string,
  type: Item['type'],
  pairs: readonly Pair[],
): Promise<ReadonlyMap<string, Explained>> => {
  if (pairs.length === 0) return new Map()
  const memberIds = [...new Set(pairs.map(({ memberId }) => memberId))]
  const [reaching, holds, at] = await Promise.all([
    listReachingMany(db, schoolId, type, pairs),
    listHoldsOf(db, schoolId, memberIds),
    clockNow(db),
  ])
  const byPair = Map.groupBy(reaching, one => nameOfPair({ memberId: one.member_id, itemId: one.reached_id }))
  return new Map(
    pairs.map(pair => {
      const entitlements = byPair.get(nameOfPair(pair)) ?? []
      const own = holds.filter(
        one =>
          one.member_id === pair.memberId &&
          (one.item_type === null || (one.item_type === type && one.item_id === pair.itemId)),
      )
      return [nameOfPair(pair), { at, access: accessAt(entitlements, own, at), entitlements, holds: own }] as const
    }),
  )
}

const ofGroup = (groupId: string) => ({ source: 'group', sourceId: groupId }) as const

/** What this area does when hooks of earlier areas are called. */
export const accessHooks = [
  implement(groupJoined, async ({ groupId, memberIds, now }, where) => {
    const named = { type: 'group', id: groupId } as const
    await entitleAll(
      { ...where, now },
      memberIds.map(memberId => ({ memberId, named, ...ofGroup(groupId) })),
    )
  }),
  implement(groupLeft, async ({ groupId, memberIds, now }, where) => {
    await revokeSourceAccess({ ...where, now }, { ...ofGroup(groupId), memberIds })
  }),
  implement(memberMerge, ({ fromId, intoId }, { school, db }) => moveEntitlements(db, school.id, fromId, intoId)),
  implement(memberErasure, async ({ memberId }, { school, db }) => {
    await tell({ db, school, now: await clockNow(db) }, await forgetEntitled(db, school.id, memberId))
  }),
  implement(holdsOf, async ({ courseId }, { school, db }) => {
    const counts = await countEntitled(db, school.id, 'course', [courseId])
    return counts.get(courseId) ?? 0
  }),
]
