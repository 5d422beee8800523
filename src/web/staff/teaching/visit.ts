import type { Static } from 'typebox'
import { type Course, CoursePage } from '#src/areas/courses/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Endpoint, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type FormFile, isReply, personOf, readForm } from '#src/web/page/index.ts'
import { withStaffFiles } from '../files/uploads/index.ts'
import { showConsole } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import { answer, perform, type Visit, visitOf } from '../visit.ts'
import { notTeachingPage } from './not-teaching.ts'

/** A course of the person who looks at a page. */
export type OwnCourse = Encoded<Static<typeof Course>>

/** One request of somebody who teaches, or of staff, who manage every course. */
export type TeachingVisit = Visit & {
  /** The courses that the person manages, by name; the first 100. */
  readonly courses: readonly OwnCourse[]
}

const MANAGED: Pairs = [
  ['managed', 'true'],
  ['sort', 'name'],
  ['limit', '100'],
]

const withCourses = async (visit: Visit): Promise<TeachingVisit | Reply> => {
  const { data: courses } = await perform(visit, { operation: 'listCourses', query: MANAGED, returns: CoursePage })
  // Lecturers may create their first course.
  const mayTeach = courses.length > 0 || isAtLeast(visit.session.member.role, 'lecturer')
  if (!mayTeach) return notTeachingPage(visit.request.school, visit.language)
  showConsole(visit.request, visit.session)
  return { ...visit, courses }
}

// Others than those who teach, and staff, get a page that says whom to ask.
const shownTo = async (visit: Visit, show: (visit: TeachingVisit) => Promise<Reply>): Promise<Reply> =>
  answer(visit, async () => {
    const whole = await withCourses(visit)
    return 'status' in whole ? whole : show(whole)
  })

/** A page for everybody who teaches, and for staff. */
export const teachingPage = (
  route: `GET /staff/${string}`,
  parts: StaffPagesParts,
  show: (visit: TeachingVisit) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      return isReply(session) ? session : shownTo(visitOf(request, parts, session), show)
    },
  })

/** A form of such a page. Its token is checked first; a recent sign-in is not needed (decision 132). */
export const teachingForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: (visit: TeachingVisit, form: Pairs) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      const form = await readForm(request, parts.secret, { session })
      return shownTo(visitOf(request, parts, session), visit => submit(visit, form))
    },
  })

/** A form with files of such a page. */
export const teachingFileForm = (
  route: `POST /staff/${string}`,
  parts: StaffPagesParts,
  submit: (visit: TeachingVisit, form: Pairs, files: readonly FormFile[]) => Promise<Reply>,
): Endpoint =>
  endpoint({
    route,
    async handle(request) {
      const session = await personOf(request)
      if (isReply(session)) return session
      return withStaffFiles(request, parts, session, async ({ form, files }) =>
        shownTo(visitOf(request, parts, session), visit => submit(visit, form, files)),
      )
    },
  })
