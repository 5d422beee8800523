import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { newToken } from '#src/kit/token.ts'
import { grantSeconds } from '../lifetimes.ts'
import { type Approved, insertGrant } from './queries.ts'

type Approval = {
  readonly pending: Approved
  readonly session: Session
  readonly granted: readonly string[]
  readonly isSilent: boolean
  readonly now: Date
  readonly random: Random
}

/** Stores the grant of a person to a client; returns its id and its one code. */
export const approve = async (
  db: Db,
  { id: schoolId, lifetimes }: School,
  { pending, session, granted, isSilent, now, random }: Approval,
): Promise<{ id: string; code: string }> => {
  const id = newUuid(now.getTime())
  const code = newToken('stoa_ac_', random)
  await insertGrant(db, schoolId, {
    id,
    memberId: session.member.id,
    scopes: granted,
    codeHash: sha256(code),
    sessionId: session.id,
    amr: session.amr,
    authTime: session.authTime,
    codeSeconds: lifetimes.code,
    lifeSeconds: grantSeconds(lifetimes, pending.grant_types),
    isSilent,
    pending,
  })
  return { id, code }
}
