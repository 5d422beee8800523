import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import {
  type ChosenFile,
  deleteKeptForm,
  findKeptForm,
  findMemberOfSession,
  isSameSite,
  type KeptForm,
  keepForm,
  type Session,
  withoutSecrets,
} from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { framed } from './frame.ts'
import { refill } from './refill.ts'
import {
  type Bound,
  carriesToken,
  isForm,
  languageAt,
  readPostedForm,
  redirect,
  refused,
  sessionOfToken,
  tokenIn,
  toSignIn,
} from './request.ts'

const { kept: text } = texts.page

/** The most bytes of the fields of a form of somebody who is signed in: more than is kept, so that the rest can be shown to be copied. */
export const MAX_POSTED = 2_000_000

/** Who sent a form: whoever its page was shown to, a member whose session has ended or is another one now, or somebody else. */
export type Sender = 'own' | 'other' | { readonly memberId: string }

/** Finds who sent a form by its token. */
export const findSender = async (
  request: EndpointRequest,
  secret: string,
  bound: Bound | undefined,
  form: Pairs,
): Promise<Sender> => {
  const { database, school } = request
  if (bound !== undefined && carriesToken(request, secret, form, [bound])) return 'own'
  const sessionId = sessionOfToken(secret, school.id, form)
  if (sessionId === undefined) return 'other'
  const memberId = await database.statements(school.id, db => findMemberOfSession(db, school.id, sessionId))
  const isOthers = bound !== undefined && 'session' in bound && bound.session.member.id !== memberId
  return memberId === undefined || isOthers ? 'other' : { memberId }
}

/** The answer to a form of somebody else: sign-in where nobody is signed in on a page for people who are, and a refusal otherwise. */
export const refuseSender = (request: EndpointRequest, bound: Bound | undefined): Reply => {
  if (bound === undefined) return toSignIn(request)
  throw refused(request, [bound])
}

const buildPlace = ({ database, school, path }: EndpointRequest, secret: string, memberId: string) => ({
  database,
  school,
  secret,
  memberId,
  path,
})

const addressWith = ({ path, query }: EndpointRequest, handle: string): string => {
  const others = [...new URLSearchParams(query)].filter(([name]) => name !== 'kept')
  return `${path}?${new URLSearchParams([...others, ['kept', handle]])}`
}

// What cannot be kept is shown, so that it can be copied.
const copyPage = (request: EndpointRequest, { typed }: KeptForm, session: Session | undefined): Reply => {
  const language = languageAt(request, session)
  const shown = withoutSecrets(typed, request.path).filter(
    ([name, value]) => value !== '' && !/^(?:revision|form_key|act)$/.test(name),
  )
  const areas = shown.map(
    ([name, value], at) =>
      html`<label for="kept-${at}">${name}</label>\n<textarea id="kept-${at}" rows="${value.length > 80 || value.includes('\n') ? 6 : 1}" readonly dir="auto">\n${value}</textarea>\n`,
  )
  return framed({
    school: request.school,
    language,
    title: fill(text.copyTitle, language),
    notice: { kind: 'refused', text: fill(text.copy, language) },
    body: html`${areas}<p><a href="${request.path}">${fill(text.open, language)}</a></p>`,
  })
}

const leadOn = (request: EndpointRequest, bound: Bound | undefined, address: string): Reply =>
  bound !== undefined && 'session' in bound ? redirect(address) : toSignIn(request, address)

/** Keeps a form of a member whose session has ended, or who signed in again in another tab, and leads to where it is shown again. */
export const keepUnsent = (
  request: EndpointRequest,
  {
    secret,
    memberId,
    bound,
  }: { readonly secret: string; readonly memberId: string; readonly bound: Bound | undefined },
  form: KeptForm,
): Promise<Reply> => {
  const session = bound !== undefined && 'session' in bound ? bound.session : undefined
  return keep(request, { secret, memberId, session }, form, address => leadOn(request, bound, address))
}

/** Keeps a form of a member and leads to the page that `lead` makes of the address at which it is shown again. */
export const keep = async (
  request: EndpointRequest,
  {
    secret,
    memberId,
    session,
  }: { readonly secret: string; readonly memberId: string; readonly session?: Session | undefined },
  form: KeptForm,
  lead: (address: string) => Reply,
): Promise<Reply> => {
  const place = { ...buildPlace(request, secret, memberId), network: request.network }
  const handle = await keepForm(place, form)
  return handle === undefined ? copyPage(request, form, session) : lead(addressWith(request, handle))
}

/** The handle of a kept form in the address of a page. */
export const keptHandleIn = ({ query }: EndpointRequest): string => new URLSearchParams(query).get('kept') ?? ''

/** What a page of sign-in says first to who goes on to a form that was kept, so that they know that nothing is lost. */
export const keptPhrase = (address: string): Phrase | undefined =>
  new URLSearchParams(address.split('?')[1]).get('kept') ? text.stays : undefined

/** The form that the address of a page names, if it was kept for this person at this path. */
export const findKept = (
  request: EndpointRequest,
  secret: string,
  { member }: Session,
): Promise<KeptForm | undefined> => findKeptForm(buildPlace(request, secret, member.id), keptHandleIn(request))

/** Deletes what was kept of a form that was accepted now. */
export const forgetKept = async (
  { database, school }: EndpointRequest,
  { member }: Session,
  typed: Pairs,
  { status }: Reply,
): Promise<void> => {
  const { kept } = tokenIn(typed)
  if (kept !== undefined && status === 303) await deleteKeptForm({ database, school, memberId: member.id }, kept)
}

const fileLine = ({ name, bytes }: ChosenFile, language: Language): string =>
  fill(text.file, language, { name, size: formatBytes(bytes, language) })

const noticeHtml = (sentence: string, files: readonly ChosenFile[], language: Language): string =>
  html`<div class="note" role="status" id="kept" tabindex="-1" autofocus><p>${sentence}</p>${
    files.length > 0 &&
    html`\n<p>${fill(text.files, language)}</p>\n<ul>${files.map(file => html`<li><bdi>${fileLine(file, language)}</bdi></li>`)}</ul>`
  }</div>`.html

const COMPLAINT = /<p class="note" role="alert" id="complaint">.*?<\/p>/

// The head of a page of the console, or the title of another one.
const HEAD = /<header class="page-head">[\s\S]*?<\/header>|<\/h1>/

// A page shows the refusal of what is not sent yet; the notice stands in its place.
const replaceNotice = (body: string, notice: string): string => {
  const withoutComplaint = body.replace(COMPLAINT, '')
  return withoutComplaint.replace(HEAD, head => `${head}\n${notice}`)
}

/** The page of a form that was kept, with what to do now and what was typed. */
export const withKeptNotice = (
  request: EndpointRequest,
  reply: Reply,
  kept: KeptForm | undefined,
  language: Language,
): Reply => {
  // Who may not see the page gets what everybody gets.
  if (typeof reply.body !== 'string' || [303, 403, 404].includes(reply.status)) return reply
  const { path } = request
  const body =
    kept === undefined ? reply.body : refill(reply.body, { path, typed: kept.typed, handle: keptHandleIn(request) })
  const sentence = fill(kept === undefined ? text.gone : text.again, language)
  return { ...reply, status: 200, body: replaceNotice(body, noticeHtml(sentence, kept?.files ?? [], language)) }
}

/**
 * Reads a form without files; a form that cannot be accepted now is kept, or answered with sign-in. `continueAt`: where whoever sent
 * it continues, with nothing kept.
 */
export const readPosted = async (
  request: EndpointRequest,
  secret: string,
  bound: Bound | undefined,
  continueAt?: (typed: Pairs) => string,
): Promise<Pairs | Reply> => {
  if (!isSameSite(request) || !isForm(request)) return refuseSender(request, bound)
  const typed = await readPostedForm(request, MAX_POSTED)
  const sender = await findSender(request, secret, bound, typed)
  if (sender === 'own') return typed
  if (sender === 'other') return refuseSender(request, bound)
  if (continueAt !== undefined) return leadOn(request, bound, continueAt(typed))
  return keepUnsent(request, { secret, memberId: sender.memberId, bound }, { typed, files: [] })
}
