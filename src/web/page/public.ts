import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { PageCall, SignedInPerson, Visitor } from '#src/contract/page-call.ts'
import { preSessionCookies, type Session } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { readBrowserBinding } from './browser-binding.ts'
import type { PageContext, PageParts } from './context.ts'
import { orPage, type PageDeclaration, type ShowPage } from './declare.ts'
import { withFormFiles } from './form-files.ts'
import { framed, renderForm } from './frame.ts'
import { findKept, forgetKept, keptHandleIn, withKeptNotice } from './kept.ts'
import {
  atPage,
  type Bound,
  carriesToken,
  formToken,
  languageAt,
  readForm,
  readOwnForm,
  readSession,
  toSignIn,
} from './request.ts'
import type { FormWithFiles } from './uploaded.ts'

/** What pages for everybody need of the application. */
export type PublicParts = PageParts & { readonly random: Random }

type Shared =
  | 'request'
  | 'parts'
  | 'school'
  | 'language'
  | 'params'
  | 'query'
  | 't'
  | 'money'
  | 'form'
  | 'call'
  | 'frame'

/** What a page for everybody knows of its request, and of the person where somebody is signed in. */
export type PublicContext<Parts extends PublicParts = PublicParts> = Pick<PageContext<Parts>, Shared> & {
  readonly session: Session | undefined
  /** For whom operations are performed. */
  readonly by: SignedInPerson | Visitor
  /** What the forms of the page are bound to: the session, or the browser where nobody is signed in. */
  readonly bound: Bound
  /** The token of the forms of the page, with which a browser gets its cookie. */
  token(): string
}

/** Whether a page for everybody is about who is signed in. */
type PublicAudience = (request: EndpointRequest) => Promise<Session | undefined>

/** Everybody, and whoever is signed in as themselves. */
export const everybody: PublicAudience = readSession

/** Everybody as somebody who is not signed in. */
export const visitors: PublicAudience = async () => undefined

type Who = Pick<PublicContext, 'session' | 'bound' | 'token'> & { readonly isKept?: boolean }

const createContext = <Parts extends PublicParts>(
  request: EndpointRequest,
  parts: Parts,
  who: Who,
): PublicContext<Parts> => {
  const { school, requestId, network, params } = request
  const { isKept = false, ...known } = who
  const { session, token } = known
  const language = languageAt(request, session)
  const by = session === undefined ? { school, requestId, network } : { ...atPage(request, session), isKept }
  return {
    ...known,
    request,
    parts,
    school,
    by,
    language,
    params,
    query: new URLSearchParams(request.query),
    t: (phrase, values) => fill(phrase, language, values),
    money: (amount, currency) => formatMoney(amount, currency, language),
    form: (inside, action = request.path) => renderForm(action, token(), inside),
    call: ((call: PageCall<undefined>) => parts.performAs(by, call)) as PageContext['call'],
    frame: page => framed({ school, language, languages: { token: session && token() }, ...page }),
  }
}

/** Declares a page for everybody. */
export const publicPage =
  <Parts extends PublicParts>(
    route: Endpoint['route'],
    audience: PublicAudience,
    show: (context: PublicContext<Parts>) => Promise<Reply>,
  ): PageDeclaration<Parts> =>
  parts =>
    endpoint({
      route,
      async handle(request) {
        const session = await audience(request)
        const known = readBrowserBinding(request)
        const browserBinding = known ?? parts.random(32).toString('base64url')
        const bound = session === undefined ? { browserBinding } : { session }
        let hasForm = false
        const token = (): string => {
          hasForm = true
          return formToken(parts.secret, request.school.id, bound)
        }
        const reply = await show(createContext(request, parts, { session, bound, token }))
        if (!hasForm || session !== undefined || known !== undefined) return reply
        return { ...reply, headers: { ...reply.headers, 'set-cookie': preSessionCookies(request, browserBinding) } }
      },
    })

type Show<Parts extends PublicParts> = (context: PublicContext<Parts>, sent: FormWithFiles) => Promise<Reply>

// Runs a form again of which nothing is written, so that its page shows what was typed.
const showKeptForm = async <Parts extends PublicParts>(
  { request, parts }: { readonly request: EndpointRequest; readonly parts: Parts },
  audience: PublicAudience,
  { submit, show }: { readonly submit: Show<Parts>; readonly show: ShowPage },
): Promise<Reply> => {
  const session = await audience(request)
  if (session === undefined) return toSignIn(request)
  const kept = await findKept(request, parts.secret, session)
  const language = languageAt(request, session)
  if (kept === undefined) return withKeptNotice(request, await show(request), kept, language)
  const bound = { session }
  const token = () => formToken(parts.secret, request.school.id, bound, keptHandleIn(request))
  const context = createContext(request, parts, { session, bound, token, isKept: true })
  const reply = await orPage(submit(context, { form: kept.typed, files: [] }), () => show(request))
  return withKeptNotice(request, reply, kept, language)
}

/** Declares a form of such a page that may have files, and is kept where a session has ended. Its token is checked first. */
export const publicFileForm =
  <Parts extends PublicParts>(
    route: `POST /${string}`,
    audience: PublicAudience,
    { maxBytes, submit }: { readonly maxBytes: number; readonly submit: Show<Parts> },
  ): PageDeclaration<Parts> =>
  parts => ({
    ...publicPage<Parts>(route, audience, async context => {
      const { request, session, bound } = context
      const sending = { request, secret: parts.secret, maxBytes, bound }
      return withFormFiles(sending, async sent => {
        const reply = await submit(context, sent)
        if (session !== undefined) await forgetKept(request, session, sent.form, reply)
        return reply
      })
    })(parts),
    showKept: (request, show) => showKeptForm({ request, parts }, audience, { submit, show }),
  })

/**
 * Declares a form of such a page that is not kept. Its token is checked first; a form of this site with the token of somebody else,
 * such as after a sign-in in another tab, is refused, or shown again where that changes nothing.
 */
export const publicForm = <Parts extends PublicParts>(
  route: `POST /${string}`,
  audience: PublicAudience,
  submit: (context: PublicContext<Parts>, typed: Pairs) => Promise<Reply>,
  showAgain?: (context: PublicContext<Parts>, typed: Pairs) => Promise<Reply>,
): PageDeclaration<Parts> =>
  publicPage(route, audience, async context => {
    const { request, parts, bound } = context
    if (showAgain === undefined) return submit(context, await readForm(request, parts.secret, bound))
    const typed = await readOwnForm(request, [bound])
    return carriesToken(request, parts.secret, typed, [bound]) ? submit(context, typed) : showAgain(context, typed)
  })
