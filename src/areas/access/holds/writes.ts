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

/** Holds the access of a member to a thing, or to all, until the hold is lifted or ends; gives the hold and the fact. */
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
    effects: { access: { en: 'Keeps the person out for now', pt: 'Impede o acesso da pessoa por agora' } },
  }
  return { id, hold, fact }
}

/** Lifts a hold and gives the fact; nothing happens to one that has ended. */
export const liftMemberHold = async (db: Db, school: School, id: string): Promise<Fact | undefined> =>
  (await endHold(db, school.id, id)) === 0
    ? undefined
    : {
        type: 'hold.lifted',
        payload: { hold: toId('hld', id) },
        effects: { access: { en: 'Lets the person in again', pt: 'Volta a dar acesso à pessoa' } },
      }
