import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { chooseLanguage, fill, inEach, type Language, type Phrase } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidRequest } from '#src/contract/problems.ts'
import {
  findSession,
  formTokenFor,
  isSameSite,
  lockSessionMember,
  readBrowser,
  type Session,
} from '#src/identity/index.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { returnTo } from './return-to.ts'

/** How recent a sign-in must be for security-critical changes, in seconds. */
const RECENT_SECONDS = 10 * 60

/** What a form's token is bound to: a session, or the browser binding where nobody is signed in. */
export type Bound = { readonly session: Session } | { readonly browserBinding: string }

/** Whether a text is a UUID, so that it can be used in a query. */
export const isRowId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The action that was just done, from the query. */
export const readDone = (request: EndpointRequest): string => new URLSearchParams(request.query).get('done') ?? ''

/** The language of a page, for the signed-in person if there is one. */
export const languageAt = (request: EndpointRequest, session?: Session): Language =>
  chooseLanguage({
    member: session?.member.locale,
    browser: request.header('accept-language'),
    school: request.school.locale,
  })

/** A redirect within the pages. */
export const redirect = (location: string, headers: Reply['headers'] = {}): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin', ...headers },
})

/** The CSRF token of a form. */
export const formToken = (secret: string, schoolId: string, bound: Bound): string =>
  formTokenFor(secret, schoolId, 'session' in bound ? ['session', bound.session.id] : ['visit', bound.browserBinding])

const personIn = (audience: readonly Bound[]): Session['member'] | undefined =>
  audience.flatMap(bound => ('session' in bound ? [bound.session.member] : []))[0]

const refusedFor = (person: Session['member'] | undefined): Phrase => {
  if (person === undefined) return texts.account.pageRequest.refusedFor.thisFormDoesNotBelong
  const who = `${person.name} (${person.email})`
  return inEach(language => fill(texts.account.pageRequest.refusedFor.nowSignedIn, language, { who }))
}

const openAgain: Phrase = texts.account.pageRequest.openAgain

// The page links to itself as it is for the person who is signed in now; sign-out has no page of its own.
const refused = (request: EndpointRequest, audience: readonly Bound[]): Refusal => {
  const path = request.query === '' ? request.path : `${request.path}?${request.query}`
  const href = request.path === '/account/sign-out' ? '/account' : path
  return new Refusal(formRefused, refusedFor(personIn(audience)), {
    // The body may not have been read.
    headers: { connection: 'close' },
    links: [{ href, label: openAgain }],
  })
}

const isForm = (request: EndpointRequest): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.header('content-type') ?? '')

// These pages report problems (RFC 9457), not OAuth errors.
const readPostedForm = async (request: EndpointRequest): Promise<Pairs> => {
  try {
    return await request.form()
  } catch (error) {
    if (error instanceof OAuthError) throw new Refusal(invalidRequest, error.message)
    throw error
  }
}

/** Refuses a form of another site, or without a token for one of these sessions or browsers. */
export const checkToken = (
  request: EndpointRequest,
  secret: string,
  form: Pairs,
  ...audience: readonly Bound[]
): void => {
  const token = Buffer.from(formField(form, 'token'))
  const isOurs = (bound: Bound) => sameBytes(token, Buffer.from(formToken(secret, request.school.id, bound)))
  if (!isSameSite(request) || !audience.some(isOurs)) throw refused(request, audience)
}

/** Reads a form with a token for one of these sessions or browsers; refuses any other. */
export const readForm = async (
  request: EndpointRequest,
  secret: string,
  ...audience: readonly Bound[]
): Promise<Pairs> => {
  if (!isSameSite(request) || !isForm(request)) throw refused(request, audience)
  const form = await readPostedForm(request)
  checkToken(request, secret, form, ...audience)
  return form
}

/** The current session, if there is one. */
export const readSession = async (request: EndpointRequest): Promise<Session | undefined> => {
  const { database, school } = request
  const session = await database.statements(school.id, db => findSession(db, school.id, readBrowser(request).session))
  if (session !== undefined) request.markSeen(session.member.id)
  return session
}

const toSignIn = (request: EndpointRequest, more: Readonly<Record<string, string>>): Reply => {
  const query = request.method === 'POST' || request.query === '' ? '' : `?${request.query}`
  const parameters = new URLSearchParams({ ...more, return_to: returnTo(`${request.path}${query}`) })
  return redirect(`/account/sign-in?${parameters}`)
}

/** The current session, or a redirect to sign-in and back. */
export const requirePerson = async (request: EndpointRequest): Promise<Session | Reply> =>
  (await readSession(request)) ?? toSignIn(request, {})

/** The session of a recent sign-in, or a redirect to sign in again and back. */
export const requireRecentPerson = async (request: EndpointRequest): Promise<Session | Reply> => {
  const session = await readSession(request)
  if (session === undefined) return toSignIn(request, {})
  return session.age < RECENT_SECONDS ? session : toSignIn(request, { again: '1' })
}

/** The signed-in person, to perform operations for them. */
export const atPage = ({ school, requestId, network }: EndpointRequest, { id, member }: Session): SignedInPerson => ({
  school,
  requestId,
  network,
  member: { id: member.id, role: member.role },
  lockMember: db => lockSessionMember(db, school.id, id),
})

/** Whether `requirePerson` or `requireRecentPerson` returned a redirect. */
export const isReply = (value: Session | Reply): value is Reply => 'status' in value
