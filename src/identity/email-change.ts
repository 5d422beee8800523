import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { foldEmail } from '#src/kit/text.ts'
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
import { identityMails, recordMail, recordSecretMail } from './mail/index.ts'
import type { CodeAnswer } from './mail-code.ts'
import { findMemberByEmail, lockMember, storeEmail } from './queries.ts'
import { lockSession } from './sessions.queries.ts'

/** A request to change the address of a member. */
type EmailChangePlan = {
  readonly memberId: string
  readonly email: string
  readonly network: string
  readonly locale: string
  readonly boundTo: Buffer
}

/**
 * Sends a code to the new address of a member; if another member has it, they are notified by mail instead. Limits and
 * statements are the same whether or not the address is taken.
 */
export const startEmailChange = async (
  database: Database,
  school: School,
  parts: CodeParts,
  { memberId, email, network, locale, boundTo }: EmailChangePlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, { email, network, trustedDevice: undefined })
  if (wait > 0) return { kind: 'too_many', wait }
  await database.transaction(school.id, async (db, now) => {
    const holder = await findMemberByEmail(db, school.id, email)
    const isFree = holder === undefined || holder.id === memberId
    const place = { boundTo, purpose: 'email_change' } as const
    const codePlan = { ...place, email, memberId, seconds: CODE_SECONDS, isUsable: isFree }
    const code = await issueCode(db, school.id, parts, codePlan)
    const secrets = { values: isFree ? { code } : {}, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const mail = isFree
      ? ({ kind: identityMails.address_code, to: email, memberId, locale } as const)
      : ({
          kind: identityMails.address_taken,
          to: holder.email,
          memberId: holder.id,
          locale: holder.locale ?? school.locale,
        } as const)
    await recordSecretMail(db, school.id, { ...mail, shouldSend: true, secrets }, now)
  })
  return { kind: 'sent' }
}

/** A verified address, and the session in which the change was requested. */
type ProvenEmail = {
  readonly memberId: string
  readonly sessionId: string
  readonly place: CodeBinding
  readonly code: ActiveCode
}

/**
 * Changes a member's address to the one they verified; false when the code was used or the session ended meanwhile.
 * Throws the violated constraint of the address when another member took it first.
 */
export const completeEmailChange = async (
  db: Db,
  school: School,
  now: Date,
  { memberId, sessionId, place, code }: ProvenEmail,
): Promise<boolean> => {
  const member = await lockMember(db, school.id, memberId)
  if (!(await lockSession(db, school.id, sessionId))) return false
  if (code.member_id !== memberId || (await useCode(db, school.id, place, code.code_hash)) === 0) return false
  // A mail goes to the address that the member has when it is recorded: first the old one, then the new. Verifying the
  // current address is no change.
  const mailPlan = { kind: identityMails.email_changed, values: { email: code.email } } as const
  const isOther = foldEmail(member.email) !== foldEmail(code.email)
  if (isOther) await recordMail(db, school.id, memberId, mailPlan, now)
  await storeEmail(db, school.id, memberId, code.email)
  if (isOther) await recordMail(db, school.id, memberId, mailPlan, now)
  await endCodes(db, school.id, memberId)
  return true
}
