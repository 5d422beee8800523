import type { Static } from 'typebox'
import { Course, Outline } from '#src/areas/courses/index.ts'
import { EnrollmentPage, Progress } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { idPattern } from '#src/kit/ids.ts'
import { orNothing } from '#src/web/page/index.ts'
import type { LearnContext } from './parts.ts'

/** A course, as the API returns it to the person. */
type CourseView = Encoded<Static<typeof Course>>
/** An enrollment of the person. */
export type EnrollmentView = Encoded<Static<typeof EnrollmentPage>>['data'][number]
/** The progress of the person in a course. */
type ProgressView = Encoded<Static<typeof Progress>>
/** A lesson of the outline of a course. */
export type OutlineLesson = Encoded<Static<typeof Outline>>['sections'][number]['lessons'][number]
/** A section of the outline of a course. */
type OutlineSection = Encoded<Static<typeof Outline>>['sections'][number]

/** A course with what the person has done in it. */
export type OwnCourse = {
  /** Its address: `/learn/` and its slug, or its id where it has no public slug. */
  readonly path: string
  readonly id: string
  readonly name: string
  readonly sections: readonly OutlineSection[]
  /** Undefined where it is archived: then only those with access see it. */
  readonly course: CourseView | undefined
  /** Undefined for those who manage the course and do not learn in it. */
  readonly enrollment: EnrollmentView | undefined
  readonly progress: ProgressView | undefined
  /** Whether the person manages the course, and so sees all of its lessons. */
  readonly canManage: boolean
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const COURSE_ID = new RegExp(idPattern('crs'))

const noCourse = (): Refusal => new Refusal(notFound, 'There is no such course.')

const parseRef = (param: string): string => {
  if (COURSE_ID.test(param)) return param
  if (!SLUG.test(param)) throw noCourse()
  return `slug:${param}`
}

const findCourse = ({ call }: LearnContext, id: string): Promise<CourseView | undefined> =>
  orNothing(call({ operation: 'getCourse', params: { course_id: id }, expand: ['lecturers'], returns: Course }))

const findEnrollment = async ({ call }: LearnContext, id: string): Promise<EnrollmentView | undefined> => {
  const query = [['course_id', id]] as const
  return (await call({ operation: 'listAccountEnrollments', query, returns: EnrollmentPage })).data[0]
}

const findProgress = async (
  { call }: LearnContext,
  enrollment: EnrollmentView | undefined,
): Promise<ProgressView | undefined> =>
  enrollment && call({ operation: 'getAccountProgress', params: { enrollment_id: enrollment.id }, returns: Progress })

/** The course of a path with what the person has done in it; refuses with 404 what the person may not see. */
export const readOwnCourse = async (context: LearnContext): Promise<OwnCourse> => {
  const ref = parseRef(context.params.course ?? '')
  const outline = await context.call({ operation: 'getOutline', params: { course_id: ref }, returns: Outline })
  const id = outline.course_id
  const [course, enrollment] = await Promise.all([findCourse(context, id), findEnrollment(context, id)])
  const name = course?.name ?? enrollment?.course_name
  if (name === undefined) throw noCourse()
  return {
    path: `/learn/${course?.slug ?? id}`,
    id,
    name,
    course,
    enrollment,
    sections: outline.sections,
    progress: await findProgress(context, enrollment),
    canManage: course?.allowed_actions?.includes('updateCourse') ?? false,
  }
}
