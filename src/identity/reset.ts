import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  CODE_SECONDS,
  type CodeBinding,
  type CodeParts,
  consumeCode,
  endCodes,
  issueCode,
  type LivingCode,
  useCode,
} from './codes/index.ts'
import { recordMail, recordSecretMail } from './mail/index.ts'
import { endSessions, findMemberByEmail, forgetBrowsers, markVerified, storePassword } from './queries.ts'
import type { CodeAnswer } from './sign-up.ts'

/** Who forgot a password, and where. */
export type ResetPlan = {
  readonly email: string
  readonly network: string
  /** The mark of a browser that was used before. */
  readonly known: string | undefined
  readonly locale: string
  readonly boundTo: Buffer
}

/** Sends a code to an active member; the same doors and statements, whether or not the address is known. */
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
    const isActive = member?.status === 'active'
    const code = await issueCode(db, school.id, parts, {
      boundTo: plan.boundTo,
      purpose: 'reset',
      email: plan.email,
      memberId: member?.id,
      seconds: CODE_SECONDS,
      isUsable: isActive,
    })
    const secrets = { values: { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const locale = member?.locale ?? plan.locale
    const to = member?.email ?? plan.email
    await recordSecretMail(
      db,
      school.id,
      { kind: 'reset', to, memberId: member?.id, locale, isWanted: isActive, secrets },
      now,
    )
  })
  return { kind: 'sent' }
}

/**
 * Stores a new password for who proved the address: the code is used up, and sessions, codes and known browsers of the
 * member end. Undefined when the code was used meanwhile. The caller ends what the member allowed to apps.
 */
export const completeReset = async (
  db: Db,
  school: School,
  now: Date,
  reset: { readonly place: CodeBinding; readonly code: LivingCode; readonly passwordHash: string },
): Promise<string | undefined> => {
  const { place, code, passwordHash } = reset
  const memberId = code.member_id
  if (memberId === null || (await useCode(db, school.id, place, code.code_hash)) === 0) return undefined
  // First of all: a sign-in with the old password holds its row, and is waited for and ended below, or finds it changed.
  await storePassword(db, school.id, memberId, passwordHash)
  await markVerified(db, school.id, memberId, code.email)
  await endSessions(db, school.id, memberId)
  await endCodes(db, school.id, memberId)
  await forgetBrowsers(db, school.id, memberId)
  await recordMail(db, school.id, memberId, { kind: 'password_changed' }, now)
  return memberId
}
