import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { endApprovalsUnderWay, endEveryApp } from './apps/index.ts'
import { endCodes } from './codes/index.ts'
import { recordMail } from './mail/index.ts'
import { forgetBrowsers, lockMember, replacePassword } from './queries.ts'
import { endOtherSessions } from './sessions.queries.ts'

/** A password that takes the place of one that was checked. */
export type PasswordChange = {
  readonly memberId: string
  /** The session that goes on. */
  readonly sessionId: string
  /** The stored password that was right. */
  readonly proof: string
  readonly passwordHash: string
  readonly disconnectsApps: boolean
}

/**
 * Stores a member's new password, unless the old one was changed meanwhile: other sessions end, and whatever waits for
 * this member, codes and known browsers; apps stay connected unless they are to be disconnected too.
 */
export const changePassword = async (db: Db, school: School, now: Date, change: PasswordChange): Promise<boolean> => {
  const { memberId, sessionId, proof, passwordHash, disconnectsApps } = change
  // First of all: a sign-in with the old password holds its row, and is waited for and ended below, or finds it changed.
  if ((await replacePassword(db, school.id, memberId, { proof, passwordHash })) === 0) return false
  await lockMember(db, school.id, memberId)
  await endOtherSessions(db, school.id, memberId, sessionId)
  await endApprovalsUnderWay(db, school.id, memberId)
  await endCodes(db, school.id, memberId)
  await forgetBrowsers(db, school.id, memberId)
  if (disconnectsApps) await endEveryApp(db, school.id, memberId, now)
  await recordMail(db, school.id, memberId, { kind: disconnectsApps ? 'password_changed' : 'password_replaced' }, now)
  return true
}
