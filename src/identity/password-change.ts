import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { endApprovalsUnderWay, endEveryApp } from './apps/index.ts'
import { endCodes } from './codes/index.ts'
import { deleteTrustedDevices } from './device.queries.ts'
import { identityMails, recordMail } from './mail/index.ts'
import { lockMember, replacePassword } from './queries.ts'
import { endOtherSessions } from './sessions.queries.ts'

/** A new password that replaces one that was checked. */
type PasswordChange = {
  readonly memberId: string
  /** The session that continues. */
  readonly sessionId: string
  /** The stored hash that the current password matched. */
  readonly proof: string
  readonly passwordHash: string
  readonly disconnectsApps: boolean
}

/**
 * Stores a member's new password, unless the old one was changed meanwhile: other sessions, pending authorizations,
 * codes and trusted devices of the member end; apps stay connected unless they are to be disconnected too.
 */
export const changePassword = async (db: Db, school: School, now: Date, change: PasswordChange): Promise<boolean> => {
  const { memberId, sessionId, proof, passwordHash, disconnectsApps } = change
  // This statement comes first: a sign-in with the old password either has locked the row, so its session is ended
  // below, or finds the password changed.
  if ((await replacePassword(db, school.id, memberId, { proof, passwordHash })) === 0) return false
  await lockMember(db, school.id, memberId)
  await endOtherSessions(db, school.id, memberId, sessionId)
  await endApprovalsUnderWay(db, school.id, memberId)
  await endCodes(db, school.id, memberId)
  await deleteTrustedDevices(db, school.id, memberId)
  if (disconnectsApps) await endEveryApp(db, school.id, memberId, now)
  const { password_changed, password_replaced } = identityMails
  await recordMail(db, school.id, memberId, { kind: disconnectsApps ? password_changed : password_replaced }, now)
  return true
}
