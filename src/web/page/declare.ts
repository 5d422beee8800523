import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, roleRequired, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { createContext, type PageContext, type PageParts } from './context.ts'
import { type FormWithFiles, withFormFiles } from './form-files.ts'
import { isReply, readForm, redirect, requirePerson } from './request.ts'

/** Who may see a page. */
export type Audience<Parts extends PageParts, More> = {
  /** The session of the person, or a redirect to sign-in and back; by default of whoever is signed in. */
  readonly find?: (request: EndpointRequest) => Promise<Session | Reply>
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

// What the person may not do is decided by the operations. Where the session has ended, the page leads to sign-in and back.
const answer = async <Parts extends PageParts, More>(
  context: PageContext<Parts>,
  audience: Audience<Parts, More>,
  work: (context: PageContext<Parts> & More) => Promise<Reply>,
): Promise<Reply> => {
  try {
    const more = await audience.admit(context)
    return isPage(more) ? more : await work({ ...context, ...more })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.problem === signInRequired) return redirect(context.address)
    if (error.problem === roleRequired && audience.refuse !== undefined) return audience.refuse(context)
    throw error
  }
}

/** Declares a page for an audience that is signed in. */
export const page =
  <Parts extends PageParts, More>(
    route: `GET /${string}`,
    audience: Audience<Parts, More>,
    show: (context: PageContext<Parts> & More) => Promise<Reply>,
  ): PageDeclaration<Parts> =>
  parts =>
    endpoint({
      route,
      async handle(request) {
        const session = await (audience.find ?? requirePerson)(request)
        if (isReply(session)) return session
        return answer(createContext(request, parts, session), audience, show)
      },
    })

/** Declares a form of such a page. Its token is checked first. */
export const form =
  <Parts extends PageParts, More>(
    route: `POST /${string}`,
    audience: Audience<Parts, More>,
    submit: (context: PageContext<Parts> & More, typed: Pairs) => Promise<Reply>,
  ): PageDeclaration<Parts> =>
  parts =>
    endpoint({
      route,
      async handle(request: EndpointRequest) {
        const signedIn = await requirePerson(request)
        if (isReply(signedIn)) return signedIn
        const typed = await readForm(request, parts.secret, { session: signedIn })
        const session = audience.find === undefined ? signedIn : await audience.find(request)
        if (isReply(session)) return session
        return answer(createContext(request, parts, session), audience, context => submit(context, typed))
      },
    })

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
        const session = await (audience.find ?? requirePerson)(request)
        if (isReply(session)) return session
        const { secret } = parts
        return answer(createContext(request, parts, session), audience, context =>
          withFormFiles({ request, session, secret, maxBytes: audience.maxBytes }, sent => submit(context, sent)),
        )
      },
    })

/** Whether a page shows a refusal beside what was typed; a session that ended, a missing thing and our own errors are not. */
export const isShown = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  error.problem !== signInRequired &&
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
    const isRefused = error instanceof Refusal && error.problem !== signInRequired
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
