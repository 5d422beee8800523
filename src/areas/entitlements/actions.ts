import { memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import {
  clockNow,
  countEntitled,
  type EntitlementRow,
  endHold,
  type HoldRow,
  type Item,
  insertEntitlements,
  insertHold,
  listEntitlementsOf,
  listHolds,
  listHoldsOf,
  listReaching,
  moveEnd,
  moveEntitlements,
  type NewEntitlement,
  type NewHold,
  revokeEntitlements,
  revokeSource,
  type Touched,
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

/** Whether a member may use a course now, by the database's clock. */
export const mayUseNow = async (db: Db, schoolId: string, memberId: string, courseId: string): Promise<boolean> =>
  (await accessOf(db, schoolId, { memberId, item: { type: 'course', id: courseId } })).access.state === 'active'

/** Whether a member may use a course, or could once; what is yet to begin does not count. */
export const couldEverUse = async (db: Db, schoolId: string, memberId: string, courseId: string): Promise<boolean> => {
  const { access } = await accessOf(db, schoolId, { memberId, item: { type: 'course', id: courseId } })
  return access.state !== 'none' && access.state !== 'upcoming'
}

/** How many seats of courses are taken, each counted up to a number. */
export const countSeats = async (
  db: Db,
  schoolId: string,
  most: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    await Promise.all(
      [...most].map(async ([id, up]) => [id, await countEntitled(db, schoolId, { type: 'course', id }, up)] as const),
    ),
  )

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** What a member was ever entitled to and kept from; what staff noted beside a hold is theirs. */
export const personalAccess = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const [given, held] = await Promise.all([
    listEntitlementsOf(db, school.id, memberId),
    listHoldsOf(db, school.id, memberId),
  ])
  const entitlements = given.map(one => ({
    ...{ id: toId('ent', one.id), item_type: one.item_type, item_id: toId(prefixOf(one.item_type), one.item_id) },
    ...{ source: one.source, starts_at: instant(one.starts_at), ends_at: instant(one.ends_at) },
    revoked_at: instant(one.revoked_at),
  }))
  const holds = held.map(({ id, reason, starts_at, ends_at }) => ({
    ...{ id: toId('hld', id), reason, starts_at: instant(starts_at), ends_at: instant(ends_at) },
  }))
  return [
    { name: 'entitlements', rows: entitlements },
    { name: 'holds', rows: holds },
  ]
}

type Where = { readonly db: Db; readonly school: School; readonly now: Date }

const tell = async ({ db, school, now }: Where, entitlements: readonly Touched[]): Promise<void> => {
  if (entitlements.length > 0) await accessChanged.ask({ entitlements, now }, { db, school })
}

const about = ({ member_id, item_type, item_id }: Pick<Touched, 'member_id' | 'item_type' | 'item_id'>) => ({
  member: toId('mem', member_id),
  item_type,
  item: toId(prefixOf(item_type), item_id),
})

const given = (one: Touched): Fact => ({
  kind: 'entitlement.given',
  about: { entitlement: toId('ent', one.id), source: one.source, ...about(one) },
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
    kind: 'entitlement.withdrawn',
    about: { entitlement: toId('ent', one.id), source: one.source, ...about(one) },
    effects: {
      access: { en: 'Ends one reason for access; any other stays', pt: 'Termina uma razão de acesso; outras ficam' },
    },
  }))
}

/** Ends the named entitlements and no other; gives what happened. */
export const withdraw = async (where: Where, ids: readonly string[], reason?: string): Promise<Fact[]> =>
  withdrawn(where, await revokeEntitlements(where.db, where.school.id, ids, reason))

/** Ends what one source gave, and nothing another one did; gives what happened. */
export const withdrawSource = async (
  where: Where,
  of: Parameters<typeof revokeSource>[2],
  reason?: string,
): Promise<Fact[]> => withdrawn(where, await revokeSource(where.db, where.school.id, of, reason))

/** Moves the end of one entitlement; gives what happened, or nothing when it has ended or would end before it begins. */
export const changeEnd = async (where: Where, id: string, endsAt: Date | null): Promise<Fact | undefined> => {
  const moved = await moveEnd(where.db, where.school.id, id, endsAt)
  if (moved === undefined) return undefined
  await tell(where, [moved])
  return {
    kind: 'entitlement.end_moved',
    about: { entitlement: toId('ent', id), source: moved.source, ...about(moved) },
    effects: {
      access: { en: 'Moves the end of one reason for access', pt: 'Altera o fim de uma razão de acesso' },
    },
  }
}

const aboutHold = ({ memberId, item }: Pick<NewHold, 'memberId' | 'item'>) =>
  item === undefined
    ? { member: toId('mem', memberId) }
    : about({ member_id: memberId, item_type: item.type, item_id: item.id })

/** Keeps a member from a thing, or from all, until the hold is lifted or ends; gives its id and what happened. */
export const keepOut = async (
  db: Db,
  school: School,
  now: Date,
  plan: Omit<NewHold, 'id'>,
): Promise<{ readonly id: string; readonly fact: Fact }> => {
  const id = newUuid(now.getTime())
  await insertHold(db, school.id, { ...plan, id })
  const fact: Fact = {
    kind: 'hold.placed',
    about: { hold: toId('hld', id), reason: plan.reason, ...aboutHold(plan) },
    effects: { access: { en: 'Keeps the person out for now', pt: 'Impede o acesso da pessoa por agora' } },
  }
  return { id, fact }
}

/** Lifts a hold; nothing happens to one that has ended. */
export const letIn = async (db: Db, school: School, id: string): Promise<Fact | undefined> =>
  (await endHold(db, school.id, id)) === 0
    ? undefined
    : {
        kind: 'hold.lifted',
        about: { hold: toId('hld', id) },
        effects: { access: { en: 'Lets the person in again', pt: 'Volta a dar acesso à pessoa' } },
      }

/** Answers what the members' room asks: of two accounts that become one, the entitlements go along. */
export const answerMembers = (): void => {
  memberMerge.answer('entitlements', ({ fromId, intoId }, { school, db }) =>
    moveEntitlements(db, school.id, fromId, intoId),
  )
}
