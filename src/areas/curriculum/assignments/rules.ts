import { type Fault, problem } from '#src/contract/problem.ts'
import { type ZonedTime, type ResolvedTime, resolveLocal } from '#src/kit/zoned-time.ts'
import { isTimeZone } from '#src/kit/place.ts'
import type { AssignmentSaid } from './schema.ts'

/** The lesson is made of something else. */
export const notAnAssignment = problem(
  409,
  'not_an_assignment',
  'The lesson is not an assignment',
  'Only a lesson of the content_type assignment has something to hand in. What a lesson is made of does not change; make another lesson.',
)

/** What is stored of an assignment. */
export type AssignmentValues = {
  readonly instructions: string
  readonly due: ResolvedTime | null
  readonly due_days: number | null
  readonly late: 'allowed' | 'refused'
  readonly max_points: number
  readonly passing_points: number
  readonly kinds: readonly ('text' | 'files' | 'link')[]
  readonly max_files: number
  readonly max_resubmissions: number | null
  readonly required: boolean
}

/** What is wrong with a local time, at a pointer; empty when there is such a moment. */
export const faultsOfLocal = (pointer: string, said: ZonedTime): Fault[] => {
  if (!isTimeZone(said.time_zone))
    return [{ pointer: `${pointer}/time_zone`, code: 'time_zone', message: 'is not an IANA time zone' }]
  return resolveLocal(said) === undefined
    ? [{ pointer: `${pointer}/local`, code: 'format', message: 'is no day and time' }]
    : []
}

const KINDS = ['text', 'files', 'link'] as const

/** An assignment as it is stored; what was left out is as in a new one. */
export const valuesOf = (said: AssignmentSaid): AssignmentValues => {
  const { max_points = 100, due_at: due } = said
  return {
    instructions: said.instructions,
    due: due ? (resolveLocal(due) ?? null) : null,
    due_days: said.due_days_after_enrollment ?? null,
    late: said.late ?? 'allowed',
    max_points,
    passing_points: said.passing_points ?? Math.ceil(max_points / 2),
    kinds: KINDS.filter(kind => said.kinds?.includes(kind) ?? true),
    max_files: said.max_files ?? 5,
    max_resubmissions: said.max_resubmissions === undefined ? 3 : said.max_resubmissions,
    required: said.required ?? true,
  }
}

/** What is wrong with an assignment that fits its schema; empty when it can be stored. */
export const faultsOfAssignment = (said: AssignmentSaid): Fault[] => {
  const { max_points, passing_points } = valuesOf(said)
  const isDueTwice = Boolean(said.due_at) && (said.due_days_after_enrollment ?? null) !== null
  return [
    ...(said.due_at ? faultsOfLocal('/due_at', said.due_at) : []),
    ...(isDueTwice
      ? [{ pointer: '/due_days_after_enrollment', code: 'twice', message: 'stands beside due_at; say one of them' }]
      : []),
    ...(passing_points > max_points
      ? [{ pointer: '/passing_points', code: 'maximum', message: `is more than max_points, ${max_points}` }]
      : []),
  ]
}
