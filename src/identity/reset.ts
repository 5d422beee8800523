import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  type ActiveCode,
  CODE_SECONDS,
  type CodeBinding,
  type CodeParts,
  consumeCode,
  endCodes,
  issueCode,
  useCode,
} from './codes/index.ts'
import { comeBack, mayComeBack } from './coming-back.ts'
import { deleteTrustedDevices } from './device.queries.ts'
import { identityMails, recordMail, recordSecretMail } from './mail/index.ts'
import { endSessions, findMemberByEmail, getMember, markVerified, storePassword } from './queries.ts'
import type { CodeAnswer } from './sign-up.ts'

/** A request to reset a forgotten password. */
type ResetPlan = {
  readonly email: string
  readonly network: string
  /** The trusted-device token of the browser, if it has one. */
  readonly trustedDevice: string | undefined
  readonly locale: string
  readonly boundTo: Buffer
}

/** Sends a code to a member who is active or may come back; limits and statements are the same whether or not the address has an account. */
export const startReset = async (
  database: Database,
  school: School,
  parts: CodeParts,
  plan: ResetPlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, plan)
  if (wait > 0) return { kind: 'too_many', wait }
  await database.transaction(school.id, async (db, now) => {
    const member = await findMemberByEmail(db, school.id, plan.email)
    const isUsable = member?.status === 'active' || mayComeBack(school, member)
    const code = await issueCode(db, school.id, parts, {
      boundTo: plan.boundTo,
      purpose: 'reset',
      email: plan.email,
      memberId: member?.id,
      seconds: CODE_SECONDS,
      isUsable,
    })
    const secrets = { values: { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const locale = member?.locale ?? plan.locale
    const to = member?.email ?? plan.email
    await recordSecretMail(
      db,
      school.id,
      { kind: identityMails.reset, to, memberId: member?.id, locale, shouldSend: isUsable, secrets },
      now,
    )
  })
  return { kind: 'sent' }
}

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
