import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { browserOf, knownCookies, sessionCookies } from './browser.ts'
import { describeBrowser } from './device.ts'
import { endSession, storeBrowser } from './queries.ts'
import { openSession } from './sessions.ts'

/**
 * Lets a member in, within the transaction in which they proved who they are: the browser's old session ends, a new one
 * begins, and the browser gets a new mark by which it is known again. Gives the cookies.
 */
export const letIn = async (
  db: Db,
  request: EndpointRequest,
  memberId: string,
  { now, random }: { readonly now: Date; readonly random: Random },
): Promise<string[]> => {
  const { school } = request
  const { session: old, known } = browserOf(request)
  const mark = random(32).toString('base64url')
  const oldHash = known === undefined ? undefined : sha256(known)
  await storeBrowser(db, school.id, memberId, { oldHash, newHash: sha256(mark) })
  const session = old === undefined ? undefined : sha256(old)
  const browser = describeBrowser(request.header('user-agent'))
  const opened = { memberId, amr: ['pwd'], browser, oldHash: session }
  const secret = await openSession(db, school.id, opened, { now, random })
  if (session !== undefined) await endSession(db, school.id, session)
  return [...sessionCookies(school, secret), ...knownCookies(school, mark)]
}
