import type { Static } from 'typebox'
import { Course, Outline } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { PageContext } from '#src/web/page/index.ts'

/** A course as these pages get it. */
export type CourseView = Encoded<Static<typeof Course>>
/** The outline of a course as these pages get it. */
export type OutlineView = Encoded<Static<typeof Outline>>

/** The course of the path, with `relations`; 404 for those who do not manage it. */
export const getCourse = async ({ call, params }: PageContext, expand: readonly string[] = []): Promise<CourseView> => {
  const course = await call({
    operation: 'getCourse',
    params: { course_id: params.course ?? '' },
    expand,
    returns: Course,
  })
  if (course.allowed_actions?.includes('updateCourse') !== true) throw new Refusal(notFound, 'There is no such course.')
  return course
}

/** The sections and lessons of a course, drafts too. */
export const getOutline = ({ call }: PageContext, courseId: string): Promise<OutlineView> =>
  call({ operation: 'getOutline', params: { course_id: courseId }, returns: Outline })
