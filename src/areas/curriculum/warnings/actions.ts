import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import type { Warning } from '#src/contract/warning.ts'
import type { Looking } from '../access.ts'
import type { ChangedLesson, Lesson } from '../lessons/schema.ts'
import { findEmptyLessons, isEmptyLesson } from './queries.ts'
import { courseWarnings, lessonWarnings } from './rules.ts'

/** What a course lacks for learners. */
export const warningsOfCourse = async (db: Db, schoolId: string, courseId: string): Promise<Warning[]> => {
  const { lesson_count, empty_ids } = await findEmptyLessons(db, schoolId, courseId)
  return courseWarnings(lesson_count, empty_ids)
}

/** A lesson with what it lacks for learners. */
export const withWarnings = async (
  { db, school }: Pick<Looking, 'db' | 'school'>,
  lessonId: string,
  lesson: Static<typeof Lesson>,
): Promise<Static<typeof ChangedLesson>> => ({
  ...lesson,
  warnings: lessonWarnings(lessonId, await isEmptyLesson(db, school.id, lessonId)),
})
