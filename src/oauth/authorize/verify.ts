import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  type CodeParts,
  checkCode,
  completeVerification,
  findCode,
  preSessionCookies,
  refundCode,
  type Session,
  startVerification,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { Complaint } from '../pages/form-page.ts'
import { codePage, pathOf, verifyPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { type AuthorizationInProgress, authorizationOf, handleIn, isFresh, refuseCrossSite } from './in-progress.ts'
import { rebindPending } from './queries.ts'
import { carries, verifyToken } from './shown.ts'
import { pageOf, placeOf } from './sign-up.ts'

type Signed = { readonly visit: AuthorizationInProgress; readonly session: Session }

// Only who signed in for this authorization; anybody else is asked to.
const signedVisit = async (request: EndpointRequest, handle: string): Promise<Signed | Reply> => {
  const visit = await authorizationOf(request, handle)
  const { session, pending } = visit
  return isFresh(session, pending) ? { visit, session } : redirectWithin(pathOf('sign-in', handle))
}

type Parts = Pick<CodeParts, 'secret'>

const tokenOf = ({ school }: EndpointRequest, { secret }: Parts, { visit, session }: Signed): string =>
  verifyToken(secret, school, session, visit.handle)

const offer = (request: EndpointRequest, parts: Parts, signed: Signed, complaint?: Complaint): Reply => {
  const { email } = signed.session.member
  return verifyPage(pageOf(request, signed.visit), { email, token: tokenOf(request, parts, signed) }, complaint)
}

// Posted after somebody else signed in: the page is shown to who is signed in now, and nothing is done.
const refuseStale = (request: EndpointRequest, parts: Parts, signed: Signed, form: Pairs): Reply | undefined => {
  if (carries(formField(form, 'token'), tokenOf(request, parts, signed))) return undefined
  return offer(request, parts, signed, { fault: 'stale', email: signed.session.member.email })
}

const show = async (request: EndpointRequest, parts: Parts): Promise<Reply> => {
  const signed = await signedVisit(request, handleIn(request.query))
  return 'visit' in signed ? offer(request, parts, signed) : signed
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const signed = await signedVisit(request, formField(form, 'request'))
  if (!('visit' in signed)) return signed
  const stale = refuseStale(request, parts, signed, form)
  if (stale !== undefined) return stale
  const { visit, session } = signed
  const { network } = request
  const { known } = browserOf(request)
  const plan = { member: session.member, network, known, locale: visit.pending.locale, boundTo: visit.handleHash }
  const answer = await startVerification(request.database, request.school, parts, plan)
  if (answer.kind === 'sent') return redirectWithin(pathOf('verify/code', visit.handle))
  return offer(request, parts, signed, { fault: 'too_many_codes', wait: answer.wait })
}

// The address to which the code of this person was sent; that of somebody else is not shown.
const sentTo = async (
  { database, school }: EndpointRequest,
  { visit, session }: Signed,
): Promise<string | undefined> => {
  const code = await database.statements(school.id, db => findCode(db, school.id, placeOf(visit, 'verification')))
  return code?.member_id === session.member.id ? code.email : undefined
}

const showCode = async (request: EndpointRequest, parts: Parts): Promise<Reply> => {
  const signed = await signedVisit(request, handleIn(request.query))
  if (!('visit' in signed)) return signed
  const email = await sentTo(request, signed)
  if (email === undefined) return redirectWithin(pathOf('verify', signed.visit.handle))
  return codePage(pageOf(request, signed.visit), { page: 'verify', email, token: tokenOf(request, parts, signed) })
}

type Typed = { readonly signed: Signed; readonly code: string }

// Gives the new mark of the browser, where it has one; undefined when the code was not right.
const prove = async (request: EndpointRequest, { secret, random }: CodeParts, { signed, code: typed }: Typed) => {
  const { school, database } = request
  const { visit, session } = signed
  const place = placeOf(visit, 'verification')
  const code = await checkCode(database, school.id, secret, place, typed)
  if (code === undefined || code.member_id !== session.member.id) return undefined
  const mark = random(32).toString('base64url')
  const { browserHash } = visit.binding
  const cookies = await database.transaction(school.id, async db => {
    if (!(await completeVerification(db, school, place, code))) return undefined
    if (browserHash === undefined) return []
    await rebindPending(db, school.id, browserHash, { newHash: sha256(mark), memberId: session.member.id })
    return preSessionCookies(request, mark)
  })
  if (cookies !== undefined) await refundCode(database, school, request.network, code)
  return cookies
}

const submitCode = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const signed = await signedVisit(request, formField(form, 'request'))
  if (!('visit' in signed)) return signed
  const stale = refuseStale(request, parts, signed, form)
  if (stale !== undefined) return stale
  const email = await sentTo(request, signed)
  if (email === undefined) return redirectWithin(pathOf('verify', signed.visit.handle))
  const cookies = await prove(request, parts, { signed, code: formField(form, 'code') })
  if (cookies !== undefined) return redirectWithin(pathOf('consent', signed.visit.handle), cookies)
  const view = { page: 'verify', email, token: tokenOf(request, parts, signed) } as const
  return codePage(pageOf(request, signed.visit), view, { fault: 'code' })
}

/** GET and POST /oauth/authorize/verify and the page for its code: a proven address is offered, not forced. */
export const verifyEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/verify', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /oauth/authorize/verify', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /oauth/authorize/verify/code', handle: request => showCode(request, parts) }),
  endpoint({ route: 'POST /oauth/authorize/verify/code', handle: request => submitCode(request, parts) }),
]
