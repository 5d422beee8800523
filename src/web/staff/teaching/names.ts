import { CoursePage, Outline } from '#src/areas/courses/index.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { isVisible } from '#src/kit/text.ts'
import type { TeacherContext } from '../audience.ts'
import { teachingText as text } from './text.ts'

/** What the ids of courses and lessons are called. */
export type Names = { readonly course: (id: string) => string; readonly lesson: (id: string) => string }

/** Something in a course, such as the work of a student. */
type InCourse = { readonly course_id: string }

const coursesNamed = async (context: TeacherContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const own = context.courses.map(({ id, name }) => [id, name] as const)
  const others = ids.filter(id => !context.courses.some(course => course.id === id))
  if (others.length === 0) return new Map(own)
  const query = [
    ['id[in]', others.join(',')],
    ['limit', '100'],
  ] as const
  const { data } = await context.call({ operation: 'listCourses', query, returns: CoursePage })
  return new Map([...own, ...data.map(({ id, name }) => [id, name] as const)])
}

const readLessons = async (
  context: TeacherContext,
  courseId: string,
): Promise<readonly (readonly [string, string])[]> => {
  try {
    const call = { operation: 'getOutline', params: { course_id: courseId }, returns: Outline }
    const { sections } = await context.call(call)
    return sections.flatMap(({ lessons }) => lessons.map(({ id, name }) => [id, name] as const))
  } catch (error) {
    // The work in a course that was removed is still there.
    if (error instanceof Refusal && error.problem.status === 404) return []
    throw error
  }
}

/** The names of the courses and lessons of some entries; one that is gone is called so. */
export const namesFor = async (context: TeacherContext, entries: readonly InCourse[]): Promise<Names> => {
  const ids = [...new Set(entries.map(entry => entry.course_id))]
  const [courses, lessons] = await Promise.all([
    coursesNamed(context, ids),
    Promise.all(ids.map(id => readLessons(context, id))),
  ])
  const lessonsById = new Map(lessons.flat())
  return {
    course: id => courses.get(id) ?? context.t(text.noCourse),
    lesson: id => lessonsById.get(id) ?? context.t(text.noLesson),
  }
}

/** The name of a person as a page shows it: of somebody who was erased, that. */
export const personName = (
  { name }: { readonly name: string },
  { language }: Pick<TeacherContext, 'language'>,
): string => (isVisible(name) ? name : fill(text.noName, language))
