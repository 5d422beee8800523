import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { foldEmail } from '#src/kit/text.ts'
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
import { findMemberByEmail, holdSession, lockMember, storeEmail } from './queries.ts'
import type { CodeAnswer } from './sign-up.ts'

/** Who wants which other address, and where. */
export type EmailChangePlan = {
  readonly memberId: string
  readonly email: string
  readonly network: string
  readonly locale: string
  readonly boundTo: Buffer
}

/**
 * Sends a code to the address that a member wants; who has it already is told so by mail instead. The same doors and
 * statements, whether or not the address is known.
 */
export const startEmailChange = async (
  database: Database,
  school: School,
  parts: CodeParts,
  { memberId, email, network, locale, boundTo }: EmailChangePlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, { email, network, known: undefined })
  if (wait > 0) return { kind: 'too_many', wait }
  await database.transaction(school.id, async (db, now) => {
    const holder = await findMemberByEmail(db, school.id, email)
    const isFree = holder === undefined || holder.id === memberId
    const place = { boundTo, purpose: 'email_change' } as const
    const wanted = { ...place, email, memberId, seconds: CODE_SECONDS, isUsable: isFree }
    const code = await issueCode(db, school.id, parts, wanted)
    const secrets = { values: isFree ? { code } : {}, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const mail = isFree
      ? ({ kind: 'address_code', to: email, memberId, locale } as const)
      : ({
          kind: 'address_taken',
          to: holder.email,
          memberId: holder.id,
          locale: holder.locale ?? school.locale,
        } as const)
    await recordSecretMail(db, school.id, { ...mail, isWanted: true, secrets }, now)
  })
  return { kind: 'sent' }
}

/** An address that was proven, and the session in which it was asked for. */
export type ProvenEmail = {
  readonly memberId: string
  readonly sessionId: string
  readonly place: CodeBinding
  readonly code: LivingCode
}

/**
 * Gives a member the address that they proved; false when the code was used or the session ended meanwhile. Throws the
 * violated constraint of the address when somebody else got it first.
 */
export const completeEmailChange = async (
  db: Db,
  school: School,
  now: Date,
  { memberId, sessionId, place, code }: ProvenEmail,
): Promise<boolean> => {
  const member = await lockMember(db, school.id, memberId)
  if (!(await holdSession(db, school.id, sessionId))) return false
  if (code.member_id !== memberId || (await useCode(db, school.id, place, code.code_hash)) === 0) return false
  // A mail to a member goes to the address of its instant: the old one first, then the new. To prove the one has is no change.
  const told = { kind: 'email_changed', values: { email: code.email } } as const
  const isOther = foldEmail(member.email) !== foldEmail(code.email)
  if (isOther) await recordMail(db, school.id, memberId, told, now)
  await storeEmail(db, school.id, memberId, code.email)
  if (isOther) await recordMail(db, school.id, memberId, told, now)
  await endCodes(db, school.id, memberId)
  return true
}
