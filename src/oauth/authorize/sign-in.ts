import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageOf } from '#src/contract/language.ts'
import { browserOf, endSession, openSession, preSessionCookie, sessionCookie, signIn } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { signInPage } from '../pages/sign-in.ts'
import { redirectWithin } from '../redirect.ts'
import { rebindPending } from './queries.ts'
import { field, refuseCrossSite, type Visit, visitOf } from './visit.ts'

const handleIn = (query: string): string => new URLSearchParams(query).get('request') ?? ''

const show = async (request: EndpointRequest): Promise<Reply> => {
  const { handle, pending } = await visitOf(request, handleIn(request.query))
  return signInPage({
    school: request.school,
    language: languageOf(pending.locale),
    handle,
    clientName: pending.client_name,
    email: pending.login_hint ?? '',
  })
}

const enter = async (request: EndpointRequest, visit: Visit, memberId: string, random: Random): Promise<Reply> => {
  const { school, database } = request
  const old = browserOf(request).session
  const mark = random(32).toString('base64url')
  const secret = await database.write(school.id, async (db, now) => {
    if (old !== undefined) await endSession(db, school.id, sha256(old))
    await rebindPending(db, school.id, visit.browserHash, sha256(mark))
    return openSession(db, school.id, memberId, ['pwd'], { now, random })
  })
  const cookies = [sessionCookie(school, secret), preSessionCookie(school, mark)]
  return redirectWithin(`/oauth/authorize/consent?request=${visit.handle}`, cookies)
}

const submit = async (request: EndpointRequest, random: Random): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const visit = await visitOf(request, field(form, 'request'))
  const email = field(form, 'email').trim().slice(0, 254)
  const result = await signIn(request.database, request.school, {
    email,
    password: field(form, 'password').slice(0, 1024),
    network: request.network,
  })
  if (result.kind === 'signed_in') return enter(request, visit, result.memberId, random)
  return signInPage({
    school: request.school,
    language: languageOf(visit.pending.locale),
    handle: visit.handle,
    clientName: visit.pending.client_name,
    email,
    failure: result,
  })
}

/** GET and POST /oauth/authorize/sign-in. */
export const signInEndpoints = (random: Random): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/sign-in', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/sign-in', handle: request => submit(request, random) }),
]
