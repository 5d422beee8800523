import { memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import {
  clockNow,
  type EntitlementRow,
  endHold,
  type HoldRow,
  type Item,
  insertEntitlement,
  insertHold,
  listHolds,
  listReaching,
  moveEntitlements,
  type Named,
  type NewEntitlement,
  type NewHold,
  revokeEntitlements,
  revokeSource,
} from './queries.ts'
import { type Access, accessAt } from './rules.ts'

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

const about = (memberId: string, named: Named | undefined) => ({
  member: toId('mem', memberId),
  ...(named === undefined ? {} : { item_type: named.type, item: named.id }),
})

/** Entitles a member to a thing or a bundle; gives what happened, or nothing when the same source gave it before. */
export const entitle = async (
  db: Db,
  school: School,
  now: Date,
  plan: Omit<NewEntitlement, 'id'>,
): Promise<Fact | undefined> => {
  const id = newUuid(now.getTime())
  if ((await insertEntitlement(db, school.id, { ...plan, id })) === 0) return undefined
  return {
    kind: 'entitlement.given',
    about: { entitlement: toId('ent', id), source: plan.source, ...about(plan.memberId, plan.named) },
    effects: { access: { en: 'Gives the person access', pt: 'Dá acesso à pessoa' } },
  }
}

const withdrawn = (ids: readonly string[]): Fact[] =>
  ids.map(id => ({
    kind: 'entitlement.withdrawn',
    about: { entitlement: toId('ent', id) },
    effects: {
      access: { en: 'Ends one reason for access; any other stays', pt: 'Termina uma razão de acesso; outras ficam' },
    },
  }))

/** Ends the named entitlements and no other; gives what happened. */
export const withdraw = async (db: Db, school: School, ids: readonly string[], reason?: string): Promise<Fact[]> =>
  withdrawn(await revokeEntitlements(db, school.id, ids, reason))

/** Ends what one source gave, and nothing another one did; gives what happened. */
export const withdrawSource = async (
  db: Db,
  school: School,
  of: Parameters<typeof revokeSource>[2],
  reason?: string,
): Promise<Fact[]> => withdrawn(await revokeSource(db, school.id, of, reason))

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
    about: { hold: toId('hld', id), reason: plan.reason, ...about(plan.memberId, plan.item) },
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
