import type { Proof } from '#src/contract/caller.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, proofRequired, roleRequired, signInRequired } from '#src/contract/problems.ts'
import type { KeptForm, Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { TAKE_THEIRS } from './conflict.ts'
import { createContext, type PageContext, type PageParts } from './context.ts'
import { withFormFiles } from './form-files.ts'
import { findKept, forgetKept, keep, keptHandleIn, readPosted, withKeptNotice } from './kept.ts'
import { markUnsaved } from './refill.ts'
import { atPage, isReply, languageAt, readSession, redirect, requirePerson, toConfirm, toSignIn } from './request.ts'
import { type FormWithFiles, keepUploaded, uploadedIn } from './uploaded.ts'

/** Who may see a page. */
export type Audience<Parts extends PageParts, More> = {
  /** The proof that the person is asked for before they see a page or send a form; operations ask for their own. */
  readonly proof?: Proof
  /** What is added to the context of who may see it, or the page that others get. */
  admit(context: PageContext<Parts>): Promise<More | Reply>
  /** The most bytes of a form with its files. */
  readonly maxBytes?: number
  /** The page for whom an operation refused, since their role changed meanwhile; without it they get the problem. */
  refuse?(context: PageContext<Parts>): Reply
}

/** A page or a form, which becomes an endpoint with what the application gives. */
export type PageDeclaration<Parts extends PageParts> = (parts: Parts) => Endpoint

const isPage = (value: unknown): value is Reply => typeof value === 'object' && value !== null && 'status' in value

type Work<Parts extends PageParts, More> = (context: PageContext<Parts> & More) => Promise<Reply>

// Such a page asks for a proof itself, so somebody who gives none is led away from it.
const confirmFirst = (request: EndpointRequest, address?: string): Reply => {
  const above = `/${request.path.split('/')[1]}`
  const hasCanceled = new URLSearchParams(request.query).get('kept') === ''
  return hasCanceled ? redirect(above) : toConfirm(request, address, above)
}

/** What leads a person on whose session has ended, or who has to prove who they are. */
type Lead = (lead: (request: EndpointRequest, address?: string) => Reply) => Promise<Reply>

// What the person may not do is decided by the operations.
const answer = async <Parts extends PageParts, More>(
  context: PageContext<Parts>,
  audience: Audience<Parts, More>,
  work: Work<Parts, More>,
  lead: Lead = async to => to(context.request),
): Promise<Reply> => {
  try {
    const more = await audience.admit(context)
    if (isPage(more)) return more
    if (audience.proof !== undefined && !context.session.isRecent) return await lead(confirmFirst)
    return await work({ ...context, ...more })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.problem === signInRequired) return lead(toSignIn)
    if (error.problem === proofRequired) return lead(context.request.method === 'GET' ? confirmFirst : toConfirm)
    if (error.problem === roleRequired && audience.refuse !== undefined) return audience.refuse(context)
    throw error
  }
}

/** Declares a page for an audience that is signed in. */
export const page =
  <Parts extends PageParts, More>(
    route: `GET /${string}`,
    audience: Audience<Parts, More>,
    show: Work<Parts, More>,
  ): PageDeclaration<Parts> =>
  parts =>
    endpoint({
      route,
      async handle(request) {
        const session = await requirePerson(request)
        return isReply(session) ? session : answer(createContext(request, parts, session), audience, show)
      },
    })

// What a page says was done it says of its form, too; whoever takes what somebody else has stored gave up what they typed.
const withUnsaved = (reply: Reply, { path }: EndpointRequest, typed: Pairs): Reply => {
  const { body, status } = reply
  if (typeof body !== 'string' || status === 303 || body.includes(' id="done"')) return reply
  return formField(typed, 'act') === TAKE_THEIRS ? reply : { ...reply, body: markUnsaved(body, path, typed) }
}

// A form of a person whose session or proof has ended is kept until they have signed in.
const answerForm = async <Parts extends PageParts, More>(
  { request, parts, session }: { readonly request: EndpointRequest; readonly parts: Parts; readonly session: Session },
  audience: Audience<Parts, More>,
  posted: KeptForm,
  work: Work<Parts, More>,
): Promise<Reply> => {
  const sender = { secret: parts.secret, memberId: session.member.id, session }
  const answered = await answer(createContext(request, parts, session), audience, work, to =>
    keep(request, sender, posted, address => to(request, address)),
  )
  const reply = withUnsaved(answered, request, posted.typed)
  await forgetKept(request, session, posted.typed, reply)
  // What was done stays done where this fails.
  if (audience.proof !== undefined && reply.status === 303)
    await atPage(request, session)
      .extendProof()
      .catch(() => {})
  return reply
}

/** Shows the page of a form. */
export type ShowPage = (request: EndpointRequest) => Promise<Reply>

/** The page of a form that does not show again what was typed, but leads on or refuses, is shown as it is. */
export const orPage = async (shown: Promise<Reply>, show: () => Promise<Reply>): Promise<Reply> => {
  try {
    const reply = await shown
    return isLeading(reply) ? await show() : reply
  } catch (error) {
    if (error instanceof Refusal) return show()
    throw error
  }
}

// To sign-in and to a proof a page leads too.
const isLeading = ({ status, headers }: Reply): boolean =>
  status === 303 && !/^\/account\/(?:sign-in|confirm)\?/.test(String(headers?.location ?? ''))

// Runs a form again of which nothing is written, so that its page shows what was typed.
const showKeptForm = async <Parts extends PageParts, More>(
  { request, parts, page: show }: { readonly request: EndpointRequest; readonly parts: Parts; readonly page: ShowPage },
  audience: Audience<Parts, More>,
  submit: (context: PageContext<Parts> & More, kept: KeptForm) => Promise<Reply>,
): Promise<Reply> => {
  const session = await requirePerson(request)
  if (isReply(session)) return session
  const kept = await findKept(request, parts.secret, session)
  const language = languageAt(request, session)
  if (keptHandleIn(request) === '') return show(request)
  if (kept === undefined) return withKeptNotice(request, await show(request), kept, language)
  const context = createContext(request, parts, session, { isKept: true })
  const reply = await orPage(
    answer(context, audience, seen => submit(seen, kept)),
    () => show(request),
  )
  return withKeptNotice(request, reply, kept, language)
}

// Runs a form of which nothing is written, to find out whether it needs a proof.
const checkForm = async <Parts extends PageParts, More>(
  { request, parts }: { readonly request: EndpointRequest; readonly parts: Parts },
  audience: Audience<Parts, More>,
  submit: (context: PageContext<Parts> & More, sent: FormWithFiles) => Promise<Reply>,
): Promise<Reply> => {
  const session = await readSession(request)
  const typed = await readPosted(request, parts.secret, session && { session })
  if (session === undefined || 'status' in typed) return { status: 204 }
  const context = createContext(request, parts, session, { isKept: true, isChecked: true })
  let needsProof = false
  const lead: Lead = async to => {
    needsProof = to !== toSignIn
    return { status: 204 }
  }
  await answer(context, audience, seen => submit(seen, { form: typed, files: [] }), lead).catch(error => {
    if (!(error instanceof Refusal)) throw error
  })
  return { status: 204, headers: needsProof ? { 'stoa-needs': 'proof' } : {} }
}

/**
 * Declares a form of such a page. Its token is checked first. `continueAt`: where whoever has to sign in before it is accepted
 * continues, for a form that is not kept.
 */
export const form =
  <Parts extends PageParts, More>(
    route: `POST /${string}`,
    audience: Audience<Parts, More>,
    submit: (context: PageContext<Parts> & More, typed: Pairs) => Promise<Reply>,
    continueAt?: (typed: Pairs) => string,
  ): PageDeclaration<Parts> =>
  parts => {
    const declared = endpoint({
      route,
      async handle(request) {
        const session = await readSession(request)
        const typed = await readPosted(request, parts.secret, session && { session }, continueAt)
        if (session === undefined || 'status' in typed) return 'status' in typed ? typed : toSignIn(request)
        return answerForm({ request, parts, session }, audience, { typed, files: [] }, context =>
          submit(context, typed),
        )
      },
    })
    if (continueAt !== undefined) return declared
    return {
      ...declared,
      showKept: (request, show) =>
        showKeptForm({ request, parts, page: show }, audience, (context, { typed }) => submit(context, typed)),
      checkForm: request =>
        checkForm({ request, parts }, audience, (context, { form: typed }) => submit(context, typed)),
    }
  }

/** Where files of the library are chosen for the forms of the console. */
export const CHOOSE_PATH = '/staff/files/choose'

// Whoever chooses a file of the library comes back to the form with it.
const libraryIn = (typed: Pairs): string | undefined => {
  const address = formField(typed, 'choose')
  return /^\/staff\/files\/choose\?[\w=&%+.-]+$/.test(address) ? address : undefined
}

/** Declares a form with files of such a page, which are gone afterwards. Nobody else stores a file, nor a form without its token. */
export const fileForm =
  <Parts extends PageParts, More>(
    route: `POST /${string}`,
    audience: Audience<Parts, More> & { readonly maxBytes: number },
    submit: (context: PageContext<Parts> & More, sent: FormWithFiles) => Promise<Reply>,
  ): PageDeclaration<Parts> =>
  parts =>
    endpoint({
      route,
      async handle(request) {
        const session = await readSession(request)
        const { secret } = parts
        const { maxBytes } = audience
        const admits = async (): Promise<Reply | undefined> => {
          if (session === undefined) return undefined
          const seen = await audience.admit(createContext(request, parts, session))
          return isPage(seen) ? seen : undefined
        }
        const refused = await admits()
        if (refused !== undefined) return refused
        return withFormFiles({ request, secret, maxBytes, bound: session && { session } }, async ({ form, files }) => {
          if (session === undefined) return toSignIn(request)
          const posted = { typed: form, files: files.map(({ field, name, bytes }) => ({ field, name, bytes })) }
          const sent = { form, files: [...files, ...uploadedIn(form)] }
          return answerForm({ request, parts, session }, audience, posted, async context => {
            const library = libraryIn(form)
            if (library !== undefined)
              return keep(request, { secret, memberId: session.member.id, session }, posted, address =>
                redirect(`${library}&${new URLSearchParams({ return_to: address })}`),
              )
            return keepUploaded(await submit(context, sent), request.path, sent)
          })
        })
      },
      showKept: (request, show) =>
        showKeptForm({ request, parts, page: show }, audience, (context, { typed }) =>
          submit(context, { form: typed, files: [] }),
        ),
      checkForm: request => checkForm({ request, parts }, audience, submit),
    })

/** Whether a page shows a refusal beside what was typed; a session that ended, a missing thing and our own errors are not. */
export const isShown = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  error.problem !== signInRequired &&
  error.problem !== proofRequired &&
  error.problem !== notFound &&
  error.problem !== formRefused &&
  error.problem.status < 500

/**
 * Performs the work of a form and leads to the address that it returns, or shows its page; what was refused is shown by
 * `again`, and what `isShownToo` names as well.
 */
export const shownAgain = async (
  work: () => Promise<string | Reply>,
  again: (refusal: Refusal) => Promise<Reply>,
  isShownToo: (refusal: Refusal) => boolean = () => false,
): Promise<Reply> => {
  try {
    const done = await work()
    return typeof done === 'string' ? redirect(done) : done
  } catch (error) {
    const isRefused = error instanceof Refusal && error.problem !== signInRequired && error.problem !== proofRequired
    if (isRefused && (isShown(error) || isShownToo(error))) return again(error)
    throw error
  }
}

/** The refusal of a write that the page shows; undefined when it was done. */
export const refusalFor = async (done: Promise<unknown>): Promise<Refusal | undefined> => {
  try {
    await done
    return undefined
  } catch (error) {
    if (isShown(error)) return error
    throw error
  }
}
