import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { type CodeParts, proveByCode, requestReset } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { cleanEmail } from '#src/kit/text.ts'
import type { Complaint } from '../pages/form-page.ts'
import { codePage, pathOf, resetPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { authorizationOf, handleIn, refuseCrossSite } from './in-progress.ts'
import { endPendingOf } from './queries.ts'
import { pageOf, placeOf, sentTo } from './sign-up.ts'

const show = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await authorizationOf(request, handleIn(request.query))
  return resetPage(pageOf(request, authorization), authorization.pending.login_hint ?? '')
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const authorization = await authorizationOf(request, formField(form, 'request'))
  const email = cleanEmail(formField(form, 'email'))
  const refused = await requestReset(request, parts, {
    email,
    locale: authorization.pending.locale,
    boundTo: authorization.handleHash,
  })
  return refused === undefined
    ? redirectWithin(pathOf('reset/code', authorization.handle))
    : resetPage(pageOf(request, authorization), email, refused)
}

const showCode = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await authorizationOf(request, handleIn(request.query))
  const email = await sentTo(request, placeOf(authorization, 'reset'))
  return codePage(pageOf(request, authorization), { page: 'reset', email })
}

const submitCode = async (request: EndpointRequest, { secret }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school } = request
  const form = await request.form()
  const authorization = await authorizationOf(request, formField(form, 'request'))
  const place = placeOf(authorization, 'reset')
  const email = await sentTo(request, place)
  const wrong = (complaint: Complaint): Reply =>
    codePage(pageOf(request, authorization), { page: 'reset', email }, complaint)
  const typed = { code: formField(form, 'code'), password: formField(form, 'password') }
  const proof = await proveByCode(request, secret, { ...place, email }, typed)
  if ('error' in proof) return wrong(proof)
  const entered = await completeSignIn<Complaint>(request, authorization, secret, async (db, now) => {
    const memberId = await proof.complete(db, now)
    if (memberId === undefined) return { refused: { error: 'code' } }
    await endPendingOf(db, school.id, memberId, authorization.handleHash)
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
