import type { WorkRow } from '../lessons/queries.ts'
import type { LatestAttempt, LatestWork } from './queries.ts'
import type { dueStates } from './schema.ts'

/** How far somebody has got with what they have to do. */
export type DueState = (typeof dueStates)[number]

/** When something is to be done, and when the clock ends what is under way. */
type Moments = { readonly due_at: Date | null; readonly ends_at: Date | null }

/** What somebody has to do for a lesson. */
export type Due = Moments & { readonly state: DueState }

type Assignment = Extract<WorkRow, { kind: 'assignment' }>
type Quiz = Extract<WorkRow, { kind: 'quiz' }>

/**
 * What is to be handed in for an assignment; undefined where nothing is: it waits to be graded, was accepted, may not be
 * handed in again, or the lesson is completed and nobody asked for it again.
 */
export const dueAssignment = (
  { late, max_resubmissions: most }: Pick<Assignment, 'late' | 'max_resubmissions'>,
  latest: LatestWork | undefined,
  { isDone, due, now }: { readonly isDone: boolean; readonly due: Date | null; readonly now: Date },
): Due | undefined => {
  const as = (state: DueState): Due => ({ state, due_at: due, ends_at: null })
  if (latest === undefined) {
    if (isDone) return undefined
    return as(late === 'refused' && due !== null && now > due ? 'missed' : 'not_started')
  }
  const isUsedUp = most !== null && latest.attempt_number > most
  if (latest.status === 'submitted' || latest.accepted === true || isUsedUp) return undefined
  if (latest.status === 'returned') return as('returned')
  return isDone ? undefined : as('not_accepted')
}

/** What is to be done for a quiz; undefined where nothing is: it is passed, waits to be graded, or cannot be tried again. */
export const dueQuiz = (
  { max_attempts: most }: Pick<Quiz, 'max_attempts'>,
  latest: LatestAttempt | undefined,
  isDone: boolean,
): Due | undefined => {
  const none = { due_at: null, ends_at: null }
  if (latest?.status === 'started') return { ...none, state: 'started', ends_at: latest.expires_at }
  if (isDone) return undefined
  if (latest === undefined) return { ...none, state: 'not_started' }
  const isUsedUp = most !== null && latest.used >= most
  return latest.has_passed || isUsedUp || latest.status !== 'graded' ? undefined : { ...none, state: 'not_passed' }
}

// Behind every instant that there is.
const LAST = '~'

/** Where something stands in a list by when it is due: what is due at no time comes last. */
export const placeOf = (row: { readonly due_at: Date | null; readonly lesson: { readonly id: string } }) =>
  [row.due_at?.toISOString() ?? LAST, row.lesson.id] as const

/** Whether something is due from one instant on and before another; what is due at no time is in no stretch. */
export const isDueWithin = (due: Date | null, from: string | undefined, before: string | undefined): boolean => {
  if (from === undefined && before === undefined) return true
  if (due === null) return false
  return (from === undefined || due >= new Date(from)) && (before === undefined || due < new Date(before))
}
