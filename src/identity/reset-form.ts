import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { isEmail, isStorable } from '#src/kit/text.ts'
import { endMemberGrants } from './apps/queries.ts'
import { type CodeBinding, type CodeParts, checkCode, refundCode } from './codes/index.ts'
import { findPasswordError, type PasswordError } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { completeReset, startReset } from './reset.ts'
import { readBrowser } from './session-cookies.ts'

/** Why a password reset form is shown again; `wait` is in seconds. */
type ResetError = { readonly error: PasswordError | 'email' | 'code' } | TooManyCodes

type TooManyCodes = { readonly error: 'too_many_codes'; readonly wait: number }

/** Sends the reset code to the address in a form; the result does not reveal whether the address has an account. */
export const requestReset = async (
  request: EndpointRequest,
  parts: CodeParts,
  plan: { readonly email: string; readonly locale: string; readonly boundTo: Buffer },
): Promise<ResetError | undefined> => {
  const { school, database, network } = request
  if (!isEmail(plan.email) || !isStorable(plan.email)) return { error: 'email' }
  const { trustedDevice } = readBrowser(request)
  const answer = await startReset(database, school, parts, { ...plan, network, trustedDevice })
  return answer.kind === 'too_many' ? { error: 'too_many_codes', wait: answer.wait } : undefined
}

/** A code and a new password that were accepted. */
type ResetProof = {
  /** Stores the password and ends sessions and grants; undefined when the code was used meanwhile. */
  complete(db: Db, now: Date): Promise<string | undefined>
  /** Refunds the uses that the code counted, once the transaction is committed. */
  settle(): Promise<void>
}

/** Checks the code and the new password of a form. */
export const proveByCode = async (
  request: EndpointRequest,
  secret: string,
  binding: CodeBinding & { readonly email: string },
  typed: { readonly code: string; readonly password: string },
): Promise<ResetError | ResetProof> => {
  const { school, database, network } = request
  const { email, ...place } = binding
  const error = await findPasswordError(typed.password, { email, name: '', school })
  if (error !== undefined) return { error }
  const code = await checkCode(database, school.id, secret, place, typed.code)
  if (code === undefined) return { error: 'code' }
  const passwordHash = await hashPassword(typed.password)
  return {
    complete: async (db, now) => {
      const memberId = await completeReset(db, school, now, { place, code, passwordHash })
      if (memberId !== undefined) await endMemberGrants(db, school.id, memberId, 'password_reset')
      return memberId
    },
    settle: () => refundCode(database, school, network, code),
  }
}
