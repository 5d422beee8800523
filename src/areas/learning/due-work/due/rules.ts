import type { WorkRow } from '../lessons/queries.ts'
import type { LatestAttempt, LatestWork } from './queries.ts'
import type { dueStates } from './schema.ts'

/** The state of due work. */
type DueState = (typeof dueStates)[number]

/** The deadline, and when an attempt in progress times out. */
type Moments = { readonly due_at: Date | null; readonly ends_at: Date | null }

/** What a learner has to do for a lesson. */
export type Due = Moments & { readonly state: DueState }

type Assignment = Extract<WorkRow, { kind: 'assignment' }>
type Quiz = Extract<WorkRow, { kind: 'quiz' }>

/**
 * What is to be submitted for an assignment; undefined where nothing is: the work waits for grading, was accepted, may
 * not be submitted again, or the lesson is completed and the work was not returned.
 */
export const dueAssignment = (
  { late, max_resubmissions: max }: Pick<Assignment, 'late' | 'max_resubmissions'>,
  latest: LatestWork | undefined,
  { isDone, due, now }: { readonly isDone: boolean; readonly due: Date | null; readonly now: Date },
): Due | undefined => {
  const as = (state: DueState): Due => ({ state, due_at: due, ends_at: null })
  if (latest === undefined) {
    if (isDone) return undefined
    return as(late === 'refused' && due !== null && now > due ? 'missed' : 'not_started')
  }
  const isUsedUp = max !== null && latest.attempt_number > max
  if (latest.status === 'submitted' || latest.accepted === true || isUsedUp) return undefined
  if (latest.status === 'returned') return as('returned')
  return isDone ? undefined : as('not_accepted')
}

/**
 * What is to be done for a quiz; undefined where nothing is: it is passed, waits for grading, or has no attempts left.
 */
export const dueQuiz = (
  { max_attempts: max }: Pick<Quiz, 'max_attempts'>,
  latest: LatestAttempt | undefined,
  isDone: boolean,
): Due | undefined => {
  const none = { due_at: null, ends_at: null }
  if (latest?.status === 'started') return { ...none, state: 'started', ends_at: latest.expires_at }
  if (isDone) return undefined
  if (latest === undefined) return { ...none, state: 'not_started' }
  const isUsedUp = max !== null && latest.used >= max
  return latest.has_passed || isUsedUp || latest.status !== 'graded' ? undefined : { ...none, state: 'not_passed' }
}

// After every instant.
const LAST = '~'

/** The position of work in a list by deadline; work without a deadline comes last. */
export const buildPosition = (row: { readonly due_at: Date | null; readonly lesson: { readonly id: string } }) =>
  [row.due_at?.toISOString() ?? LAST, row.lesson.id] as const

/** Whether a deadline is in a range; work without a deadline is in no range. */
export const isDueWithin = (due: Date | null, from: Date | undefined, before: Date | undefined): boolean => {
  if (from === undefined && before === undefined) return true
  if (due === null) return false
  return (from === undefined || due >= from) && (before === undefined || due < before)
}
