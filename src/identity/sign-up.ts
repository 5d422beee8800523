import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { maySignInByMail } from './code-sign-in.ts'
import { type ActiveCode, type CodeBinding, type CodeParts, endCodes, newLinkKey, useCode } from './codes/index.ts'
import { comeBack, mayJoin } from './coming-back.ts'
import { identityMails, type LastingKind } from './mail/index.ts'
import { type CodeAnswer, mailCode } from './mail-code.ts'
import {
  activateInvited,
  deletePassword,
  findMemberByEmail,
  insertMember,
  type Member,
  storePassword,
} from './queries.ts'

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

type AddressState = { readonly hasAccount: boolean; readonly mayJoin: boolean }

const buildAddressState = (school: School, member: Member | undefined): AddressState => ({
  hasAccount: member?.status === 'active' || member?.is_barred === true,
  mayJoin: mayJoin(school, member),
})

/** Sends a code to the address of a sign-up; if it already has an account, a mail says so instead. */
export const startSignUp = (
  database: Database,
  school: School,
  parts: CodeParts,
  { accountMail, ...plan }: SignUpPlan,
): Promise<CodeAnswer> => {
  const linkKey = newLinkKey(parts.random)
  const request = { ...plan, purpose: 'sign_up', trustedDevice: undefined, linkKey } as const
  return mailCode(database, school, parts, request, member => {
    const { hasAccount, mayJoin } = buildAddressState(school, member)
    if (!hasAccount) return { isUsable: mayJoin, kind: identityMails.address_code }
    const link = accountMail?.link(maySignInByMail(member) ? linkKey : undefined)
    return {
      isUsable: mayJoin,
      shouldSend: true,
      kind: accountMail?.kind ?? identityMails.account_exists,
      values: (): Readonly<Record<string, string>> => (link === undefined ? {} : { link }),
    }
  })
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
