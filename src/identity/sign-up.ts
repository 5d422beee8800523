import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import {
  type ActiveCode,
  CODE_SECONDS,
  type CodeBinding,
  type CodeParts,
  consumeCode,
  endCodes,
  issueCode,
  newLinkKey,
  useCode,
} from './codes/index.ts'
import { comeBack, mayComeBack } from './coming-back.ts'
import { identityMails, type LastingKind, recordSecretMail } from './mail/index.ts'
import { hashPassword } from './passwords.ts'
import {
  activateInvited,
  deletePassword,
  findMemberByEmail,
  insertMember,
  lockMember,
  type Member,
  markVerified,
  storePassword,
} from './queries.ts'

/** Whether a code was sent, or how many seconds to wait; it does not reveal which mail was sent. */
export type CodeAnswer = { readonly kind: 'sent' } | { readonly kind: 'too_many'; readonly wait: number }

/** The mail to an address that has an account, with a link instead of a code. */
type AccountMail = {
  readonly kind: LastingKind
  /** The address of the link; without a key it leads to where people sign in with their password. */
  link(key: string | undefined): string
}

/** The values of a sign-up form. */
type SignUpPlan = {
  readonly email: string
  readonly name: string
  /** Left out where the person may choose one later, as at a checkout. */
  readonly password?: string
  readonly network: string
  readonly locale: string
  readonly boundTo: Buffer
  /** Left out where an address that has an account is only told so. */
  readonly accountMail?: AccountMail
}

type AddressState = { readonly hasAccount: boolean; readonly mayJoin: boolean; readonly maySignInByLink: boolean }

// Who runs the school or teaches signs in with their password: a mail alone does not open the account of staff.
const signsInByLink = (member: Member | undefined): boolean => member?.status === 'active' && member.role === 'member'

const buildAddressState = (school: School, member: Member | undefined): AddressState => ({
  hasAccount: member?.status === 'active' || member?.is_barred === true,
  mayJoin:
    member?.status === 'invited' ||
    (member === undefined && school.signupMode === 'open') ||
    mayComeBack(school, member),
  maySignInByLink: signsInByLink(member),
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
  const passwordHash = plan.password === undefined ? undefined : await hashPassword(plan.password)
  await database.transaction(school.id, async (db, now) => {
    const member = await findMemberByEmail(db, school.id, plan.email)
    const { hasAccount, mayJoin, maySignInByLink } = buildAddressState(school, member)
    const { email, name, boundTo, accountMail } = plan
    const linkKey = newLinkKey(parts.random)
    const code = await issueCode(db, school.id, parts, {
      boundTo,
      purpose: 'sign_up',
      email,
      memberId: member?.id,
      name,
      ...(passwordHash === undefined ? {} : { passwordHash }),
      seconds: CODE_SECONDS,
      isUsable: mayJoin,
      linkKey,
    })
    const link = accountMail?.link(maySignInByLink ? linkKey : undefined)
    const told: Record<string, string> = link === undefined ? {} : { link }
    const secrets = { values: hasAccount ? told : { code }, usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const kind = hasAccount ? (accountMail?.kind ?? identityMails.account_exists) : identityMails.address_code
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

/** Creates the member whose address is now verified, or activates one who was invited or deleted; the code is used up. */
export const completeSignUp = async (
  db: Db,
  school: School,
  now: Date,
  { place, code, locale }: { readonly place: CodeBinding; readonly code: ActiveCode; readonly locale: string },
): Promise<SignedUp> => {
  if ((await useCode(db, school.id, place, code.code_hash)) === 0) return { kind: 'used' }
  const { email, name, password_hash: hash } = code
  if (name === null) return { kind: 'used' }
  await comeBack({ db, school, now }, await findMemberByEmail(db, school.id, email), 'invited')
  const joined =
    (await activateInvited(db, school.id, { email, name })) ?? (await join(db, school, now, { email, name, locale }))
  if (joined === undefined) return { kind: 'taken' }
  // Without a password the member sets one by a reset, or never; one of before they were deleted does not open the account again.
  if (hash === null) await deletePassword(db, school.id, joined.id)
  else await storePassword(db, school.id, joined.id, hash)
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

/**
 * Accepts the link of a mail to an address that has an account, which is then verified; returns the id of the member. The
 * link is used up. Undefined when it was used meanwhile, or the account changed so that it may not be opened by a link.
 */
export const completeLinkSignIn = async (
  db: Db,
  school: School,
  { place, code }: { readonly place: CodeBinding; readonly code: ActiveCode },
): Promise<string | undefined> => {
  const id = code.member_id
  if (id === null) return undefined
  const member = await lockMember(db, school.id, id)
  if (foldEmail(member.email) !== foldEmail(code.email) || !signsInByLink(member)) return undefined
  if ((await useCode(db, school.id, place, code.code_hash)) === 0) return undefined
  await markVerified(db, school.id, id, code.email)
  return id
}
