import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type ActiveCode, type CodeBinding, endCodes, useCode } from './codes/index.ts'
import { comeBack } from './coming-back.ts'
import { deleteTrustedDevices } from './device.queries.ts'
import { identityMails, recordMail } from './mail/index.ts'
import { getMember, markVerified, storePassword } from './queries.ts'
import { endSessions } from './sessions.queries.ts'

/**
 * Stores a new password for the member who verified the address: the code is used up, and sessions, codes and trusted
 * devices of the member end. Undefined when the code was used meanwhile. The caller ends what the member allowed to
 * apps.
 */
export const completeReset = async (
  db: Db,
  school: School,
  now: Date,
  reset: { readonly place: CodeBinding; readonly code: ActiveCode; readonly passwordHash: string },
): Promise<string | undefined> => {
  const { place, code, passwordHash } = reset
  const memberId = code.member_id
  if (memberId === null || (await useCode(db, school.id, place, code.code_hash)) === 0) return undefined
  // This statement comes first: a sign-in with the old password either has locked the row, so its session is ended
  // below, or finds the password changed.
  await storePassword(db, school.id, memberId, passwordHash)
  await comeBack({ db, school, now }, await getMember(db, school.id, memberId), 'active')
  await markVerified(db, school.id, memberId, code.email)
  await endSessions(db, school.id, memberId)
  await endCodes(db, school.id, memberId)
  await deleteTrustedDevices(db, school.id, memberId)
  await recordMail(db, school.id, memberId, { kind: identityMails.password_changed }, now)
  return memberId
}
