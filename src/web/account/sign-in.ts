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
import { browserBindingOf, withBrowserBinding } from './browser-binding.ts'
import { type Bound, formToken, languageAt, readForm, redirect, sessionOf } from './page-request.ts'
import { signInPage } from './pages/sign-in.ts'
import type { AccountPagesParts } from './parts.ts'
import { returnTo } from './return-to.ts'

type Shown = {
  readonly bound: Bound
  readonly session: Session | undefined
  readonly returnTo: string
  readonly email?: string
  readonly failure?: SignInFailure
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
  ...credentialsIn(form),
  returnTo: returnTo(formField(form, 'return_to')),
})

// Who is signed in stays the same person: somebody else signs out first.
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
