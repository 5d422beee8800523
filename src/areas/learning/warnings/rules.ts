import type { Warning } from '#src/contract/warning.ts'
import { toId } from '#src/kit/ids.ts'

const MAX_IDS = 100

const emptyLessons = (ids: readonly string[]): Warning => ({
  code: 'lesson_without_content',
  message:
    ids.length === 1
      ? 'A published lesson has no content yet.'
      : `${ids.length} published lessons have no content yet.`,
  ids: ids.slice(0, MAX_IDS).map(id => toId('les', id)),
})

/** The warnings about a lesson. */
export const warningsOfLesson = (lessonId: string, isEmpty: boolean): Warning[] =>
  isEmpty ? [emptyLessons([lessonId])] : []

/** The warnings about a course, by its number of published lessons and those of them without content. */
export const warningsOfCourse = (lessonCount: number, emptyIds: readonly string[]): Warning[] => {
  if (lessonCount === 0) return [{ code: 'no_lessons', message: 'The course has no published lesson yet.', ids: [] }]
  return emptyIds.length === 0 ? [] : [emptyLessons(emptyIds)]
}
