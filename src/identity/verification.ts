import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { type ActiveCode, type CodeBinding, type CodeParts, useCode } from './codes/index.ts'
import { identityMails } from './mail/index.ts'
import { type CodeRequestError, requestCode } from './mail-code.ts'
import { markVerified } from './queries.ts'

/** Sends a code to the address of a member who is signed in. */
export const requestVerification = (
  request: EndpointRequest,
  parts: CodeParts,
  member: { readonly id: string; readonly email: string },
  plan: { readonly locale: string; readonly boundTo: Buffer },
): Promise<CodeRequestError | undefined> =>
  requestCode(request, parts, { ...plan, email: member.email, purpose: 'verification' }, found => ({
    // Their address may have changed meanwhile.
    isUsable: found?.id === member.id,
    kind: identityMails.address_code,
  }))

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
