import { fill, type Language } from '#src/contract/language.ts'
import { formatNumber } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { listRow } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { type Names, personName } from '../../teaching/names.ts'
import { gradingText as text } from './text.ts'
import { type AttemptEntry, gradingPath, type WorkEntry } from './waiting.ts'

/** What came of work for an assignment, such as `accepted: 16 of 20 points`. */
export const workOutcome = ({ grade }: Pick<WorkEntry, 'grade'>, language: Language): string => {
  if (grade === null) return fill(text.returned, language)
  const points = fill(text.points, language, {
    points: formatNumber(grade.points, language),
    max: formatNumber(grade.max_points, language),
  })
  return `${fill(grade.accepted ? text.accepted : text.notAccepted, language)}: ${points}`
}

/** What came of an attempt that was graded. */
export const attemptOutcome = (
  { points, points_possible: max, passed }: Pick<AttemptEntry, 'points' | 'points_possible' | 'passed'>,
  language: Language,
): string => {
  const score = fill(text.points, language, {
    points: formatNumber(points ?? 0, language),
    max: formatNumber(max, language),
  })
  return passed === null ? score : `${fill(passed ? text.passed : text.notPassed, language)}: ${score}`
}

type Lines = {
  readonly context: TeacherContext
  readonly names: Names
  /** The course to which the queue is limited; empty: all. */
  readonly courseId?: string
  /** Whether the list is of one student in one course, so that each entry begins with the lesson. */
  readonly isOfOne?: boolean
}

const line = (href: string, [first = '', ...rest]: readonly string[], facts: readonly string[]): Html =>
  listRow(href, first, [...rest, ...facts])

const formatHead = (entry: WorkEntry | AttemptEntry, { context, names, isOfOne = false }: Lines): string[] => {
  const lesson = names.lesson(entry.lesson_id)
  return isOfOne ? [lesson] : [personName(entry.student, context), lesson, names.course(entry.course_id)]
}

const workState = (work: WorkEntry, language: Language): string =>
  work.status === 'submitted' ? fill(text.waiting, language) : workOutcome(work, language)

/** Work for an assignment as an entry of a list. */
export const workLine = (work: WorkEntry, lines: Lines): Html => {
  const { t, day, language } = lines.context
  return line(gradingPath('works', work.id, lines.courseId), formatHead(work, lines), [
    day(work.submitted_at),
    ...(work.attempt_number > 1 ? [t(text.number, { n: work.attempt_number })] : []),
    ...(work.late ? [t(text.late)] : []),
    workState(work, language),
  ])
}

const attemptState = (attempt: AttemptEntry, language: Language): string => {
  if (attempt.status === 'graded') return attemptOutcome(attempt, language)
  return fill(attempt.status === 'started' ? text.inProgress : text.waiting, language)
}

/** An attempt at a quiz as an entry of a list. */
export const attemptLine = (attempt: AttemptEntry, lines: Lines): Html => {
  const { t, day, language } = lines.context
  const ended = attempt.submitted_at ?? attempt.timed_out_at ?? attempt.started_at
  return line(gradingPath('attempts', attempt.id, lines.courseId), formatHead(attempt, lines), [
    day(ended),
    ...(attempt.attempt_number > 1 ? [t(text.attempt, { n: attempt.attempt_number })] : []),
    attemptState(attempt, language),
  ])
}
