import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { toLanguage } from '#src/contract/language.ts'
import { type CodeParts, credentialsIn, proveByPassword, type SignInFailure } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { signInPage } from '../pages/sign-in.ts'
import { completeSignIn } from './complete-sign-in.ts'
import {
  type AuthorizationInProgress,
  authorizationLost,
  findAuthorization,
  getAuthorization,
  handleIn,
  refuseCrossSite,
} from './in-progress.ts'
import { findSignedIn } from './sign-in-cookies.ts'

const renderPage = (
  request: EndpointRequest,
  authorization: AuthorizationInProgress,
  email: string,
  failure?: SignInFailure,
): Reply =>
  signInPage({
    school: request.school,
    language: toLanguage(authorization.pending.locale),
    handle: authorization.handle,
    clientName: authorization.pending.client_name,
    email,
    ...(failure === undefined ? {} : { failure }),
  })

const show = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await getAuthorization(request, handleIn(request.query))
  return renderPage(request, authorization, authorization.pending.login_hint ?? '')
}

const submit = async (request: EndpointRequest, { secret }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const handle = formField(form, 'request')
  const authorization = (await findAuthorization(request, handle)) ?? (await findSignedIn(request, handle, secret))
  if (authorization === undefined) throw authorizationLost()
  const credentials = credentialsIn(form)
  const proof = await proveByPassword(request, credentials, secret)
  if (proof.kind !== 'proven') return renderPage(request, authorization, credentials.email, proof)
  const entered = await completeSignIn<SignInFailure>(request, authorization, secret, async db =>
    (await proof.confirm(db)) ? { memberId: proof.memberId } : { refused: { kind: 'refused' } },
  )
  return 'kind' in entered ? renderPage(request, authorization, credentials.email, entered) : entered
}

/** GET and POST /oauth/authorize/sign-in. */
export const signInEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/sign-in', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/sign-in', handle: request => submit(request, parts) }),
]
