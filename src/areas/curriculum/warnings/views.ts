import type { Static } from 'typebox'
import type { AsCaller } from '#src/contract/operation.ts'
import type { LessonRow } from '../lessons/queries.ts'
import type { ChangedLesson, Lesson } from '../lessons/schema.ts'
import { isEmptyLesson } from './queries.ts'
import { lessonWarnings } from './rules.ts'

/** A lesson with the warnings about what it lacks; a draft has none. */
export const withWarnings = async (
  { db, school }: Pick<AsCaller, 'db' | 'school'>,
  { id, status }: LessonRow,
  view: Static<typeof Lesson>,
): Promise<Static<typeof ChangedLesson>> => ({
  ...view,
  warnings: lessonWarnings(id, status === 'published' && (await isEmptyLesson(db, school.id, id))),
})
