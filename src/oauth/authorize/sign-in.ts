import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageOf } from '#src/contract/language.ts'
import { browserOf, type CodeParts, holdPassword, type SignInResult, signIn } from '#src/identity/index.ts'
import { signInPage } from '../pages/sign-in.ts'
import { completeSignIn } from './complete-sign-in.ts'
import {
  type AuthorizationInProgress,
  authorizationLost,
  authorizationOf,
  field,
  findAuthorization,
  handleIn,
  refuseCrossSite,
} from './in-progress.ts'
import { findSignedIn } from './sign-in-cookies.ts'

type Failure = Exclude<SignInResult, { kind: 'signed_in' }>

const pageOf = (request: EndpointRequest, visit: AuthorizationInProgress, email: string, failure?: Failure): Reply =>
  signInPage({
    school: request.school,
    language: languageOf(visit.pending.locale),
    handle: visit.handle,
    clientName: visit.pending.client_name,
    email,
    ...(failure === undefined ? {} : { failure }),
  })

const show = async (request: EndpointRequest): Promise<Reply> => {
  const visit = await authorizationOf(request, handleIn(request.query))
  return pageOf(request, visit, visit.pending.login_hint ?? '')
}

const submit = async (request: EndpointRequest, { secret }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database, network } = request
  const form = await request.form()
  const handle = field(form, 'request')
  const visit = (await findAuthorization(request, handle)) ?? (await findSignedIn(request, handle, secret))
  if (visit === undefined) throw authorizationLost()
  const email = field(form, 'email').trim().slice(0, 254)
  const password = field(form, 'password').slice(0, 1024)
  const { known } = browserOf(request)
  const result = await signIn(database, school, { email, password, network, known, secret })
  if (result.kind !== 'signed_in') return pageOf(request, visit, email, result)
  const { memberId, proof } = result
  // A reset that came between the check and here has changed the password and ended all sessions: this one too.
  const entered = await completeSignIn<Failure>(request, visit, secret, async db =>
    (await holdPassword(db, school.id, memberId, proof)) ? { memberId } : { refused: { kind: 'refused' } },
  )
  return 'kind' in entered ? pageOf(request, visit, email, entered) : entered
}

/** GET and POST /oauth/authorize/sign-in. */
export const signInEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/sign-in', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/sign-in', handle: request => submit(request, parts) }),
]
