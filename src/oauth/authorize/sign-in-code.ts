import type { Db } from '#src/contract/db.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageFor } from '#src/contract/language.ts'
import {
  type ActiveCode,
  type CodeParts,
  type CodeRequestError,
  type Credentials,
  findCode,
  lockRecentSession,
  proveByMailedCode,
  requestSignInCode,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField } from '#src/kit/form.ts'
import type { Complaint } from '../pages/form-page.ts'
import { buildPath, codeLinkPage, codePage, elsewherePage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { completeSignIn, type ProvenPerson } from './complete-sign-in.ts'
import { type AuthorizationInProgress, authorizationLost, findAuthorization, refuseCrossSite } from './in-progress.ts'
import { deriveSessionSecrets, findSignedIn } from './sign-in-cookies.ts'
import { buildPage, buildPlace } from './sign-up.ts'

const placeIn = (authorization: AuthorizationInProgress) =>
  ({ ...buildPlace(authorization, 'sign_in'), purpose: 'sign_in' }) as const

/** Mails a code to sign in for an authorization; returns why not. */
export const sendSignInCode = (
  request: EndpointRequest,
  parts: CodeParts,
  authorization: AuthorizationInProgress,
  { email, isRemembered }: Pick<Credentials, 'email' | 'isRemembered'>,
): Promise<CodeRequestError | undefined> => {
  const { pending, handle } = authorization
  const page = `${request.school.siteOrigin}${buildPath('sign-in/code', handle)}`
  const link = (code: string): string => `${page}&code=${code}`
  const plan = { email, isRemembered, locale: pending.locale, place: placeIn(authorization), link }
  return requestSignInCode(request, parts, plan)
}

const find = (request: EndpointRequest, authorization: AuthorizationInProgress): Promise<ActiveCode | undefined> => {
  const { school, database } = request
  return database.statements(school.id, db => findCode(db, school.id, placeIn(authorization)))
}

const showElsewhere = (request: EndpointRequest): Reply => elsewherePage(request.school, languageFor(request))

const show = async (request: EndpointRequest): Promise<Reply> => {
  const query = new URLSearchParams(request.query)
  const handle = query.get('request') ?? ''
  const code = query.get('code')
  const authorization = await findAuthorization(request, handle)
  if (authorization === undefined) {
    if (code === null) throw authorizationLost()
    return showElsewhere(request)
  }
  const found = await find(request, authorization)
  if (found === undefined || found.is_used) return redirectWithin(buildPath('sign-in', handle))
  const page = buildPage(request, authorization)
  return code === null
    ? codePage(page, { page: 'sign-in', email: found.email })
    : codeLinkPage(page, found.email, code.slice(0, 20))
}

type Typed = { readonly email: string; readonly code: string }

const enter = async (
  request: EndpointRequest,
  secret: string,
  authorization: AuthorizationInProgress,
  { email, code }: Typed,
): Promise<Reply | Complaint> => {
  const { school } = request
  const proof = await proveByMailedCode(request, secret, { ...placeIn(authorization), email }, code)
  if (proof.kind === 'too_many') return { error: 'too_many_tries', wait: proof.wait }
  if (proof.kind !== 'proven') return { error: 'code' }
  const { memberId, secrets } = proof
  const how = { salt: authorization.pending.entry_salt, isRemembered: secrets.isRemembered }
  const { session } = deriveSessionSecrets(secret, school.id, authorization, how)
  let isFirst = false
  const prove = async (db: Db): Promise<ProvenPerson<Complaint>> => {
    isFirst = await proof.confirm(db)
    // The same form may have been posted before: the session that it opened continues, and no other begins.
    const isOpen = isFirst || (await lockRecentSession(db, school.id, sha256(session), memberId))
    return isOpen ? { memberId, amr: ['otp'] } : { refused: { error: 'code' } }
  }
  const entered = await completeSignIn(request, authorization, secret, prove, how.isRemembered)
  if (isFirst && !('error' in entered)) await proof.settle()
  return entered
}

const submit = async (request: EndpointRequest, { secret }: Pick<CodeParts, 'secret'>): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const handle = formField(form, 'request')
  const authorization = (await findAuthorization(request, handle)) ?? (await findSignedIn(request, handle, secret))
  if (authorization === undefined) throw authorizationLost()
  const found = await find(request, authorization)
  if (found === undefined) return redirectWithin(buildPath('sign-in', handle))
  const { email } = found
  const entered = await enter(request, secret, authorization, { email, code: formField(form, 'code') })
  return 'error' in entered ? codePage(buildPage(request, authorization), { page: 'sign-in', email }, entered) : entered
}

/** GET and POST /oauth/authorize/sign-in/code: the page for the code from the mail, or the button after its link. */
export const signInCodeEndpoints = (parts: Pick<CodeParts, 'secret'>): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/sign-in/code', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/sign-in/code', handle: request => submit(request, parts) }),
]
