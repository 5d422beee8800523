import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  type CodeParts,
  checkCode,
  completeVerification,
  findCode,
  preSessionCookies,
  refundCode,
  requestVerification,
  type Session,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { Complaint } from '../pages/form-page.ts'
import { buildPath, codePage, verifyPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { type AuthorizationInProgress, getAuthorization, handleIn, isFresh, refuseCrossSite } from './in-progress.ts'
import { rebindPending } from './queries.ts'
import { carries, verifyToken } from './shown.ts'
import { buildPage, buildPlace } from './sign-up.ts'

type Signed = { readonly authorization: AuthorizationInProgress; readonly session: Session }

// Only a person who signed in for this authorization may continue; others are sent to sign-in.
const signedInAuthorization = async (request: EndpointRequest, handle: string): Promise<Signed | Reply> => {
  const authorization = await getAuthorization(request, handle)
  const { session, pending } = authorization
  return isFresh(session, pending) ? { authorization, session } : redirectWithin(buildPath('sign-in', handle))
}

type Parts = Pick<CodeParts, 'secret'>

const buildToken = ({ school }: EndpointRequest, { secret }: Parts, { authorization, session }: Signed): string =>
  verifyToken(secret, school, session, authorization.handle)

const offer = (request: EndpointRequest, parts: Parts, signed: Signed, complaint?: Complaint): Reply => {
  const { email } = signed.session.member
  return verifyPage(
    buildPage(request, signed.authorization),
    { email, token: buildToken(request, parts, signed) },
    complaint,
  )
}

// The form was posted after another person signed in: nothing is done, and the page is shown to the person who is
// signed in now.
const refuseStale = (request: EndpointRequest, parts: Parts, signed: Signed, form: Pairs): Reply | undefined => {
  if (carries(formField(form, 'token'), buildToken(request, parts, signed))) return undefined
  return offer(request, parts, signed, { error: 'stale', email: signed.session.member.email })
}

const show = async (request: EndpointRequest, parts: Parts): Promise<Reply> => {
  const signed = await signedInAuthorization(request, handleIn(request.query))
  return 'authorization' in signed ? offer(request, parts, signed) : signed
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const signed = await signedInAuthorization(request, formField(form, 'request'))
  if (!('authorization' in signed)) return signed
  const stale = refuseStale(request, parts, signed, form)
  if (stale !== undefined) return stale
  const { authorization, session } = signed
  const plan = { locale: authorization.pending.locale, boundTo: authorization.handleHash }
  const refused = await requestVerification(request, parts, session.member, plan)
  if (refused === undefined) return redirectWithin(buildPath('verify/code', authorization.handle))
  return offer(request, parts, signed, refused)
}

// The address to which the code of this person was sent; that of another person is not shown.
const sentTo = async (
  { database, school }: EndpointRequest,
  { authorization, session }: Signed,
): Promise<string | undefined> => {
  const code = await database.statements(school.id, db =>
    findCode(db, school.id, buildPlace(authorization, 'verification')),
  )
  return code?.member_id === session.member.id ? code.email : undefined
}

const showCode = async (request: EndpointRequest, parts: Parts): Promise<Reply> => {
  const signed = await signedInAuthorization(request, handleIn(request.query))
  if (!('authorization' in signed)) return signed
  const email = await sentTo(request, signed)
  if (email === undefined) return redirectWithin(buildPath('verify', signed.authorization.handle))
  return codePage(buildPage(request, signed.authorization), {
    page: 'verify',
    email,
    token: buildToken(request, parts, signed),
  })
}

type Typed = { readonly signed: Signed; readonly code: string }

// Returns the cookies of the new browser binding, if it has one; undefined when the code was not correct.
const prove = async (request: EndpointRequest, { secret, random }: CodeParts, { signed, code: typed }: Typed) => {
  const { school, database } = request
  const { authorization, session } = signed
  const place = buildPlace(authorization, 'verification')
  const code = await checkCode(database, school.id, secret, place, typed)
  if (code === undefined || code.member_id !== session.member.id) return undefined
  const browserBinding = random(32).toString('base64url')
  const { browserHash } = authorization.binding
  const cookies = await database.transaction(school.id, async db => {
    if (!(await completeVerification(db, school, place, code))) return undefined
    if (browserHash === undefined) return []
    await rebindPending(db, school.id, browserHash, { newHash: sha256(browserBinding), memberId: session.member.id })
    return preSessionCookies(request, browserBinding)
  })
  if (cookies !== undefined) await refundCode(database, school, request.network, code)
  return cookies
}

const submitCode = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const signed = await signedInAuthorization(request, formField(form, 'request'))
  if (!('authorization' in signed)) return signed
  const stale = refuseStale(request, parts, signed, form)
  if (stale !== undefined) return stale
  const email = await sentTo(request, signed)
  if (email === undefined) return redirectWithin(buildPath('verify', signed.authorization.handle))
  const cookies = await prove(request, parts, { signed, code: formField(form, 'code') })
  if (cookies !== undefined) return redirectWithin(buildPath('consent', signed.authorization.handle), cookies)
  const view = { page: 'verify', email, token: buildToken(request, parts, signed) } as const
  return codePage(buildPage(request, signed.authorization), view, { error: 'code' })
}

/** GET and POST /oauth/authorize/verify and the page for its code: verifying the address is optional. */
export const verifyEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/verify', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /oauth/authorize/verify', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /oauth/authorize/verify/code', handle: request => showCode(request, parts) }),
  endpoint({ route: 'POST /oauth/authorize/verify/code', handle: request => submitCode(request, parts) }),
]
