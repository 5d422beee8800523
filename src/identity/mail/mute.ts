import type { Db } from '#src/contract/db.ts'
import { type MailChoice, marketing } from '#src/contract/mail.ts'
import type { School } from '#src/contract/school.ts'
import { recordWrite } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { keepConsents, turnOff } from './choices.queries.ts'

/**
 * Turns off the mails of a choice for a member, as somebody who has a mail asks for without signing in. It is recorded as a
 * change of the account; where nothing changes, nothing is recorded.
 */
export const muteMails = async (
  {
    db,
    school,
    now,
    requestId,
  }: { readonly db: Db; readonly school: School; readonly now: Date; readonly requestId: string },
  memberId: string,
  choice: MailChoice,
): Promise<void> => {
  const stored = await turnOff(db, school.id, memberId, choice)
  if (stored === undefined) return
  await keepConsents(db, school.id, [memberId])
  const id = toId('mem', memberId)
  const fields = [choice.key === marketing.key ? marketing.key : 'notifications']
  const change = { ids: [id], fields, revision: stored.revision, memberId }
  const fact = { type: 'member.updated' as const, payload: { member_id: id, fields } }
  const source = { schoolId: school.id, now, operation: 'updateAccount', requestId }
  await recordWrite(db, source, { changes: [change], facts: [fact] })
}
