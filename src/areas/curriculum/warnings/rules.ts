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

/** What whoever publishes a lesson that holds nothing is warned of. */
export const lessonWarnings = (lessonId: string, isEmpty: boolean): Warning[] =>
  isEmpty ? [emptyLessons([lessonId])] : []

/** What whoever publishes a course is warned of, by how many lessons learners see and which of them hold nothing. */
export const courseWarnings = (lessonCount: number, emptyIds: readonly string[]): Warning[] => {
  if (lessonCount === 0) return [{ code: 'no_lessons', message: 'The course has no published lesson yet.', ids: [] }]
  return emptyIds.length === 0 ? [] : [emptyLessons(emptyIds)]
}
