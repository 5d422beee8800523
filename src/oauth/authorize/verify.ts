import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  type CodeParts,
  checkCode,
  completeVerification,
  preSessionCookies,
  returnCode,
  type Session,
  startVerification,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import type { Complaint } from '../pages/form-page.ts'
import { codePage, pathOf, verifyPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { rebindPending } from './queries.ts'
import { pageOf, placeOf, sentTo } from './sign-up.ts'
import { field, handleIn, isFresh, refuseCrossSite, type Visit, visitOf } from './visit.ts'

type Signed = { readonly visit: Visit; readonly session: Session }

// Only who signed in for this authorization; anybody else is asked to.
const signedVisit = async (request: EndpointRequest, handle: string): Promise<Signed | Reply> => {
  const visit = await visitOf(request, handle)
  const { session, pending } = visit
  return isFresh(session, pending) ? { visit, session } : redirectWithin(pathOf('sign-in', handle))
}

const show = async (request: EndpointRequest): Promise<Reply> => {
  const signed = await signedVisit(request, handleIn(request.query))
  return 'visit' in signed ? verifyPage(pageOf(request, signed.visit), signed.session.member.email) : signed
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const signed = await signedVisit(request, field(await request.form(), 'request'))
  if (!('visit' in signed)) return signed
  const { visit, session } = signed
  const { network } = request
  const { known } = browserOf(request)
  const plan = { member: session.member, network, known, locale: visit.pending.locale, boundTo: visit.handleHash }
  const answer = await startVerification(request.database, request.school, parts, plan)
  if (answer.kind === 'sent') return redirectWithin(pathOf('verify/code', visit.handle))
  return verifyPage(pageOf(request, visit), session.member.email, { fault: 'too_many', wait: answer.wait })
}

const showCode = async (request: EndpointRequest): Promise<Reply> => {
  const signed = await signedVisit(request, handleIn(request.query))
  if (!('visit' in signed)) return signed
  const email = await sentTo(request, placeOf(signed.visit, 'verification'))
  return codePage(pageOf(request, signed.visit), { page: 'verify', email })
}

const submitCode = async (request: EndpointRequest, { secret, random }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database } = request
  const form = await request.form()
  const signed = await signedVisit(request, field(form, 'request'))
  if (!('visit' in signed)) return signed
  const { visit, session } = signed
  const place = placeOf(visit, 'verification')
  const email = await sentTo(request, place)
  const wrong = (complaint: Complaint): Reply => codePage(pageOf(request, visit), { page: 'verify', email }, complaint)
  const code = await checkCode(database, school.id, secret, place, field(form, 'code'))
  if (code === undefined || code.member_id !== session.member.id) return wrong({ fault: 'code' })
  const mark = random(32).toString('base64url')
  const isDone = await database.write(school.id, async db => {
    if (!(await completeVerification(db, school, place, code))) return false
    await rebindPending(db, school.id, visit.browserHash, { newHash: sha256(mark), memberId: session.member.id })
    return true
  })
  if (!isDone) return wrong({ fault: 'code' })
  await returnCode(database, school, request.network, code)
  return redirectWithin(pathOf('consent', visit.handle), preSessionCookies(school, mark))
}

/** GET and POST /oauth/authorize/verify and the page for its code: a proven address is offered, not forced. */
export const verifyEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/verify', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/verify', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /oauth/authorize/verify/code', handle: showCode }),
  endpoint({ route: 'POST /oauth/authorize/verify/code', handle: request => submitCode(request, parts) }),
]
