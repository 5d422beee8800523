import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { isEmail, isStorable } from '#src/kit/text.ts'
import { endGrantsOf } from './apps/queries.ts'
import { type CodeBinding, type CodeParts, checkCode, refundCode } from './codes/index.ts'
import { type PasswordFault, passwordFault } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { completeReset, startReset } from './reset.ts'
import { browserOf } from './session-cookies.ts'

/** Why a form for a reset is shown again; `wait` is in seconds. */
export type ResetFault = { readonly fault: PasswordFault | 'email' | 'code' } | TooManyCodes

type TooManyCodes = { readonly fault: 'too_many_codes'; readonly wait: number }

/** Sends the code for a reset to the address of a form; the answer does not tell whether the address is known. */
export const requestReset = async (
  request: EndpointRequest,
  parts: CodeParts,
  wanted: { readonly email: string; readonly locale: string; readonly boundTo: Buffer },
): Promise<ResetFault | undefined> => {
  const { school, database, network } = request
  if (!isEmail(wanted.email) || !isStorable(wanted.email)) return { fault: 'email' }
  const { known } = browserOf(request)
  const answer = await startReset(database, school, parts, { ...wanted, network, known })
  return answer.kind === 'too_many' ? { fault: 'too_many_codes', wait: answer.wait } : undefined
}

/** A code and a new password that were accepted. */
export type ResetProof = {
  /** Stores the password and ends what the old one gave; undefined when the code was used meanwhile. */
  complete(db: Db, now: Date): Promise<string | undefined>
  /** Takes back what the code counted, once the transaction is committed. */
  settle(): Promise<void>
}

/** Checks the code and the new password of a form. */
export const proveByCode = async (
  request: EndpointRequest,
  secret: string,
  binding: CodeBinding & { readonly email: string },
  typed: { readonly code: string; readonly password: string },
): Promise<ResetFault | ResetProof> => {
  const { school, database, network } = request
  const { email, ...place } = binding
  const fault = await passwordFault(typed.password, { email, name: '', school })
  if (fault !== undefined) return { fault }
  const code = await checkCode(database, school.id, secret, place, typed.code)
  if (code === undefined) return { fault: 'code' }
  const passwordHash = await hashPassword(typed.password)
  return {
    complete: async (db, now) => {
      const memberId = await completeReset(db, school, now, { place, code, passwordHash })
      if (memberId !== undefined) await endGrantsOf(db, school.id, memberId, 'password_reset')
      return memberId
    },
    settle: () => refundCode(database, school, network, code),
  }
}
