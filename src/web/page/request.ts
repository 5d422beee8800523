import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, inEach, type Language, languageFor, type Phrase } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, invalidRequest, proofRequired } from '#src/contract/problems.ts'
import {
  extendProof,
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
import { chooseViewed } from './viewing.ts'

/** What a form's token is bound to: a session, or the browser binding where nobody is signed in. */
export type Bound = { readonly session: Session } | { readonly browserBinding: string }

/** Whether a text is a UUID, so that it can be used in a query. */
export const isRowId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The action that was just done, from the query. */
export const readDone = (request: EndpointRequest): string => new URLSearchParams(request.query).get('done') ?? ''

/** The language of a page, for the signed-in person if there is one. */
export const languageAt = (request: EndpointRequest, session?: Session): Language =>
  languageFor(request, { member: session?.member.locale })

/** A redirect within the pages. */
export const redirect = (location: string, headers: Reply['headers'] = {}): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin', ...headers },
})

const macFor = (secret: string, schoolId: string, bound: Bound): string =>
  formTokenFor(secret, schoolId, 'session' in bound ? ['session', bound.session.id] : ['visit', bound.browserBinding])

const shortId = (uuid: string): string => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')

const longId = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * The CSRF token of a form. That of a session begins with its id, so that a form says whose it was without a cookie; that of a form
 * that was kept ends with the handle of what was typed.
 */
export const formToken = (secret: string, schoolId: string, bound: Bound, kept?: string): string =>
  [
    ...('session' in bound ? [shortId(bound.session.id)] : []),
    macFor(secret, schoolId, bound),
    ...(kept ? [kept] : []),
  ].join('.')

type Token = { readonly sessionId: string | undefined; readonly mac: string; readonly kept: string | undefined }

/** Reads the token of a form. */
export const tokenIn = (form: Pairs): Token => {
  const [, id, mac = '', kept] =
    /^(?:([\w-]{22})\.)?([\w-]{43})(?:\.([\w-]{43}))?$/.exec(formField(form, 'token')) ?? []
  return { sessionId: id === undefined ? undefined : longId(id), mac, kept }
}

/** The session in the token of a form; undefined where the token is not of a session of this school. */
export const sessionOfToken = (secret: string, schoolId: string, form: Pairs): string | undefined => {
  const { sessionId, mac } = tokenIn(form)
  if (sessionId === undefined) return undefined
  const own = formTokenFor(secret, schoolId, ['session', sessionId])
  return sameBytes(Buffer.from(mac), Buffer.from(own)) ? sessionId : undefined
}

const personIn = (audience: readonly Bound[]): Session['member'] | undefined =>
  audience.flatMap(bound => ('session' in bound ? [bound.session.member] : []))[0]

const refusedFor = (person: Session['member'] | undefined): Phrase => {
  if (person === undefined) return texts.account.pageRequest.refusedFor.thisFormDoesNotBelong
  const who = `${person.name} (${person.email})`
  return inEach(language => fill(texts.account.pageRequest.refusedFor.nowSignedIn, language, { who }))
}

const openAgain: Phrase = texts.account.pageRequest.openAgain

/** The refusal of a form. It links to the page as it is for the person who is signed in now. */
export const refused = (request: EndpointRequest, audience: readonly Bound[]): Refusal => {
  const href = request.query === '' ? request.path : `${request.path}?${request.query}`
  return new Refusal(formRefused, refusedFor(personIn(audience)), {
    // The body may not have been read.
    headers: { connection: 'close' },
    links: [{ href, label: openAgain }],
  })
}

/** Whether a request is a form without files. */
export const isForm = (request: EndpointRequest): boolean =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.header('content-type') ?? '')

/** Reads the fields of a form. These pages report problems (RFC 9457), not OAuth errors. */
export const readPostedForm = async (request: EndpointRequest, maxBytes?: number): Promise<Pairs> => {
  try {
    return await request.form(maxBytes)
  } catch (error) {
    if (error instanceof OAuthError) throw new Refusal(invalidRequest, error.message)
    throw error
  }
}

/** Refuses a form of another site, or without a token for one of these sessions or browsers. */
const checkToken = (request: EndpointRequest, secret: string, form: Pairs, ...audience: readonly Bound[]): void => {
  if (!isSameSite(request) || !carriesToken(request, secret, form, audience)) throw refused(request, audience)
}

/** Whether a form has the token of one of these sessions or browsers. */
export const carriesToken = (
  { school }: EndpointRequest,
  secret: string,
  form: Pairs,
  audience: readonly Bound[],
): boolean => {
  const mac = Buffer.from(tokenIn(form).mac)
  return audience.some(bound => sameBytes(mac, Buffer.from(macFor(secret, school.id, bound))))
}

/** Reads a form of a page of this site, whatever its token; refuses one of another site. */
export const readOwnForm = async (request: EndpointRequest, audience: readonly Bound[]): Promise<Pairs> => {
  if (!isSameSite(request) || !isForm(request)) throw refused(request, audience)
  return readPostedForm(request)
}

/** Reads a form with a token for one of these sessions or browsers; refuses any other. */
export const readForm = async (
  request: EndpointRequest,
  secret: string,
  ...audience: readonly Bound[]
): Promise<Pairs> => {
  const form = await readOwnForm(request, audience)
  checkToken(request, secret, form, ...audience)
  return form
}

// The session that was read for a request.
const sessions = new WeakMap<EndpointRequest, Session>()

/** The session that was read for a request, without a statement; undefined where none was, or there is none. */
export const findReadSession = (request: EndpointRequest): Session | undefined => sessions.get(request)

/** The current session, if there is one; on pages that staff see as a member, with that member. */
export const readSession = async (request: EndpointRequest): Promise<Session | undefined> => {
  const { database, school } = request
  const session = await database.statements(school.id, db => findSession(db, school.id, readBrowser(request).session))
  if (session === undefined) return undefined
  request.markSeen(session.member.id, session.id)
  const shown = await chooseViewed(request, session)
  sessions.set(request, shown)
  return shown
}

const addressIn = ({ method, path, query }: EndpointRequest): string =>
  method === 'POST' || query === '' ? path : `${path}?${query}`

/** A redirect to sign-in, and back to this address or another one. */
export const toSignIn = (request: EndpointRequest, address = addressIn(request)): Reply =>
  redirect(`/account/sign-in?${new URLSearchParams({ return_to: returnTo(address) })}`)

// Without a handle the address of a form is that of the page on which it is, which a form without one of its own has above it.
const cancelAddress = ({ method, path }: EndpointRequest): string =>
  method === 'POST' ? `${path}?kept=` : `/${path.split('/')[1]}`

/**
 * A redirect to the page on which the person proves who they are, and back to this address or another one; `cancel` is where they
 * go instead.
 */
export const toConfirm = (
  request: EndpointRequest,
  address = addressIn(request),
  cancel = cancelAddress(request),
): Reply => {
  const query = new URLSearchParams({ level: 'recent', return_to: returnTo(address), cancel: returnTo(cancel) })
  return redirect(`/account/confirm?${query}`)
}

/** Leads whoever did not prove recently who they are to the page for it; for what is asked before an operation is performed. */
export const requireRecentProof = ({ isRecent }: Session): void => {
  if (!isRecent) throw new Refusal(proofRequired, 'Confirm that it is you before you do this.')
}

/** The current session, or a redirect to sign-in and back. */
export const requirePerson = async (request: EndpointRequest): Promise<Session | Reply> =>
  (await readSession(request)) ?? toSignIn(request)

/** The signed-in person, to perform operations for them. */
export const atPage = (
  { school, requestId, network, database }: EndpointRequest,
  { id, member, isRecent, viewer }: Session,
): SignedInPerson => ({
  school,
  requestId,
  network,
  member: { id: member.id, role: member.role },
  hasRecentProof: isRecent,
  isViewed: viewer !== undefined,
  lockMember: db => lockSessionMember(db, school.id, id),
  extendProof: () => database.statements(school.id, db => extendProof(db, school.id, id)),
})

/** Whether `requirePerson` returned a redirect. */
export const isReply = (value: Session | Reply): value is Reply => 'status' in value
