import type { LessonRow } from '#src/areas/courses/index.ts'
import { problem } from '#src/contract/problem.ts'
import type { Warning } from '#src/contract/warning.ts'
import { toId } from '#src/kit/ids.ts'
import type { Completion } from '../availability/rules.ts'
import type { EnrollmentProgress } from './queries.ts'

/** The lesson is completed by graded work. */
export const completedByWork = problem(
  409,
  'completed_by_work',
  'The lesson is completed by graded work',
  'A quiz is completed by passing it, an assignment by submitting work that is accepted. Only staff and lecturers of the course can override this.',
)

/** Something that the course requires is not completed. */
export const notComplete = problem(
  409,
  'not_complete',
  'Something that the course requires is missing',
  'A course is finished when all lessons that it requires are completed. lesson_ids names those that are missing, where the course is published; a course that requires nothing cannot be completed.',
)

/** The warning that a change of lessons brings people to 100 %; undefined when it does not. */
export const warningOfReaching = (count: number, ids: readonly string[]): Warning | undefined =>
  count === 0
    ? undefined
    : {
        code: 'would_reach_all',
        message: `${count === 1 ? 'One person lacks' : `${count} people lack`} nothing in the course with this change. It completes the course for nobody: they finish it themselves, or staff complete it for all with POST /courses/{course_id}/completions.`,
        ids: ids.map(id => toId('enr', id)),
      }

/** The properties of a lesson that matter for progress. */
type CountedLesson = Pick<LessonRow, 'id' | 'type' | 'required_for_completion'>

/** The lessons of a course that learners see, in their order. */
export const seenLessons = <Lesson extends Pick<LessonRow, 'status' | 'archived_at'>>(
  all: readonly Lesson[],
): Lesson[] => all.filter(({ status, archived_at }) => status === 'published' && archived_at === null)

/** The ids of the lessons that have to be completed, of those that learners see. */
export const requiredIds = (seen: readonly CountedLesson[]): string[] =>
  seen.filter(lesson => lesson.required_for_completion).map(({ id }) => id)

/** The completions in force at an instant, by lesson. */
export const progressAt = <Row extends Completion>(completions: readonly Row[], at: Date): ReadonlyMap<string, Row> =>
  new Map(
    completions
      .filter(({ completed_at: from, undone_at: until }) => from <= at && (until === null || at < until))
      .map(row => [row.lesson_id, row]),
  )

/**
 * The progress of a member in a course, by the lessons that learners currently see. Only required lessons count, and a
 * course without required lessons cannot be completed.
 */
export const computeProgress = (
  lessons: readonly CountedLesson[],
  isDone: (lessonId: string) => boolean,
  isOpen: (lessonId: string) => boolean,
): EnrollmentProgress & {
  readonly required: number
  readonly done: number
  readonly missingIds: readonly string[]
} => {
  const required = requiredIds(lessons)
  const missingIds = required.filter(id => !isDone(id))
  const done = required.length - missingIds.length
  return {
    required: required.length,
    done,
    missingIds,
    percent: required.length === 0 ? 0 : Math.floor((done * 100) / required.length),
    isComplete: required.length > 0 && done === required.length,
    currentLessonId: lessons.find(({ id }) => !isDone(id) && isOpen(id))?.id ?? null,
  }
}

/** Whether lessons of a type are completed by graded work and not by the learner. */
export const isCompletedByGrading = (contentType: LessonRow['type']): boolean =>
  contentType === 'quiz' || contentType === 'assignment'
