import type { AssignmentRow } from '#src/areas/learning/assignments/index.ts'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { endOfDayAfter } from '#src/kit/local-time.ts'
import type { Decision, SubmissionRow } from './queries.ts'

/** The deadline has passed. */
export const submissionLate = problem(
  409,
  'submission_late',
  'The deadline has passed',
  'The assignment accepts no work after its due_at. Ask a lecturer of the course for an extension.',
)

/** All resubmissions were used. */
export const resubmissionNotAllowed = problem(
  409,
  'resubmission_not_allowed',
  'The work cannot be submitted again',
  'All resubmissions that the assignment allows were used.',
)

/** The status of a submission. */
type Status = SubmissionRow['status']

// Decision 51. A submission is decided once, a grade can be corrected, and submitting again makes the next number.
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  submitted: ['graded', 'returned'],
  returned: [],
  graded: ['graded'],
}

/** Refuses a decision that the status does not allow, or on work that was submitted again since. */
export const checkDecision = (row: Pick<SubmissionRow, 'status' | 'is_latest'>, to: Status): void => {
  if (!row.is_latest) throw new Refusal(invalidState, 'The work was submitted again since.')
  if (!MOVES[row.status].includes(to)) throw new Refusal(invalidState, `The work is ${row.status} already.`)
}

/** What those who teach can do with a submission, for `allowed_actions`. */
export const listActions = ({ status, is_latest }: Pick<SubmissionRow, 'status' | 'is_latest'>): string[] => [
  'getSubmission',
  ...(is_latest && MOVES[status].includes('graded') ? ['gradeSubmission'] : []),
  ...(is_latest && MOVES[status].includes('returned') ? ['returnSubmission'] : []),
]

/** What its author can do with a submission, for `allowed_actions`. */
export const listOwnActions = ({ status }: Pick<SubmissionRow, 'status'>): string[] => [
  'getAccountSubmission',
  ...(status === 'submitted' ? ['updateAccountSubmission', 'withdrawAccountSubmission'] : []),
]

/** Refuses to change or withdraw work that was graded or returned. */
export const checkWaiting = ({ status }: Pick<SubmissionRow, 'status'>): void => {
  if (status !== 'submitted') throw new Refusal(invalidState, `The work is ${status} already.`)
}

type Before = Pick<SubmissionRow, 'status' | 'attempt_number' | 'accepted'>

/** The number of the next submission of an assignment; refuses where nothing can be submitted. */
export const nextNumber = (
  latest: Before | undefined,
  { max_resubmissions: max }: Pick<AssignmentRow, 'max_resubmissions'>,
): number => {
  if (latest === undefined) return 1
  if (latest.status === 'submitted')
    throw new Refusal(invalidState, 'Work was submitted already and waits for grading: change or withdraw that.')
  if (latest.accepted === true) throw new Refusal(invalidState, 'The work was accepted.')
  // All numbers but the first were resubmissions.
  if (max !== null && latest.attempt_number > max)
    throw new Refusal(resubmissionNotAllowed, `Work can be submitted again ${max} times.`)
  return latest.attempt_number + 1
}

/**
 * Whether work that is submitted now is late; refuses it where the assignment does not accept late work. Returned work
 * can be submitted again after the deadline.
 */
export const isLate = (
  { late }: Pick<AssignmentRow, 'late'>,
  { due, now, number }: { readonly due: Date | null; readonly now: Date; readonly number: number },
): boolean => {
  const isOver = due !== null && now.getTime() > due.getTime()
  if (isOver && late === 'refused' && number === 1)
    throw new Refusal(submissionLate, 'The deadline has passed, and late work is not accepted.', {
      members: { due_at: due.toISOString() },
    })
  return isOver
}

/** What a deadline depends on. */
type DueFrom = {
  /** The extension of the student. */
  readonly extended: Date | undefined
  /** When they were first entitled to the course; unset when never. */
  readonly start: Date | undefined
  /** The time zone of the school now. */
  readonly zone: string | undefined
}

/** The deadline of an assignment for a learner; null: none. */
export const dueMoment = (
  { due_at, due_days }: { readonly due_at: Date | null; readonly due_days: number | null },
  { extended, start, zone = 'UTC' }: DueFrom,
): Date | null => {
  if (extended !== undefined) return extended
  if (due_days === null) return due_at
  if (start === undefined) return null
  const end = endOfDayAfter(start, due_days, zone)
  // RFC 3339 §5.6: a year has four digits, so a later instant cannot be written.
  return end.getUTCFullYear() > 9999 ? null : end
}

/** The content of a submission. */
export type Work = {
  readonly text: string | null
  readonly link: string | null
  /** Ids on the wire. */
  readonly fileIds: readonly string[]
}

/** The address of a link as it is stored; undefined for one that no browser should follow. */
export const linkAddress = (url: string): string | undefined => {
  const parsed = URL.parse(url.trim())
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return undefined
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : undefined
}

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** The errors of work; empty when it can be submitted. */
export const errorsOfWork = (
  { text, link, fileIds }: Work,
  { kinds, max_files: max }: Pick<AssignmentRow, 'kinds' | 'max_files'>,
): FieldError[] => {
  const hasText = text !== null && text.trim() !== ''
  const refused = (kind: AssignmentRow['kinds'][number], is: boolean, pointer: string): FieldError[] =>
    is && !kinds.includes(kind)
      ? [fieldError(pointer, 'kind', `is not a kind of work that this assignment accepts: ${kinds.join(', ')}`)]
      : []
  return [
    ...(hasText || link !== null || fileIds.length > 0 ? [] : [fieldError('', 'empty', 'has nothing to submit')]),
    ...refused('text', hasText, '/text'),
    ...refused('link', link !== null, '/link'),
    ...refused('files', fileIds.length > 0, '/file_ids'),
    ...(fileIds.length > max ? [fieldError('/file_ids', 'maxItems', `are more than ${max}`)] : []),
    ...(link !== null && linkAddress(link) === undefined
      ? [fieldError('/link', 'url', 'is not an http(s) address')]
      : []),
  ]
}

/** The payload of facts about a submission: ids alone. */
export const aboutSubmission = (row: Pick<SubmissionRow, 'id' | 'course_id' | 'lesson_id' | 'member_id'>) => ({
  submission_id: toId('sbm', row.id),
  course_id: toId('crs', row.course_id),
  lesson_id: toId('les', row.lesson_id),
  member_id: toId('mem', row.member_id),
})

/** Whether a submission has this decision already. */
export const isSameDecision = (row: SubmissionRow, decision: Decision, fileIds: readonly string[]): boolean =>
  row.status === decision.status &&
  row.points === decision.points &&
  row.max_points === decision.max_points &&
  row.passing_points === decision.passing_points &&
  row.feedback === decision.feedback &&
  row.feedback_file_ids.join() === fileIds.join()
