import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  type ActiveCode,
  CODE_SECONDS,
  type CodeBinding,
  type CodeParts,
  consumeCode,
  issueCode,
  useCode,
} from './codes/index.ts'
import { identityMails, recordSecretMail } from './mail/index.ts'
import { markVerified } from './queries.ts'
import type { CodeAnswer } from './sign-up.ts'

/** A request to verify the address of a member. */
type VerificationPlan = {
  readonly member: { readonly id: string; readonly email: string }
  readonly network: string
  /** The trusted-device token of the browser, if it has one. */
  readonly trustedDevice: string | undefined
  readonly locale: string
  readonly boundTo: Buffer
}

/** Sends a code to the address of a member who is signed in. */
export const startVerification = async (
  database: Database,
  school: School,
  parts: CodeParts,
  { member, network, trustedDevice, locale, boundTo }: VerificationPlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, { email: member.email, network, trustedDevice })
  if (wait > 0) return { kind: 'too_many', wait }
  const { id: memberId, email } = member
  await database.transaction(school.id, async (db, now) => {
    const codePlan = {
      boundTo,
      purpose: 'verification',
      email,
      memberId,
      seconds: CODE_SECONDS,
      isUsable: true,
    } as const
    const code = await issueCode(db, school.id, parts, codePlan)
    const secrets = { values: { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    await recordSecretMail(
      db,
      school.id,
      { kind: identityMails.address_code, to: email, memberId, locale, shouldSend: true, secrets },
      now,
    )
  })
  return { kind: 'sent' }
}

/** Marks the address as verified; false when the code was used meanwhile. */
export const completeVerification = async (
  db: Db,
  school: School,
  place: CodeBinding,
  code: ActiveCode,
): Promise<boolean> => {
  if (code.member_id === null || (await useCode(db, school.id, place, code.code_hash)) === 0) return false
  await markVerified(db, school.id, code.member_id, code.email)
  return true
}
