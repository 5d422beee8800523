import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  endSession,
  knownCookies,
  openSession,
  preSessionCookies,
  sessionCookies,
  storeBrowser,
} from '#src/identity/index.ts'
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
  const { session: old, known } = browserOf(request)
  const [mark, browser] = [random(32).toString('base64url'), random(32).toString('base64url')]
  const entered = await database.write(school.id, async (db, now) => {
    const proven = await prove(db, now)
    if ('refused' in proven) return proven
    const { memberId } = proven
    if (old !== undefined) await endSession(db, school.id, sha256(old))
    await rebindPending(db, school.id, visit.browserHash, { newHash: sha256(mark), memberId })
    const oldHash = known === undefined ? undefined : sha256(known)
    await storeBrowser(db, school.id, memberId, { oldHash, newHash: sha256(browser) })
    return { secret: await openSession(db, school.id, memberId, ['pwd'], { now, random }) }
  })
  if ('refused' in entered) return entered.refused
  const cookies = [
    ...sessionCookies(school, entered.secret),
    ...preSessionCookies(school, mark),
    ...knownCookies(school, browser),
  ]
  return redirectWithin(`/oauth/authorize/consent?request=${visit.handle}`, cookies)
}
