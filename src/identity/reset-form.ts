import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { endMemberGrants } from './apps/queries.ts'
import { type CodeBinding, type CodeParts, checkCode, refundCode } from './codes/index.ts'
import { mayComeBack } from './coming-back.ts'
import { identityMails } from './mail/index.ts'
import { type CodeRequestError, requestCode } from './mail-code.ts'
import { findPasswordError, type PasswordError } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { completeReset } from './reset.ts'

/** Why the form for the code and the new password is shown again. */
type ResetError = { readonly error: PasswordError | 'code' }

/** Sends the reset code to the address in a form, where it is of a member who is active or may come back. */
export const requestReset = (
  request: EndpointRequest,
  parts: CodeParts,
  plan: { readonly email: string; readonly locale: string; readonly boundTo: Buffer },
): Promise<CodeRequestError | undefined> =>
  requestCode(request, parts, { ...plan, purpose: 'reset' }, member => ({
    isUsable: member?.status === 'active' || mayComeBack(request.school, member),
    kind: identityMails.reset,
  }))

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
