import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import {
  CODE_SECONDS,
  type CodeBinding,
  type CodeParts,
  consumeCode,
  issueCode,
  type LivingCode,
  useCode,
} from './codes/index.ts'
import { recordSecretMail } from './mail/index.ts'
import { markVerified } from './queries.ts'
import type { CodeAnswer } from './sign-up.ts'

/** Whose address is to be proven, and where. */
export type VerificationPlan = {
  readonly member: { readonly id: string; readonly email: string }
  readonly network: string
  /** The mark of a browser that was used before. */
  readonly known: string | undefined
  readonly locale: string
  readonly boundTo: Buffer
}

/** Sends a code to the address of a member who is signed in. */
export const startVerification = async (
  database: Database,
  school: School,
  parts: CodeParts,
  { member, network, known, locale, boundTo }: VerificationPlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, { email: member.email, network, known })
  if (wait > 0) return { kind: 'too_many', wait }
  const { id: memberId, email } = member
  await database.transaction(school.id, async (db, now) => {
    const wanted = { boundTo, purpose: 'verification', email, memberId, seconds: CODE_SECONDS, isUsable: true } as const
    const code = await issueCode(db, school.id, parts, wanted)
    const secrets = { values: { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    await recordSecretMail(
      db,
      school.id,
      { kind: 'address_code', to: email, memberId, locale, isWanted: true, secrets },
      now,
    )
  })
  return { kind: 'sent' }
}

/** Notes that the address is proven; false when the code was used meanwhile. */
export const completeVerification = async (
  db: Db,
  school: School,
  place: CodeBinding,
  code: LivingCode,
): Promise<boolean> => {
  if (code.member_id === null || (await useCode(db, school.id, place, code.code_hash)) === 0) return false
  await markVerified(db, school.id, code.member_id, code.email)
  return true
}
