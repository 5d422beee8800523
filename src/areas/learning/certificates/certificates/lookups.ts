import { findTemplate } from '#src/areas/courses/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { findAwardedCourse } from './queries.ts'
import { buildLook, type Look } from './rules.ts'

/** The look of a course's certificates now; undefined when the course was deleted or has no template. */
export const courseLook = async ({ db, school }: SchoolContext, courseId: string): Promise<Look | undefined> => {
  const course = await findAwardedCourse(db, school.id, courseId)
  if (course === undefined || course.certificate_template_id === null) return undefined
  const template = await findTemplate(db, school.id, course.certificate_template_id)
  return template && buildLook(template, course.name)
}
