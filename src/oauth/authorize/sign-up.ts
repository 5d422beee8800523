import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { toLanguage } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import {
  type CodeBinding,
  type CodeParts,
  type CodePurpose,
  checkCode,
  completeSignUp,
  findCode,
  findPasswordError,
  isName,
  refundCode,
  startSignUp,
} from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanEmail, cleanLine, isEmail, isStorable } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { Complaint } from '../pages/form-page.ts'
import { buildPath, codePage, type PageOf, signUpPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { type AuthorizationInProgress, getAuthorization, handleIn, refuseCrossSite } from './in-progress.ts'

// Longer than a name may be, so that a long name is refused and not truncated.
const LONGEST_NAME = 200

/** The page context of an authorization. */
export const buildPage = (request: EndpointRequest, authorization: AuthorizationInProgress): PageOf => ({
  school: request.school,
  language: toLanguage(authorization.pending.locale),
  handle: authorization.handle,
})

/** The binding of a code to an authorization, which is bound to this browser. */
export const buildPlace = (authorization: AuthorizationInProgress, purpose: CodePurpose): CodeBinding => ({
  boundTo: authorization.handleHash,
  purpose,
})

/** The address to which the code of an authorization was sent; refuses when there is none. */
export const sentTo = async (request: EndpointRequest, place: CodeBinding): Promise<string> => {
  const code = await request.database.statements(request.school.id, db => findCode(db, request.school.id, place))
  if (code !== undefined) return code.email
  throw new OAuthError('invalid_request', texts.oauth.authorize.signUp.sentTo.theCodeHasExpiredOr)
}

/** The error of a name, an address and a password, if there is one. */
export const findError = async (
  request: EndpointRequest,
  typed: { readonly email: string; readonly name: string; readonly password: string },
): Promise<Complaint | undefined> => {
  if (!isName(typed.name)) return { error: 'name' }
  if (!isEmail(typed.email) || !isStorable(typed.email)) return { error: 'email' }
  const error = await findPasswordError(typed.password, { ...typed, school: request.school })
  return error && { error }
}

/** The name in a form, as one line. */
export const nameIn = (form: Pairs): string => cleanLine(formField(form, 'name'), LONGEST_NAME)

const show = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await getAuthorization(request, handleIn(request.query))
  return signUpPage(buildPage(request, authorization), { email: authorization.pending.login_hint ?? '', name: '' })
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database, network } = request
  const form = await request.form()
  const authorization = await getAuthorization(request, formField(form, 'request'))
  const typed = { email: cleanEmail(formField(form, 'email')), name: nameIn(form) }
  const password = formField(form, 'password')
  const again = (complaint?: Complaint): Reply => signUpPage(buildPage(request, authorization), typed, complaint)
  if (school.signupMode === 'closed') return again()
  const complaint = await findError(request, { ...typed, password })
  if (complaint !== undefined) return again(complaint)
  const { handleHash: boundTo, pending } = authorization
  const plan = { ...typed, password, network, locale: pending.locale, boundTo }
  const answer = await startSignUp(database, school, parts, plan)
  if (answer.kind === 'too_many') return again({ error: 'too_many_codes', wait: answer.wait })
  return redirectWithin(buildPath('sign-up/code', authorization.handle))
}

const showCode = async (request: EndpointRequest): Promise<Reply> => {
  const authorization = await getAuthorization(request, handleIn(request.query))
  const email = await sentTo(request, buildPlace(authorization, 'sign_up'))
  return codePage(buildPage(request, authorization), { page: 'sign-up', email })
}

const submitCode = async (request: EndpointRequest, { secret }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database, network } = request
  const form = await request.form()
  const authorization = await getAuthorization(request, formField(form, 'request'))
  const place = buildPlace(authorization, 'sign_up')
  const email = await sentTo(request, place)
  const wrong = (complaint: Complaint): Reply =>
    codePage(buildPage(request, authorization), { page: 'sign-up', email }, complaint)
  const code = await checkCode(database, school.id, secret, place, formField(form, 'code'))
  if (code === undefined) return wrong({ error: 'code' })
  const entered = await completeSignIn<Complaint>(request, authorization, secret, async (db, now) => {
    const result = await completeSignUp(db, school, now, { place, code, locale: authorization.pending.locale })
    if (result.kind === 'signed_up') return { memberId: result.memberId }
    return { refused: { error: result.kind === 'taken' ? 'taken' : 'code' } }
  })
  if ('error' in entered) return wrong(entered)
  await refundCode(database, school, network, code)
  return entered
}

/** GET and POST /oauth/authorize/sign-up and the page for its code (Initiating User Registration 1.0). */
export const signUpEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/sign-up', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/sign-up', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /oauth/authorize/sign-up/code', handle: showCode }),
  endpoint({ route: 'POST /oauth/authorize/sign-up/code', handle: request => submitCode(request, parts) }),
]
