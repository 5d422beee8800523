import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
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
import { recordSecretMail } from './mail/index.ts'
import { hashPassword } from './passwords.ts'
import { activateInvited, findMemberByEmail, insertMember, type Member, storePassword } from './queries.ts'

/** Whether a code was sent, or how many seconds to wait; who asks is not told to whom a mail went. */
export type CodeAnswer = { readonly kind: 'sent' } | { readonly kind: 'too_many'; readonly wait: number }

/** What somebody who wants an account typed, and where. */
export type SignUpPlan = {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly network: string
  readonly locale: string
  readonly boundTo: Buffer
}

type Standing = { readonly isKnown: boolean; readonly mayJoin: boolean }

const standingOf = (school: School, member: Member | undefined): Standing => ({
  isKnown: member?.status === 'active' || member?.status === 'suspended',
  mayJoin: member?.status === 'invited' || (member === undefined && school.signupMode === 'open'),
})

/**
 * Sends a code to the address of somebody who wants an account; a known address is told so by mail instead. The same
 * doors, one password hash and the same statements, whether or not the address is known.
 */
export const startSignUp = async (
  database: Database,
  school: School,
  parts: CodeParts,
  plan: SignUpPlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, { ...plan, known: undefined })
  if (wait > 0) return { kind: 'too_many', wait }
  const passwordHash = await hashPassword(plan.password)
  await database.transaction(school.id, async (db, now) => {
    const member = await findMemberByEmail(db, school.id, plan.email)
    const { isKnown, mayJoin } = standingOf(school, member)
    const { email, name, boundTo } = plan
    const code = await issueCode(db, school.id, parts, {
      boundTo,
      purpose: 'sign_up',
      email,
      memberId: member?.id,
      name,
      passwordHash,
      seconds: CODE_SECONDS,
      isUsable: mayJoin,
    })
    const secrets = { values: isKnown ? {} : { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const kind = isKnown ? 'account_exists' : 'address_code'
    await recordSecretMail(
      db,
      school.id,
      {
        kind,
        to: member?.email ?? email,
        memberId: member?.id,
        locale: plan.locale,
        isWanted: isKnown || mayJoin,
        secrets,
      },
      now,
    )
  })
  return { kind: 'sent' }
}

/** How a sign-up ended whose code was right. */
export type SignedUp = { readonly kind: 'signed_up'; readonly memberId: string } | { readonly kind: 'used' | 'taken' }

/** Makes the member whose address is proven now, or lets in the one who was invited; the code is used up. */
export const completeSignUp = async (
  db: Db,
  school: School,
  now: Date,
  { place, code, locale }: { readonly place: CodeBinding; readonly code: LivingCode; readonly locale: string },
): Promise<SignedUp> => {
  if ((await useCode(db, school.id, place, code.code_hash)) === 0) return { kind: 'used' }
  const { email, name, password_hash: hash } = code
  if (name === null || hash === null) return { kind: 'used' }
  const joined =
    (await activateInvited(db, school.id, { email, name })) ?? (await join(db, school, now, { email, name, locale }))
  if (joined === undefined) return { kind: 'taken' }
  await storePassword(db, school.id, joined.id, hash)
  await endCodes(db, school.id, joined.id)
  return { kind: 'signed_up', memberId: joined.id }
}

const join = async (
  db: Db,
  school: School,
  now: Date,
  person: { readonly email: string; readonly name: string; readonly locale: string },
): Promise<{ id: string } | undefined> => {
  if (school.signupMode !== 'open') return undefined
  const id = newUuid(now.getTime())
  const member = await insertMember(db, school.id, { ...person, id, role: 'member', emailVerified: true })
  return member === 'email_taken' ? undefined : member
}
