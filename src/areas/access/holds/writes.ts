import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { namedPayload } from '../entitlements/writes.ts'
import type { HoldRow } from '../rules.ts'
import { endHold, insertHold, type NewHold } from './queries.ts'

const payloadOf = ({ memberId, item }: Pick<NewHold, 'memberId' | 'item'>) =>
  item === undefined
    ? { member: toId('mem', memberId) }
    : namedPayload({ member_id: memberId, item_type: item.type, item_id: item.id })

/**
 * Holds the access of a member to an item, or to everything, until the hold is lifted or ends; returns the hold and the
 * fact.
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
    payload: { hold: toId('hld', id), reason: plan.reason, ...payloadOf(plan) },
    effects: { access: { en: 'Pauses the access of the person', pt: 'Suspende o acesso da pessoa' } },
  }
  return { id, hold, fact }
}

/** Lifts a hold and returns the fact; does nothing to a hold that has ended. */
export const liftMemberHold = async (db: Db, school: School, id: string): Promise<Fact | undefined> =>
  (await endHold(db, school.id, id)) === 0
    ? undefined
    : {
        type: 'hold.lifted',
        payload: { hold: toId('hld', id) },
        effects: { access: { en: 'Gives the person access again', pt: 'Volta a dar acesso à pessoa' } },
      }
