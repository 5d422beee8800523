import type { AssignmentRow } from '#src/areas/assignments/index.ts'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { endOfDayAfter } from '#src/kit/local-time.ts'
import type { SubmissionRow } from './queries.ts'

/** The last moment is over. */
export const submissionLate = problem(
  409,
  'submission_late',
  'The last moment is over',
  'The assignment takes no work after its due_at. Ask those who teach the course for an extension.',
)

/** Work was handed in again as often as it may be. */
export const resubmissionNotAllowed = problem(
  409,
  'resubmission_not_allowed',
  'The work cannot be handed in again',
  'The assignment says how often work can be handed in again, and that is used up.',
)

/** How far work has got. */
export type Status = SubmissionRow['status']

// Decision 51. A submission is decided once, a grade can be corrected, and submitting again makes the next number.
const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  submitted: ['graded', 'returned'],
  returned: [],
  graded: ['graded'],
}

/** Refuses a decision on work that the table does not have, or that was followed by other work. */
export const checkDecision = (row: Pick<SubmissionRow, 'status' | 'is_latest'>, to: Status): void => {
  if (!row.is_latest) throw new Refusal(invalidState, 'The work was handed in again since.')
  if (!MOVES[row.status].includes(to)) throw new Refusal(invalidState, `The work is ${row.status} already.`)
}

/** Refuses to change or withdraw work that was decided on. */
export const checkWaiting = ({ status }: Pick<SubmissionRow, 'status'>): void => {
  if (status !== 'submitted') throw new Refusal(invalidState, `The work is ${status} already.`)
}

type Before = Pick<SubmissionRow, 'status' | 'attempt_number' | 'accepted'>

/** The number that work gets which is handed in after other work; refuses where nothing can be handed in. */
export const nextNumber = (
  latest: Before | undefined,
  { max_resubmissions: most }: Pick<AssignmentRow, 'max_resubmissions'>,
): number => {
  if (latest === undefined) return 1
  if (latest.status === 'submitted')
    throw new Refusal(invalidState, 'Work was handed in already and waits to be graded: change or withdraw that.')
  if (latest.accepted === true) throw new Refusal(invalidState, 'The work was accepted.')
  // Of the numbers so far all but the first were handed in again.
  if (most !== null && latest.attempt_number > most)
    throw new Refusal(resubmissionNotAllowed, `Work can be handed in again ${most} times.`)
  return latest.attempt_number + 1
}

/**
 * Whether work that comes now is late; refuses it where the assignment takes none. What was returned is asked for again,
 * so the last moment keeps nobody from doing it again.
 */
export const isLate = (
  { late }: Pick<AssignmentRow, 'late'>,
  { due, now, number }: { readonly due: Date | null; readonly now: Date; readonly number: number },
): boolean => {
  const isOver = due !== null && now.getTime() > due.getTime()
  if (isOver && late === 'refused' && number === 1)
    throw new Refusal(submissionLate, 'The last moment was before now, and nothing is taken after it.', {
      members: { due_at: due.toISOString() },
    })
  return isOver
}

/** What an instant is found from at which work is due. */
type DueFrom = {
  /** What was granted to the student alone. */
  readonly extended: Date | undefined
  /** When they were first entitled to the course; unset when never. */
  readonly start: Date | undefined
  /** Of the school now. */
  readonly zone: string | undefined
}

/** When an assignment is due for somebody; null: at any time. */
export const dueMoment = (
  { due_at, due_days }: Pick<AssignmentRow, 'due_at' | 'due_days'>,
  { extended, start, zone = 'UTC' }: DueFrom,
): Date | null => {
  if (extended !== undefined) return extended
  if (due_days === null) return due_at
  if (start === undefined) return null
  const end = endOfDayAfter(start, due_days, zone)
  // RFC 3339 §5.6: a year has four digits, so nobody can be told of a later instant.
  return end.getUTCFullYear() > 9999 ? null : end
}

/** What was handed in. */
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

const fault = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** What is wrong with work; empty when it can be handed in. */
export const faultsOfWork = (
  { text, link, fileIds }: Work,
  { kinds, max_files: most }: Pick<AssignmentRow, 'kinds' | 'max_files'>,
): FieldError[] => {
  const hasText = text !== null && text.trim() !== ''
  const refused = (kind: AssignmentRow['kinds'][number], is: boolean, pointer: string): FieldError[] =>
    is && !kinds.includes(kind)
      ? [fault(pointer, 'kind', `is nothing that this assignment takes: ${kinds.join(', ')}`)]
      : []
  return [
    ...(hasText || link !== null || fileIds.length > 0 ? [] : [fault('', 'empty', 'has nothing to hand in')]),
    ...refused('text', hasText, '/text'),
    ...refused('link', link !== null, '/link'),
    ...refused('files', fileIds.length > 0, '/file_ids'),
    ...(fileIds.length > most ? [fault('/file_ids', 'maxItems', `are more than ${most}`)] : []),
    ...(link !== null && linkAddress(link) === undefined ? [fault('/link', 'url', 'is not an http(s) address')] : []),
  ]
}
