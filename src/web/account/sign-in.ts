import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  createSession,
  credentialsIn,
  proveByPassword,
  redirectInto,
  type Session,
  type SessionStart,
  type SignInFailure,
} from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { foldEmail } from '#src/kit/text.ts'
import { type Bound, formToken, languageAt, readForm, redirect, returnTo, sessionOf } from '#src/web/page/index.ts'
import { browserBindingOf, withBrowserBinding } from './browser-binding.ts'
import { signInPage } from './pages/sign-in.ts'
import type { AccountPagesParts } from './parts.ts'

type SignInPage = {
  readonly bound: Bound
  readonly session: Session | undefined
  readonly returnTo: string
  readonly email?: string
  readonly failure?: SignInFailure
}

const pageOf = (request: EndpointRequest, { secret }: AccountPagesParts, view: SignInPage): Reply =>
  signInPage({
    school: request.school,
    language: languageAt(request, view.session),
    token: formToken(secret, request.school.id, view.bound),
    email: '',
    ...view,
  })

const againPath = (to: string): string => `/account/sign-in?${new URLSearchParams({ again: '1', return_to: to })}`

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const query = new URLSearchParams(request.query)
  const to = returnTo(query.get('return_to') ?? '')
  const session = await sessionOf(request)
  if (session !== undefined && query.get('again') === null) return redirect(to)
  if (session !== undefined) return pageOf(request, parts, { bound: { session }, session, returnTo: to })
  return withBrowserBinding(request, parts.random, browserBinding =>
    pageOf(request, parts, { bound: { browserBinding }, session, returnTo: to }),
  )
}

type Typed = { readonly email: string; readonly password: string; readonly returnTo: string }

const typedIn = (form: Pairs): Typed => ({
  ...credentialsIn(form),
  returnTo: returnTo(formField(form, 'return_to')),
})

// Only the same person can confirm their password; another person has to sign out first.
const prove = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  typed: Typed,
  session: Session | undefined,
): Promise<SessionStart | SignInFailure> => {
  const { school, database } = request
  const proof = await proveByPassword(request, typed, secret)
  if (proof.kind !== 'proven') return proof
  const { memberId } = proof
  if (session !== undefined && session.member.id !== memberId) return { kind: 'refused' }
  return database.transaction(school.id, async (db, now) =>
    (await proof.confirm(db)) ? createSession(db, request, memberId, { now, random }) : { kind: 'refused' },
  )
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await sessionOf(request)
  const browserBinding = browserBindingOf(request)
  // A form that was open in another tab during a sign-in still belongs to this browser.
  const audience: Bound[] = [
    ...(browserBinding === undefined ? [] : [{ browserBinding }]),
    ...(session === undefined ? [] : [{ session }]),
  ]
  const typed = typedIn(await readForm(request, parts.secret, ...audience))
  const isSame = session === undefined || foldEmail(typed.email) === foldEmail(session.member.email)
  if (!isSame) return redirect(againPath(typed.returnTo))
  const proven = await prove(request, parts, typed, session)
  if ('kind' in proven) {
    const bound: Bound = session === undefined ? { browserBinding: browserBinding ?? '' } : { session }
    return pageOf(request, parts, { ...typed, bound, session, failure: proven })
  }
  return redirectInto(proven, typed.returnTo)
}

/** GET and POST /account/sign-in. */
export const signInEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/sign-in', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/sign-in', handle: request => submit(request, parts) }),
]
