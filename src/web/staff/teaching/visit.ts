import type { Static, TSchema } from 'typebox'
import { type Course, CoursePage } from '#src/areas/courses/index.ts'
import { School } from '#src/areas/school/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, roleRequired, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { atPage, formToken, isReply, languageAt, personOf, readForm, redirect } from '#src/web/account/index.ts'
import { showConsole, staffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import { notTeachingPage } from './not-teaching.ts'

/** A course of the person who looks at a page. */
export type OwnCourse = Encoded<Static<typeof Course>>

/** One request of somebody who is signed in. */
export type StaffVisit = {
  readonly request: EndpointRequest
  readonly parts: StaffPagesParts
  readonly session: Session
  /** The person, with the time zone of the school where they have none. */
  readonly viewer: Session['member']
  readonly language: Language
  /** The token of the forms of the page. */
  readonly token: string
  /** The parameters of the address. */
  readonly query: URLSearchParams
}

/** One request of somebody who teaches, or of staff, who manage every course. */
export type Visit = StaffVisit & {
  /** The courses that the person manages, by name; the first 100. */
  readonly courses: readonly OwnCourse[]
}

/** Performs an operation as the person of a page. */
export const perform = <Returns extends TSchema | undefined = undefined>(
  { request, parts, session }: Pick<Visit, 'request' | 'parts' | 'session'>,
  call: PageCall<Returns>,
) => parts.performAs<Returns>(atPage(request, session), call)

/** Whether the person of a page is staff. */
export const isStaffOf = ({ session }: Pick<Visit, 'session'>): boolean => isAtLeast(session.member.role, 'admin')

const MANAGED: Pairs = [
  ['managed', 'true'],
  ['sort', 'name'],
  ['limit', '100'],
]

/** The visit of a person who is signed in. */
export const visitOf = async (
  request: EndpointRequest,
  parts: StaffPagesParts,
  session: Session,
): Promise<StaffVisit> => {
  const visit = { request, parts, session }
  const { time_zone: zone } = await perform(visit, { operation: 'getSchool', returns: School })
  return {
    ...visit,
    viewer: { ...session.member, timeZone: session.member.timeZone ?? zone },
    language: languageAt(request, session),
    token: formToken(parts.secret, request.school.id, { session }),
    query: new URLSearchParams(request.query),
  }
}

const withCourses = async (visit: StaffVisit): Promise<Visit | Reply> => {
  const { data: courses } = await perform(visit, { operation: 'listCourses', query: MANAGED, returns: CoursePage })
  if (courses.length === 0 && !isStaffOf(visit)) return notTeachingPage(visit.request.school, visit.language)
  showConsole(visit.request, visit.session)
  return { ...visit, courses }
}

const addressOf = ({ path, query }: EndpointRequest): string => (query === '' ? path : `${path}?${query}`)

/**
 * Answers a visit, and leads to sign-in and back where the session has ended. What the person may not do is decided by the
 * operations; one who stopped teaching meanwhile is told so.
 */
export const answer = async ({ request, language }: StaffVisit, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.problem === signInRequired) return redirect(addressOf(request))
    if (error.problem === roleRequired) return notTeachingPage(request.school, language)
    throw error
  }
}

type Show<Shown extends StaffVisit> = (visit: Shown) => Promise<Reply>
type Submit<Shown extends StaffVisit> = (visit: Shown, form: Pairs) => Promise<Reply>

/** Shows a page to somebody who teaches, or to staff; others get a page that says whom to ask. */
export const shownTo = async (visit: StaffVisit, show: Show<Visit>): Promise<Reply> =>
  answer(visit, async () => {
    const whole = await withCourses(visit)
    return 'status' in whole ? whole : show(whole)
  })

/** A page for everybody who teaches, and for staff. */
export const teachingPage = (route: `GET /staff/${string}`, parts: StaffPagesParts, show: Show<Visit>): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      return isReply(session) ? session : shownTo(await visitOf(request, parts, session), show)
    },
  })

/** A form of such a page. Its token is checked first; a recent sign-in is not needed (decision 132). */
export const teachingForm = (route: `POST /staff/${string}`, parts: StaffPagesParts, submit: Submit<Visit>): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      const form = await readForm(request, parts.secret, { session })
      return shownTo(await visitOf(request, parts, session), visit => submit(visit, form))
    },
  })

/** A page for staff. */
export const staffPage = (route: `GET /staff/${string}`, parts: StaffPagesParts, show: Show<StaffVisit>): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await staffOf(request)
      if (isReply(session)) return session
      const visit = await visitOf(request, parts, session)
      return answer(visit, () => show(visit))
    },
  })

/** A form of such a page. Its token is checked first; a recent sign-in is not needed (decision 132). */
export const staffForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: Submit<StaffVisit>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const signedIn = await personOf(request)
      if (isReply(signedIn)) return signedIn
      const form = await readForm(request, parts.secret, { session: signedIn })
      const session = await staffOf(request)
      if (isReply(session)) return session
      const visit = await visitOf(request, parts, session)
      return answer(visit, () => submit(visit, form))
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
