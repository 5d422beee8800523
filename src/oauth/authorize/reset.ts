import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { type CodeParts, proveByCode, requestReset } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { cleanEmail } from '#src/kit/text.ts'
import type { Complaint } from '../pages/form-page.ts'
import { buildPath, codePage, resetPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { getAuthorization, handleIn, refuseCrossSite } from './in-progress.ts'
import { endPendingRequests } from './queries.ts'
import { buildPage, buildPlace, sentTo } from './sign-up.ts'

const show = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await getAuthorization(request, handleIn(request.query))
  return resetPage(buildPage(request, authorization), authorization.pending.login_hint ?? '')
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const authorization = await getAuthorization(request, formField(form, 'request'))
  const email = cleanEmail(formField(form, 'email'))
  const refused = await requestReset(request, parts, {
    email,
    locale: authorization.pending.locale,
    boundTo: authorization.handleHash,
  })
  return refused === undefined
    ? redirectWithin(buildPath('reset/code', authorization.handle))
    : resetPage(buildPage(request, authorization), email, refused)
}

const showCode = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await getAuthorization(request, handleIn(request.query))
  const email = await sentTo(request, buildPlace(authorization, 'reset'))
  return codePage(buildPage(request, authorization), { page: 'reset', email })
}

const submitCode = async (request: EndpointRequest, { secret }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school } = request
  const form = await request.form()
  const authorization = await getAuthorization(request, formField(form, 'request'))
  const place = buildPlace(authorization, 'reset')
  const email = await sentTo(request, place)
  const wrong = (complaint: Complaint): Reply =>
    codePage(buildPage(request, authorization), { page: 'reset', email }, complaint)
  const typed = { code: formField(form, 'code'), password: formField(form, 'password') }
  const proof = await proveByCode(request, secret, { ...place, email }, typed)
  if ('error' in proof) return wrong(proof)
  const entered = await completeSignIn<Complaint>(request, authorization, secret, async (db, now) => {
    const memberId = await proof.complete(db, now)
    if (memberId === undefined) return { refused: { error: 'code' } }
    await endPendingRequests(db, school.id, memberId, authorization.handleHash)
    return { memberId }
  })
  if ('error' in entered) return wrong(entered)
  await proof.settle()
  return entered
}

/** GET and POST /oauth/authorize/reset and the page for its code and the new password. */
export const resetEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/reset', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/reset', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /oauth/authorize/reset/code', handle: showCode }),
  endpoint({ route: 'POST /oauth/authorize/reset/code', handle: request => submitCode(request, parts) }),
]
