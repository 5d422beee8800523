import type { Static } from 'typebox'
import { Lesson } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { StaffContext } from '../../audience.ts'
import { type CourseView, getCourse } from '../courses/course.ts'
import { buildPath, toCourses } from '../courses/frame.ts'

/** A lesson with its content, as these pages get it. */
export type LessonView = Encoded<Static<typeof Lesson>>

/** A lesson in its course. */
export type Place = { readonly course: CourseView; readonly lesson: LessonView }

/** The lesson of the path in its course; 404 for one of another course, and for those who do not manage it. */
export const readPlace = async (context: StaffContext): Promise<Place> => {
  const params = { lesson_id: context.params.lesson ?? '' }
  const course = await getCourse(context)
  const lesson = await context.call({ operation: 'getLesson', params, returns: Lesson })
  if (lesson.course_id !== course.id) throw new Refusal(notFound, 'There is no such lesson.')
  return { course, lesson }
}

/** The address of a lesson on these pages. */
export const lessonPath = ({ course, lesson }: Place): string => `${buildPath(course)}/lessons/${lesson.id}`

/** The links above the pages below a lesson. */
export const aboveLesson = (context: StaffContext, place: Place) => [
  toCourses(context),
  { path: buildPath(place.course), name: place.course.name },
  { path: lessonPath(place), name: place.lesson.name },
]
