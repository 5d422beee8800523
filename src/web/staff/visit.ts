import type { TSchema } from 'typebox'
import { isAtLeast } from '#src/contract/caller.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { PageCall, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, roleRequired, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import {
  atPage,
  type FormFile,
  formToken,
  isReply,
  languageAt,
  personOf,
  readForm,
  redirect,
} from '#src/web/page/index.ts'
import { withStaffFiles } from './files/uploads/index.ts'
import { staffOf } from './page-request.ts'
import type { StaffPagesParts } from './parts.ts'
import { notTeachingPage } from './teaching/not-teaching.ts'

/** One request of somebody who is signed in. */
export type Visit = {
  readonly request: EndpointRequest
  readonly parts: StaffPagesParts
  readonly session: Session
  /** In whose name operations are performed. */
  readonly person: SignedInPerson
  /** The person, with the time zone of the school where they have none. */
  readonly viewer: Session['member']
  readonly isStaff: boolean
  readonly language: Language
  /** The token of the forms of the page. */
  readonly token: string
  /** The parameters of the address. */
  readonly query: URLSearchParams
}

/** Performs an operation as the person of a page. */
export const perform = <Returns extends TSchema | undefined = undefined>(
  { parts, person }: Pick<Visit, 'parts' | 'person'>,
  call: PageCall<Returns>,
) => parts.performAs<Returns>(person, call)

/** The visit of a person who is signed in. */
export const visitOf = (request: EndpointRequest, parts: StaffPagesParts, session: Session): Visit => {
  const person = atPage(request, session)
  const { member } = session
  return {
    ...{ request, parts, session, person },
    viewer: { ...member, timeZone: member.timeZone ?? request.school.timeZone },
    isStaff: isAtLeast(member.role, 'admin'),
    language: languageAt(request, session),
    token: formToken(parts.secret, request.school.id, { session }),
    query: new URLSearchParams(request.query),
  }
}

const addressOf = ({ path, query }: EndpointRequest): string => (query === '' ? path : `${path}?${query}`)

/**
 * Answers a visit, and leads to sign-in and back where the session has ended. What the person may not do is decided by the
 * operations; one who stopped teaching meanwhile is told so.
 */
export const answer = async ({ request, language }: Visit, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.problem === signInRequired) return redirect(addressOf(request))
    if (error.problem === roleRequired) return notTeachingPage(request.school, language)
    throw error
  }
}

/** A page for staff. */
export const staffPage = (
  route: `GET /staff/${string}`,
  parts: StaffPagesParts,
  show: (visit: Visit) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await staffOf(request)
      if (isReply(session)) return session
      const visit = visitOf(request, parts, session)
      return answer(visit, () => show(visit))
    },
  })

/** A form of such a page. Its token is checked first; a recent sign-in is not needed (decision 132). */
export const staffForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: (visit: Visit, form: Pairs) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const signedIn = await personOf(request)
      if (isReply(signedIn)) return signedIn
      const form = await readForm(request, parts.secret, { session: signedIn })
      const session = await staffOf(request)
      if (isReply(session)) return session
      const visit = visitOf(request, parts, session)
      return answer(visit, () => submit(visit, form))
    },
  })

/** A form of such a page with a file, which is undefined where none was chosen; its token is checked before the file is stored. */
export const staffFileForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: (visit: Visit, form: Pairs, file: FormFile | undefined) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await staffOf(request)
      if (isReply(session)) return session
      return withStaffFiles(request, parts, session, async ({ form, files }) => {
        const visit = visitOf(request, parts, session)
        return answer(visit, () => submit(visit, form, files[0]))
      })
    },
  })

/** Whether a page shows a refusal beside what was typed; a session that ended, a missing thing and our own errors are not. */
export const isShown = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  error.problem !== signInRequired &&
  error.problem !== notFound &&
  error.problem !== formRefused &&
  error.problem.status < 500

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

/** Performs the work of a form and leads to the address that it returns; what was refused is shown by `again`. */
export const shownAgain = async (
  work: () => Promise<string>,
  again: (refusal: Refusal) => Promise<Reply>,
): Promise<Reply> => {
  try {
    return redirect(await work())
  } catch (error) {
    if (isShown(error)) return again(error)
    throw error
  }
}
