import type { Static } from 'typebox'
import { Course } from '#src/areas/courses/index.ts'
import { Outline } from '#src/areas/outlines/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { atPage, type FormWithFiles, formToken, isReply, languageAt, redirect } from '#src/web/account/index.ts'
import { lecturerOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import { withStaffFiles } from '../uploads/index.ts'

/** A request of a lecturer or a member of the staff. */
export type Visit = {
  readonly request: EndpointRequest
  readonly parts: StaffPagesParts
  readonly session: Session
  readonly person: SignedInPerson
  readonly language: Language
  readonly token: string
  readonly isStaff: boolean
}

/** A course as these pages get it. */
export type CourseView = Encoded<Static<typeof Course>>
/** The outline of a course as these pages get it. */
export type OutlineView = Encoded<Static<typeof Outline>>

const visitOf = (request: EndpointRequest, parts: StaffPagesParts, session: Session): Visit => ({
  ...{ request, parts, session },
  person: atPage(request, session),
  language: languageAt(request, session),
  token: formToken(parts.secret, request.school.id, { session }),
  isStaff: isAtLeast(session.member.role, 'admin'),
})

/** Shows a page to lecturers and staff, and leads others to sign-in or to a page that refuses them. */
export const visited =
  (parts: StaffPagesParts, answer: (visit: Visit) => Promise<Reply>) =>
  async (request: EndpointRequest): Promise<Reply> => {
    const session = await lecturerOf(request)
    return isReply(session) ? session : answer(visitOf(request, parts, session))
  }

/** Answers a form of lecturers and staff, with or without a file; its token is checked first. */
export const posted =
  (parts: StaffPagesParts, answer: (visit: Visit, form: FormWithFiles) => Promise<Reply>) =>
  async (request: EndpointRequest): Promise<Reply> => {
    const session = await lecturerOf(request)
    if (isReply(session)) return session
    return withStaffFiles(request, parts, session, form => answer(visitOf(request, parts, session), form))
  }

/** Performs the work of a form and leads to the address that it returns; what was refused is shown by `again`. */
export const attempt = async (
  { request }: Visit,
  work: () => Promise<string>,
  again: (refusal: Refusal) => Promise<Reply>,
): Promise<Reply> => {
  try {
    return redirect(await work())
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem === formRefused) throw error
    if (error.problem === signInRequired) return redirect(request.path)
    if (error.problem.status === 404 || error.problem.status >= 500) throw error
    return again(error)
  }
}

/** The course of the path, with `relations`; 404 for those who do not manage it. */
export const getCourse = async (
  { request, parts, person }: Visit,
  expand: readonly string[] = [],
): Promise<CourseView> => {
  const params = { course_id: request.params.course ?? '' }
  const course = await parts.performAs(person, { operation: 'getCourse', params, expand, returns: Course })
  if (course.allowed_actions?.includes('updateCourse') !== true)
    throw new Refusal(notFound, 'There is no such course.')
  return course
}

/** The sections and lessons of a course, drafts too. */
export const getOutline = ({ parts, person }: Visit, courseId: string): Promise<OutlineView> =>
  parts.performAs(person, { operation: 'getOutline', params: { course_id: courseId }, returns: Outline })
