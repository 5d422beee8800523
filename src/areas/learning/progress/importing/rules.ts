import type { LessonRow } from '#src/areas/courses/index.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { fromId } from '#src/kit/ids.ts'
import { fold } from '#src/kit/text.ts'
import { requiredIds } from '../progress/rules.ts'

/** What somebody learned elsewhere: one lesson, a share of the course, or all of it. */
export type ProgressRow = {
  readonly enrollmentId: string
  /** The id or the name of a lesson of the course. */
  readonly lesson?: string | undefined
  /** From 0 to 100. */
  readonly percent?: number | undefined
  readonly isComplete?: boolean | undefined
  /** When it was learned; unset: now. */
  readonly at?: Date | undefined
}

/** The lessons that a row completes, or why it cannot. */
type PlannedLessons = { readonly lessonIds: readonly string[]; readonly errors?: readonly FieldError[] }

type SeenLesson = Pick<LessonRow, 'id' | 'name' | 'type' | 'required_for_completion'>

const lessonError = (code: string, message: string): PlannedLessons => ({
  lessonIds: [],
  errors: [{ pointer: '/lesson', code, message }],
})

const NO_LESSONS: FieldError = {
  pointer: '/percent_complete',
  code: 'no_lessons',
  message: 'completes nothing, since the course has no lesson yet that counts',
}

const findLesson = (lessons: readonly SeenLesson[], text: string): PlannedLessons => {
  const id = fromId('les', text)
  const found = lessons.filter(lesson => lesson.id === id || fold(lesson.name) === fold(text))
  if (found.length > 1) return lessonError('ambiguous', 'is the name of several lessons of the course')
  const [lesson] = found
  return lesson === undefined
    ? lessonError('unknown', 'is not the name of a lesson that learners of the course see')
    : { lessonIds: [lesson.id] }
}

/**
 * The lessons of those that learners see which a row completes: the one that it names, or the first required ones in the order
 * of the outline until their share is reached. What is completed stays, and counts.
 */
export const planLessons = (
  lessons: readonly SeenLesson[],
  isDone: (lessonId: string) => boolean,
  { lesson, percent = 0, isComplete = false }: ProgressRow,
): PlannedLessons => {
  if (lesson !== undefined) {
    const { lessonIds, ...errors } = findLesson(lessons, lesson)
    return { lessonIds: lessonIds.filter(id => !isDone(id)), ...errors }
  }
  const required = requiredIds(lessons)
  if (required.length === 0 && (isComplete || percent > 0)) return { lessonIds: [], errors: [NO_LESSONS] }
  const missing = required.filter(id => !isDone(id))
  const wanted = isComplete ? required.length : Math.floor((required.length * Math.min(percent, 100)) / 100)
  return { lessonIds: missing.slice(0, Math.max(0, wanted - (required.length - missing.length))) }
}
