import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  createSession,
  holdPassword,
  redirectInto,
  type Session,
  type SessionStart,
  signIn,
} from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { foldEmail } from '#src/kit/text.ts'
import { browserBindingOf, withBrowserBinding } from './browser-binding.ts'
import { type Bound, field, formToken, languageAt, readForm, redirect, sessionOf } from './page-request.ts'
import { type Failure, signInPage } from './pages/sign-in.ts'
import type { AccountPagesParts } from './parts.ts'
import { returnTo } from './return-to.ts'

type Shown = {
  readonly bound: Bound
  readonly session: Session | undefined
  readonly returnTo: string
  readonly email?: string
  readonly failure?: Failure
}

const pageOf = (request: EndpointRequest, { secret }: AccountPagesParts, shown: Shown): Reply =>
  signInPage({
    school: request.school,
    language: languageAt(request, shown.session),
    token: formToken(secret, request.school.id, shown.bound),
    email: '',
    ...shown,
  })

const againPath = (to: string): string => `/account/sign-in?${new URLSearchParams({ again: '1', return_to: to })}`

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const query = new URLSearchParams(request.query)
  const to = returnTo(query.get('return_to') ?? '')
  const session = await sessionOf(request)
  if (session !== undefined && query.get('again') === null) return redirect(to)
  if (session !== undefined) return pageOf(request, parts, { bound: { session }, session, returnTo: to })
  return withBrowserBinding(request, parts.random, mark =>
    pageOf(request, parts, { bound: { mark }, session, returnTo: to }),
  )
}

type Typed = { readonly email: string; readonly password: string; readonly returnTo: string }

const typedIn = (form: Pairs): Typed => ({
  email: field(form, 'email').trim().slice(0, 254),
  password: field(form, 'password').slice(0, 1024),
  returnTo: returnTo(field(form, 'return_to')),
})

// Who is signed in stays the same person: somebody else signs out first.
const prove = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  typed: Typed,
  session: Session | undefined,
): Promise<SessionStart | Failure> => {
  const { school, database, network } = request
  const { known } = browserOf(request)
  const result = await signIn(database, school, { ...typed, network, known, secret })
  if (result.kind !== 'signed_in') return result
  const { memberId, proof } = result
  if (session !== undefined && session.member.id !== memberId) return { kind: 'refused' }
  return database.transaction(school.id, async (db, now) => {
    // A reset that came between the check and here has changed the password and ended all sessions: this one too.
    if (!(await holdPassword(db, school.id, memberId, proof))) return { kind: 'refused' }
    return createSession(db, request, memberId, { now, random })
  })
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await sessionOf(request)
  const mark = browserBindingOf(request)
  // A form that was open in another tab while somebody signed in is still one of this browser.
  const shownTo: Bound[] = [...(mark === undefined ? [] : [{ mark }]), ...(session === undefined ? [] : [{ session }])]
  const typed = typedIn(await readForm(request, parts.secret, ...shownTo))
  const isSame = session === undefined || foldEmail(typed.email) === foldEmail(session.member.email)
  if (!isSame) return redirect(againPath(typed.returnTo))
  const proven = await prove(request, parts, typed, session)
  if ('kind' in proven) {
    const bound: Bound = session === undefined ? { mark: mark ?? '' } : { session }
    return pageOf(request, parts, { ...typed, bound, session, failure: proven })
  }
  return redirectInto(proven, typed.returnTo)
}

/** GET and POST /account/sign-in. */
export const signInEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/sign-in', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/sign-in', handle: request => submit(request, parts) }),
]
