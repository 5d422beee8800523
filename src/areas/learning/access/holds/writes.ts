import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { namedPayload } from '../entitlements/writes.ts'
import type { HoldRow } from '../rules.ts'
import { endHolds, type HeldSource, insertHold, lockHoldsOn, type NewHold } from './queries.ts'

const buildPayload = ({ memberId, on }: Pick<NewHold, 'memberId' | 'on'>) => {
  if (on === undefined) return { member_id: toId('mem', memberId) }
  if ('source' in on) return { member_id: toId('mem', memberId), source: on.source }
  return namedPayload({ member_id: memberId, item_type: on.type, item_id: on.id })
}

const pausesAll = texts.learning.access.holds.writes.pausesAll

const pausesSource = texts.learning.access.holds.writes.pausesSource

/**
 * Holds the access of a member to an item or to everything, or what one source gave them, until the hold is lifted or
 * ends; returns the hold and the fact.
 */
export const placeMemberHold = async (
  db: Db,
  school: School,
  now: Date,
  plan: Omit<NewHold, 'id'>,
): Promise<{ readonly id: string; readonly hold: HoldRow; readonly fact: Fact }> => {
  const id = newUuid(now.getTime())
  const hold = await insertHold(db, school.id, { ...plan, id })
  const fact: Fact = {
    type: 'hold.placed',
    payload: { hold_id: toId('hld', id), reason: plan.reason, ...buildPayload(plan) },
    effects: { access: hold.source === null ? pausesAll : pausesSource },
  }
  return { id, hold, fact }
}

const lifted = ({ id, member_id }: { readonly id: string; readonly member_id: string }): Fact => ({
  type: 'hold.lifted',
  payload: { hold_id: toId('hld', id), member_id: toId('mem', member_id) },
  effects: texts.learning.access.holds.writes.lifted.effects,
})

/** Lifts a hold and returns the fact; does nothing to a hold that has ended. */
export const liftMemberHold = async (db: Db, school: School, id: string): Promise<Fact | undefined> =>
  (await endHolds(db, school.id, [id])).map(lifted)[0]

/**
 * Lifts the holds on a source, those with a reason if one is given, and returns the facts; none for holds that have
 * ended. Called twice it lifts once.
 */
export const liftSource = async (db: Db, school: School, held: HeldSource): Promise<Fact[]> => {
  // The clock of the next statement is read after the wait for another transaction that lifts them.
  const ids = await lockHoldsOn(db, school.id, held)
  return ids.length === 0 ? [] : (await endHolds(db, school.id, ids)).map(lifted)
}
