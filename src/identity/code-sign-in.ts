import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { foldEmail } from '#src/kit/text.ts'
import {
  type ActiveCode,
  type CodeBinding,
  type CodeParts,
  checkCode,
  findTrustedMember,
  refundCode,
  useCode,
} from './codes/index.ts'
import { mayJoin } from './coming-back.ts'
import { type CreatedSession, deriveSession } from './create-session.ts'
import { identityMails } from './mail/index.ts'
import { type CodeRequestError, requestCode } from './mail-code.ts'
import type { SignInFailure } from './password-form.ts'
import { findMemberByEmail, lockMember, type Member, markVerified } from './queries.ts'
import { readBrowser } from './session-cookies.ts'
import { clearSignIns, countSignIn } from './sign-in.ts'

/** Whether a mail alone signs somebody in: who runs the school or teaches needs their password. */
export const maySignInByMail = (member: Pick<Member, 'status' | 'role'> | undefined): boolean =>
  member?.status === 'active' && member.role === 'member'

/** A request for a code to sign in, or to confirm within a session who one is. */
type CodeSignInPlan = {
  readonly email: string
  readonly locale: string
  readonly place: CodeBinding & { readonly purpose: 'sign_in' | 'confirm' }
  /** The page of ours to which the person was going. */
  readonly returnTo?: string
  /** Whether the browser stays signed in. */
  readonly isRemembered?: boolean
  /** Whether who has no account gets a code as well, with which they create one where that is open to them. */
  readonly joins?: true
  /** The page with one button, to which the link of the mail leads. */
  link(code: string): string
}

/**
 * Mails a code to an active member; lecturers and staff are told to use their password. Nobody else gets a mail, but with `joins` who
 * may create an account.
 */
export const requestSignInCode = (
  request: EndpointRequest,
  parts: CodeParts,
  { place, link, joins, ...plan }: CodeSignInPlan,
): Promise<CodeRequestError | undefined> =>
  requestCode(request, parts, { ...plan, ...place }, member => {
    if (joins === true && mayJoin(request.school, member)) return { isUsable: true, kind: identityMails.address_code }
    const shouldSend = member?.status === 'active'
    return maySignInByMail(member)
      ? { isUsable: true, kind: identityMails.sign_in_code, values: code => ({ code, link: link(code) }) }
      : { isUsable: false, shouldSend, kind: identityMails.sign_in_password, values: () => ({}) }
  })

/** A person who entered the right code. */
type CodeProof = {
  readonly kind: 'proven'
  readonly memberId: string
  /** The secrets of the session that this code opens, the same each time. */
  readonly secrets: CreatedSession
  /** Uses the code up; false when it was used, or the account changed meanwhile. */
  confirm(db: Db): Promise<boolean>
  /** Refunds what was counted, once the transaction is committed. */
  settle(): Promise<void>
}

/** Somebody who entered the right code and has no account yet. */
type NewcomerProof = Pick<CodeProof, 'secrets' | 'settle'> & {
  readonly kind: 'newcomer'
  readonly place: CodeBinding
  readonly code: ActiveCode
}

const countTry = async (request: EndpointRequest, email: string) => {
  const { school, database, network } = request
  const { trustedDevice } = readBrowser(request)
  const hash = trustedDevice === undefined ? undefined : sha256(trustedDevice)
  const memberId = await database.statements(school.id, db => findTrustedMember(db, school.id, email, hash))
  const trusted = memberId && hash ? { memberId, browserHash: hash } : undefined
  return countSignIn(database, school, { email, network, trusted })
}

/**
 * Checks the code of a form that was mailed to this address, within the limits of sign-in; a newcomer has a code only where it was asked
 * for with `joins`.
 */
export const proveByMailedCode = async (
  request: EndpointRequest,
  secret: string,
  { email, ...place }: CodeBinding & { readonly email: string },
  typed: string,
): Promise<SignInFailure | CodeProof | NewcomerProof> => {
  const { school, database, network } = request
  const { wait, uses } = await countTry(request, email)
  if (wait > 0) return { kind: 'too_many', wait }
  const code = await checkCode(database, school.id, secret, place, typed)
  if (code === undefined) return { kind: 'refused' }
  const values = [
    school.id,
    place.boundTo.toString('hex'),
    code.code_hash.toString('hex'),
    code.created_at.toISOString(),
  ]
  const known = {
    secrets: { ...deriveSession(secret, 'sign-in code', values), isRemembered: code.is_remembered },
    settle: async () => {
      await clearSignIns(database, uses)
      await refundCode(database, school, network, code)
    },
  }
  const member = await database.statements(school.id, db => findMemberByEmail(db, school.id, code.email))
  // The address has whom it had when the code was mailed.
  const isSame = member?.id === (code.member_id ?? undefined)
  if (isSame && !code.is_used && mayJoin(school, member)) return { kind: 'newcomer', place, code, ...known }
  const memberId = code.member_id ?? (code.is_used ? member?.id : undefined)
  if (memberId === undefined) return { kind: 'refused' }
  const confirm = async (db: Db) => (await completeCodeSignIn(db, school, { place, code })) !== undefined
  return { kind: 'proven', memberId, confirm, ...known }
}

/**
 * Uses up the code or the link of a mail to an address that has an account, which is then verified; returns the id of the
 * member. Undefined when it was used meanwhile, or the account changed so that a mail may not open it.
 */
export const completeCodeSignIn = async (
  db: Db,
  school: School,
  { place, code }: { readonly place: CodeBinding; readonly code: ActiveCode },
): Promise<string | undefined> => {
  const id = code.member_id
  if (id === null) return undefined
  const member = await lockMember(db, school.id, id)
  if (foldEmail(member.email) !== foldEmail(code.email) || !maySignInByMail(member)) return undefined
  if ((await useCode(db, school.id, place, code.code_hash)) === 0) return undefined
  await markVerified(db, school.id, id, code.email)
  return id
}
