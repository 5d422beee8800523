import type { FactHandler } from '#src/contract/fact.ts'
import { readReadingSettings, recordMail } from '#src/identity/index.ts'
import { formatTime } from '#src/kit/format.ts'
import { fromId } from '#src/kit/ids.ts'
import { accountMails } from '../mails.ts'
import { findDeletion } from './queries.ts'

/** Mails the person when their account will be deleted. */
export const onDeletionRequested: FactHandler<'account.deletion_requested'> = async (
  { payload },
  { db, school, now },
) => {
  const memberId = fromId('mem', payload.member_id)
  const row = memberId === undefined ? undefined : await findDeletion(db, school.id, memberId)
  if (row === undefined || memberId === undefined) return
  const { language, timeZone } = await readReadingSettings(db, school.id, memberId)
  const values = { due: formatTime(row.due_at, timeZone, language) }
  await recordMail(db, school.id, memberId, { kind: accountMails.deletion_begun, values }, now)
}
