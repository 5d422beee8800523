import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { chooseLanguage, type Language, type Phrase } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidRequest } from '#src/contract/problems.ts'
import {
  browserOf,
  findSession,
  formTokenFor,
  holdSessionPerson,
  isSameSite,
  type Session,
} from '#src/identity/index.ts'
import { sameBytes } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { returnTo } from './return-to.ts'

/** How young a sign-in must be for what a thief of an open browser would want most, in seconds. */
export const RECENT_SECONDS = 10 * 60

/** What a form's token is bound to: a session, or the mark of a browser in which nobody is signed in. */
export type Bound = { readonly session: Session } | { readonly mark: string }

/** Whether text is the id of a row, so that the database can be asked for it. */
export const isRowId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** What was done a moment ago, as the address says. */
export const doneOf = (request: EndpointRequest): string => new URLSearchParams(request.query).get('done') ?? ''

/** The language of a page for who is signed in, if anybody. */
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

/** The token by which a form shows that a page of ours sent it. */
export const formToken = (secret: string, schoolId: string, bound: Bound): string =>
  formTokenFor(secret, schoolId, 'session' in bound ? ['session', bound.session.id] : ['visit', bound.mark])

const personIn = (shownTo: readonly Bound[]): Session['member'] | undefined =>
  shownTo.flatMap(bound => ('session' in bound ? [bound.session.member] : []))[0]

const refusedFor = (person: Session['member'] | undefined): Phrase => {
  if (person === undefined)
    return {
      en: 'This form does not belong to this sign-in, so that nothing was done. Open the page again and send it from there.',
      pt: 'Este formulário não pertence a este início de sessão, por isso nada foi feito. Abra a página de novo e envie-o a partir daí.',
    }
  const who = `${person.name} (${person.email})`
  return {
    en: `This form does not belong to this sign-in, so that nothing was done. You are now signed in as ${who}.`,
    pt: `Este formulário não pertence a este início de sessão, por isso nada foi feito. A sessão é agora de ${who}.`,
  }
}

const openAgain: Phrase = { en: 'Open the page again', pt: 'Abrir a página de novo' }

// Whoever is signed in now goes on from the page as it is for them; sign-out has none of its own.
const refused = (request: EndpointRequest, shownTo: readonly Bound[]): Refusal => {
  const href = request.path === '/account/sign-out' ? '/account' : request.path
  return new Refusal(formRefused, refusedFor(personIn(shownTo)), {
    // The body may not have been read.
    headers: { connection: 'close' },
    links: [{ href, label: openAgain }],
  })
}

const isForm = (request: EndpointRequest): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.header('content-type') ?? '')

// These addresses speak in problems (RFC 9457), and not in the errors of OAuth.
const formOf = async (request: EndpointRequest): Promise<Pairs> => {
  try {
    return await request.form()
  } catch (error) {
    if (error instanceof OAuthError) throw new Refusal(invalidRequest, error.message)
    throw error
  }
}

/** Reads a form of a page of ours that was shown to one of these; refuses any other. */
export const readForm = async (
  request: EndpointRequest,
  secret: string,
  ...shownTo: readonly Bound[]
): Promise<Pairs> => {
  if (!isSameSite(request) || !isForm(request)) throw refused(request, shownTo)
  const form = await formOf(request)
  const token = Buffer.from(formField(form, 'token'))
  const isOurs = (bound: Bound) => sameBytes(token, Buffer.from(formToken(secret, request.school.id, bound)))
  if (!shownTo.some(isOurs)) throw refused(request, shownTo)
  return form
}

/** Who is signed in, if anybody. */
export const sessionOf = async (request: EndpointRequest): Promise<Session | undefined> => {
  const { database, school } = request
  const session = await database.statements(school.id, db => findSession(db, school.id, browserOf(request).session))
  if (session !== undefined) request.seen(session.member.id)
  return session
}

const toSignIn = (request: EndpointRequest, more: Readonly<Record<string, string>>): Reply => {
  const query = request.method === 'POST' || request.query === '' ? '' : `?${request.query}`
  const wanted = new URLSearchParams({ ...more, return_to: returnTo(`${request.path}${query}`) })
  return redirect(`/account/sign-in?${wanted}`)
}

/** Who is signed in, or the way to sign-in and back. */
export const personOf = async (request: EndpointRequest): Promise<Session | Reply> =>
  (await sessionOf(request)) ?? toSignIn(request, {})

/** Who signed in a moment ago, or the way to do so again and back. */
export const recentPersonOf = async (request: EndpointRequest): Promise<Session | Reply> => {
  const session = await sessionOf(request)
  if (session === undefined) return toSignIn(request, {})
  return session.age < RECENT_SECONDS ? session : toSignIn(request, { again: '1' })
}

/** Who is signed in, as operations are performed for them. */
export const atPage = ({ school, requestId }: EndpointRequest, { id, member }: Session): SignedInPerson => ({
  ...{ school, requestId },
  member: { id: member.id, role: member.role },
  hold: db => holdSessionPerson(db, school.id, id),
})

/** Whether `personOf` or `recentPersonOf` gave the way to sign-in. */
export const isReply = (given: Session | Reply): given is Reply => 'status' in given
