import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { toLanguage } from '#src/contract/language.ts'
import {
  type CodeParts,
  type CodeRequestError,
  type Credentials,
  credentialsIn,
  proveByPassword,
  type SignInFailure,
  unparkedCookies,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { buildPath } from '../pages/people.ts'
import { signInPage } from '../pages/sign-in.ts'
import { redirectWithin } from '../redirect.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { isHinted } from './hinted.ts'
import {
  type AuthorizationInProgress,
  authorizationLost,
  findAuthorization,
  getAuthorization,
  handleIn,
  isFresh,
  refuseCrossSite,
} from './in-progress.ts'
import { sendSignInCode } from './sign-in-code.ts'
import { findSignedIn } from './sign-in-cookies.ts'

type Failure = SignInFailure | CodeRequestError

const renderPage = (
  request: EndpointRequest,
  authorization: AuthorizationInProgress,
  { email, isRemembered }: Pick<Credentials, 'email' | 'isRemembered'>,
  failure?: Failure,
): Reply =>
  signInPage({
    school: request.school,
    language: toLanguage(authorization.pending.locale),
    handle: authorization.handle,
    clientName: authorization.pending.client_name,
    email,
    isRemembered,
    ...(failure === undefined ? {} : { failure }),
  })

const show = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await getAuthorization(request, handleIn(request.query))
  const { handle, pending, session } = authorization
  const asksAgain = new URLSearchParams(request.query).has('again')
  // The session was parked where the request began, or somebody signed in in another tab.
  if (!asksAgain && isFresh(session, pending) && isHinted(pending.hinted_member_id, session))
    return redirectWithin(`/oauth/authorize/consent?request=${handle}`, unparkedCookies(request, session.isRemembered))
  return renderPage(request, authorization, { email: pending.login_hint ?? '', isRemembered: true })
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  const { secret } = parts
  refuseCrossSite(request)
  const form = await request.form()
  const handle = formField(form, 'request')
  const authorization = (await findAuthorization(request, handle)) ?? (await findSignedIn(request, handle, secret))
  if (authorization === undefined) throw authorizationLost()
  const credentials = credentialsIn(form)
  if (formField(form, 'way') === 'code') {
    const refused = await sendSignInCode(request, parts, authorization, credentials)
    if (refused !== undefined) return renderPage(request, authorization, credentials, refused)
    return redirectWithin(buildPath('sign-in/code', handle))
  }
  const proof = await proveByPassword(request, credentials, secret)
  if (proof.kind !== 'proven') return renderPage(request, authorization, credentials, proof)
  const entered = await completeSignIn<SignInFailure>(
    request,
    authorization,
    secret,
    async db => ((await proof.confirm(db)) ? { memberId: proof.memberId } : { refused: { kind: 'refused' } }),
    credentials.isRemembered,
  )
  return 'kind' in entered ? renderPage(request, authorization, credentials, entered) : entered
}

/** GET and POST /oauth/authorize/sign-in. */
export const signInEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/sign-in', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/sign-in', handle: request => submit(request, parts) }),
]
