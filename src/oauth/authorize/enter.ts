import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { letIn, preSessionCookies } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { redirectWithin } from '../redirect.ts'
import { rebindPending } from './queries.ts'
import type { Visit } from './visit.ts'

/** Who proved within the transaction who they are, or in which other way it ended. */
export type Proven<Refused> = { readonly memberId: string } | { readonly refused: Refused }

/**
 * Signs somebody in and goes on to consent: in the transaction of the proof the old session ends, a new one begins, and
 * what waits in this browser moves to a new mark. Gives why instead when nothing was proven.
 */
export const enter = async <Refused>(
  request: EndpointRequest,
  visit: Visit,
  random: Random,
  prove: (db: Db, now: Date) => Promise<Proven<Refused>>,
): Promise<Reply | Refused> => {
  const { school, database } = request
  const mark = random(32).toString('base64url')
  const entered = await database.write(school.id, async (db, now) => {
    const proven = await prove(db, now)
    if ('refused' in proven) return proven
    const { memberId } = proven
    const cookies = await letIn(db, request, memberId, { now, random })
    await rebindPending(db, school.id, visit.browserHash, { newHash: sha256(mark), memberId })
    return { cookies }
  })
  if ('refused' in entered) return entered.refused
  const cookies = [...entered.cookies, ...preSessionCookies(school, mark)]
  return redirectWithin(`/oauth/authorize/consent?request=${visit.handle}`, cookies)
}
