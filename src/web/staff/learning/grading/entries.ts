import { fill, type Language } from '#src/contract/language.ts'
import { formatNumber } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, momentColumn, renderName } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import type { Names } from '../../teaching/names.ts'
import { linkPerson } from './parts.ts'
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
  /** Whether the list is of one student in one course, which need not be said. */
  readonly isOfOne?: boolean
}

/** Work of a student as a row of a list: where it is graded, whose it is, which it is, and how it stands. */
type WorkLine = {
  readonly href: string
  readonly name: string
  readonly about: string
  readonly student: WorkEntry['student']
  readonly at: string
  readonly state: Html
}

const describe = (
  entry: WorkEntry | AttemptEntry,
  { names, isOfOne = false }: Lines,
  notes: readonly string[],
): Pick<WorkLine, 'name' | 'about' | 'student'> => ({
  name: names.lesson(entry.lesson_id),
  about: [...(isOfOne ? [] : [names.course(entry.course_id)]), ...notes].join(' · '),
  student: entry.student,
})

const workState = (work: WorkEntry, language: Language): Html => {
  if (work.status === 'submitted') return pill(fill(text.waiting, language), 'warn')
  return pill(workOutcome(work, language), work.grade === null ? 'info' : work.grade.accepted ? 'good' : 'bad')
}

/** Work for an assignment as a row. */
export const describeWork = (work: WorkEntry, lines: Lines): WorkLine => {
  const { t, language } = lines.context
  return {
    href: gradingPath('works', work.id, lines.courseId),
    at: work.submitted_at,
    state: workState(work, language),
    ...describe(work, lines, [
      ...(work.attempt_number > 1 ? [t(text.number, { n: work.attempt_number })] : []),
      ...(work.late ? [t(text.late)] : []),
    ]),
  }
}

const attemptState = (attempt: AttemptEntry, language: Language): Html => {
  const { status, passed } = attempt
  if (status !== 'graded')
    return pill(
      fill(status === 'started' ? text.inProgress : text.waiting, language),
      status === 'started' ? 'hollow' : 'warn',
    )
  return pill(attemptOutcome(attempt, language), passed === null ? 'info' : passed ? 'good' : 'bad')
}

/** An attempt at a quiz as a row. */
export const describeAttempt = (attempt: AttemptEntry, lines: Lines): WorkLine => {
  const { t, language } = lines.context
  return {
    href: gradingPath('attempts', attempt.id, lines.courseId),
    at: attempt.submitted_at ?? attempt.timed_out_at ?? attempt.started_at,
    state: attemptState(attempt, language),
    ...describe(attempt, lines, attempt.attempt_number > 1 ? [t(text.attempt, { n: attempt.attempt_number })] : []),
  }
}

/** The columns of a list of work, which lead to where it is graded, and to the students where it is that of several. */
export const workColumns = (context: TeacherContext, isOfOne = false): Column<WorkLine>[] => [
  { name: texts.words.lesson, kind: 'main', cell: ({ href, name, about }) => renderName(href, name, about) },
  ...(isOfOne ? [] : [{ name: text.student, cell: ({ student }: WorkLine) => linkPerson(student, context) }]),
  { name: texts.words.status, cell: ({ state }) => state },
  momentColumn(context, { name: text.submitted, at: ({ at }) => at }),
]
