import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
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
import { identityMails, recordSecretMail } from './mail/index.ts'
import { hashPassword } from './passwords.ts'
import { activateInvited, findMemberByEmail, insertMember, type Member, storePassword } from './queries.ts'

/** Whether a code was sent, or how many seconds to wait; it does not reveal which mail was sent. */
export type CodeAnswer = { readonly kind: 'sent' } | { readonly kind: 'too_many'; readonly wait: number }

/** The values of a sign-up form. */
type SignUpPlan = {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly network: string
  readonly locale: string
  readonly boundTo: Buffer
}

type AddressState = { readonly hasAccount: boolean; readonly mayJoin: boolean }

const addressStateOf = (school: School, member: Member | undefined): AddressState => ({
  hasAccount: member?.status === 'active' || member?.status === 'suspended',
  mayJoin: member?.status === 'invited' || (member === undefined && school.signupMode === 'open'),
})

/**
 * Sends a code to the address of a sign-up; if it already has an account, a mail says so instead. Limits, statements
 * and the one password hash are the same whether or not the address has an account.
 */
export const startSignUp = async (
  database: Database,
  school: School,
  parts: CodeParts,
  plan: SignUpPlan,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, { ...plan, trustedDevice: undefined })
  if (wait > 0) return { kind: 'too_many', wait }
  const passwordHash = await hashPassword(plan.password)
  await database.transaction(school.id, async (db, now) => {
    const member = await findMemberByEmail(db, school.id, plan.email)
    const { hasAccount, mayJoin } = addressStateOf(school, member)
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
    const secrets = { values: hasAccount ? {} : { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const kind = hasAccount ? identityMails.account_exists : identityMails.address_code
    await recordSecretMail(
      db,
      school.id,
      {
        kind,
        to: member?.email ?? email,
        memberId: member?.id,
        locale: plan.locale,
        shouldSend: hasAccount || mayJoin,
        secrets,
      },
      now,
    )
  })
  return { kind: 'sent' }
}

/** The result of a sign-up with a correct code. */
type SignedUp = { readonly kind: 'signed_up'; readonly memberId: string } | { readonly kind: 'used' | 'taken' }

/** Creates the member whose address is now verified, or activates an invited one; the code is used up. */
export const completeSignUp = async (
  db: Db,
  school: School,
  now: Date,
  { place, code, locale }: { readonly place: CodeBinding; readonly code: ActiveCode; readonly locale: string },
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
