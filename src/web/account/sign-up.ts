import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  type CodeBinding,
  checkCode,
  completeSignUp,
  createSession,
  findCode,
  findPasswordError,
  isName,
  redirectInto,
  refundCode,
  type SessionStart,
  startSignUp,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanEmail, cleanLine, isEmail, isStorable } from '#src/kit/text.ts'
import { formToken, languageAt, readForm, redirect, returnTo, sessionOf } from '#src/web/page/index.ts'
import { browserBindingOf, withBrowserBinding } from './browser-binding.ts'
import type { Complaint } from './pages/change.ts'
import { signUpCodePage, signUpPage } from './pages/sign-up.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/sign-up'
const CODE_PATH = `${PATH}/code`

// Longer than a name may be, so that a long name is refused and not truncated.
const LONGEST_NAME = 200
const MAX_EMAIL = 254

const withReturn = (path: string, to: string): string => `${path}?${new URLSearchParams({ return_to: to })}`

// The code is bound to the browser in which it was requested.
const placeOf = (browserBinding: string): CodeBinding => ({
  boundTo: sha256(`visit:${browserBinding}`),
  purpose: 'sign_up',
})

type View = { readonly browserBinding: string; readonly returnTo: string; readonly complaint?: Complaint | undefined }

const viewOf = (request: EndpointRequest, secret: string, { browserBinding, ...view }: View) => ({
  school: request.school,
  language: languageAt(request),
  token: formToken(secret, request.school.id, { browserBinding }),
  ...view,
})

const show = async (request: EndpointRequest, { secret, random }: AccountPagesParts): Promise<Reply> => {
  const to = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
  if ((await sessionOf(request)) !== undefined) return redirect(to)
  return withBrowserBinding(request, random, browserBinding =>
    signUpPage({ ...viewOf(request, secret, { browserBinding, returnTo: to }), typed: { email: '', name: '' } }),
  )
}

type Typed = { readonly email: string; readonly name: string; readonly password: string }

const typedIn = (form: Pairs): Typed => ({
  email: cleanEmail(formField(form, 'email')),
  name: cleanLine(formField(form, 'name'), LONGEST_NAME),
  password: formField(form, 'password'),
})

const errorOf = async ({ school }: EndpointRequest, typed: Typed): Promise<Complaint | undefined> => {
  if (!isName(typed.name)) return { error: 'name' }
  if (!isEmail(typed.email) || !isStorable(typed.email)) return { error: 'email' }
  const error = await findPasswordError(typed.password, { ...typed, school })
  return error && { error }
}

const boundForm = async (request: EndpointRequest, secret: string) => {
  const browserBinding = browserBindingOf(request)
  const form = await readForm(request, secret, ...(browserBinding === undefined ? [] : [{ browserBinding }]))
  return { browserBinding: browserBinding ?? '', form, to: returnTo(formField(form, 'return_to')) }
}

const submit = async (request: EndpointRequest, { secret, random }: AccountPagesParts): Promise<Reply> => {
  const { school, database, network } = request
  const { browserBinding, form, to } = await boundForm(request, secret)
  const typed = typedIn(form)
  const again = (complaint?: Complaint): Reply =>
    signUpPage({
      ...viewOf(request, secret, { browserBinding, returnTo: to, complaint }),
      typed: { ...typed, email: typed.email.slice(0, MAX_EMAIL) },
    })
  if (school.signupMode === 'closed') return again()
  const complaint = await errorOf(request, typed)
  if (complaint !== undefined) return again(complaint)
  const plan = { ...typed, network, locale: languageAt(request), boundTo: placeOf(browserBinding).boundTo }
  const answer = await startSignUp(database, school, { secret, random }, plan)
  return answer.kind === 'sent'
    ? redirect(withReturn(CODE_PATH, to))
    : again({ error: 'too_many_codes', wait: answer.wait })
}

const sentTo = async ({ school, database }: EndpointRequest, browserBinding: string | undefined) => {
  if (browserBinding === undefined || browserBinding === '') return undefined
  return (await database.statements(school.id, db => findCode(db, school.id, placeOf(browserBinding))))?.email
}

const showCode = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const to = returnTo(new URLSearchParams(request.query).get('return_to') ?? '')
  const browserBinding = browserBindingOf(request)
  const email = await sentTo(request, browserBinding)
  if (email === undefined || browserBinding === undefined) return redirect(withReturn(PATH, to))
  return signUpCodePage({ ...viewOf(request, secret, { browserBinding, returnTo: to }), sentTo: email })
}

const complete = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  browserBinding: string,
  typed: string,
): Promise<SessionStart | Complaint> => {
  const { school, database, network } = request
  const place = placeOf(browserBinding)
  const code = await checkCode(database, school.id, secret, place, typed)
  if (code === undefined) return { error: 'code' }
  const completed = await database.transaction<SessionStart | Complaint>(school.id, async (db, now) => {
    const result = await completeSignUp(db, school, now, { place, code, locale: languageAt(request) })
    if (result.kind !== 'signed_up') return { error: result.kind === 'taken' ? 'has_account' : 'code' }
    return createSession(db, request, result.memberId, { now, random })
  })
  if (!('error' in completed)) await refundCode(database, school, network, code)
  return completed
}

const submitCode = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const { browserBinding, form, to } = await boundForm(request, parts.secret)
  const email = await sentTo(request, browserBinding)
  if (email === undefined) return redirect(withReturn(PATH, to))
  const completed = await complete(request, parts, browserBinding, formField(form, 'code'))
  if (!('error' in completed)) return redirectInto(completed, to)
  const view = viewOf(request, parts.secret, { browserBinding, returnTo: to, complaint: completed })
  return signUpCodePage({ ...view, sentTo: email })
}

/** GET and POST /account/sign-up and the page for its code: an account without an app, with the rules of the OAuth sign-up. */
export const signUpEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
  endpoint({ route: `GET ${CODE_PATH}`, handle: request => showCode(request, parts) }),
  endpoint({ route: `POST ${CODE_PATH}`, handle: request => submitCode(request, parts) }),
]
