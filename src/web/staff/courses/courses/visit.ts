import type { Static } from 'typebox'
import { Course, CoursePage, Outline } from '#src/areas/courses/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type FormWithFiles, isReply, personOf } from '#src/web/page/index.ts'
import { withStaffFiles } from '../../files/uploads/index.ts'
import { showConsole } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import { notTeachingPage } from '../../teaching/not-teaching.ts'
import { answer, perform, type Visit, visitOf } from '../../visit.ts'

/** A course as these pages get it. */
export type CourseView = Encoded<Static<typeof Course>>
/** The outline of a course as these pages get it. */
export type OutlineView = Encoded<Static<typeof Outline>>

const MANAGED: Pairs = [
  ['managed', 'true'],
  ['limit', '1'],
]

// Whoever manages a course opens its pages, whatever their role (decision 132); lecturers may create their first one.
const teaches = async (visit: Visit): Promise<boolean> => {
  if (isAtLeast(visit.session.member.role, 'lecturer')) return true
  const { data } = await perform(visit, { operation: 'listCourses', query: MANAGED, returns: CoursePage })
  return data.length > 0
}

const shownTo = (visit: Visit, show: () => Promise<Reply>): Promise<Reply> =>
  answer(visit, async () => {
    const { request, session, language } = visit
    if (!(await teaches(visit))) return notTeachingPage(request.school, language)
    showConsole(request, session)
    return show()
  })

/** Shows a page to those who teach and to staff, and leads others to sign-in or to a page that refuses them. */
export const visited =
  (parts: StaffPagesParts, show: (visit: Visit) => Promise<Reply>) =>
  async (request: EndpointRequest): Promise<Reply> => {
    const session = await personOf(request)
    if (isReply(session)) return session
    const visit = visitOf(request, parts, session)
    return shownTo(visit, () => show(visit))
  }

/** Answers a form of those who teach and of staff, with or without a file; its token is checked first. */
export const posted =
  (parts: StaffPagesParts, submit: (visit: Visit, sent: FormWithFiles) => Promise<Reply>) =>
  async (request: EndpointRequest): Promise<Reply> => {
    const session = await personOf(request)
    if (isReply(session)) return session
    return withStaffFiles(request, parts, session, async sent => {
      const visit = visitOf(request, parts, session)
      return shownTo(visit, () => submit(visit, sent))
    })
  }

/** The course of the path, with `relations`; 404 for those who do not manage it. */
export const getCourse = async (visit: Visit, expand: readonly string[] = []): Promise<CourseView> => {
  const params = { course_id: visit.request.params.course ?? '' }
  const course = await perform(visit, { operation: 'getCourse', params, expand, returns: Course })
  if (course.allowed_actions?.includes('updateCourse') !== true) throw new Refusal(notFound, 'There is no such course.')
  return course
}

/** The sections and lessons of a course, drafts too. */
export const getOutline = (visit: Visit, courseId: string): Promise<OutlineView> =>
  perform(visit, { operation: 'getOutline', params: { course_id: courseId }, returns: Outline })
