import { renderBody, shownHtml } from '#src/areas/contents/index.ts'
import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { type ResolvedTime, resolveTime, type ZonedTime } from '#src/kit/local-time.ts'
import { isTimeZone } from '#src/kit/locale.ts'
import type { AssignmentInput } from './schema.ts'

/** The lesson is made of something else. */
export const notAnAssignment = problem(
  409,
  'not_an_assignment',
  'The lesson is not an assignment',
  'Only a lesson of the type assignment has something to hand in. What a lesson is made of does not change; make another lesson.',
)

/** What is stored of an assignment. */
export type AssignmentValues = {
  readonly instructions: string
  readonly instructions_html: string
  readonly instructions_allowed: number
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
export const faultsOfLocal = (pointer: string, said: ZonedTime): FieldError[] => {
  if (!isTimeZone(said.time_zone))
    return [{ pointer: `${pointer}/time_zone`, code: 'time_zone', message: 'is not an IANA time zone' }]
  return resolveTime(said) === undefined
    ? [{ pointer: `${pointer}/local`, code: 'format', message: 'is no day and time' }]
    : []
}

const KINDS = ['text', 'files', 'link'] as const

type Instructions = Pick<AssignmentValues, 'instructions' | 'instructions_html' | 'instructions_allowed'>

/** Instructions with what is shown of them; refuses those that cannot be shown. */
export const renderInstructions = (instructions: string): Instructions => {
  const shown = renderBody(instructions, 'markdown')
  if (typeof shown !== 'string')
    return { instructions, instructions_html: shown.body_html, instructions_allowed: shown.body_allowed }
  throw new Refusal(invalidBody, 'The instructions cannot be shown.', {
    errors: [{ pointer: '/instructions', code: shown, message: 'cannot be shown; make it shorter or simpler' }],
  })
}

/** What is shown of the instructions, by the allow-list of today. */
export const shownInstructions = (row: Instructions): string =>
  shownHtml({
    body: row.instructions,
    body_format: 'markdown',
    body_html: row.instructions_html,
    body_allowed: row.instructions_allowed,
  })

const pointsOf = ({ max_points = 100, passing_points }: AssignmentInput) => ({
  max_points,
  passing_points: passing_points ?? Math.ceil(max_points / 2),
})

/** An assignment as it is stored; what was left out is as in a new one. */
export const valuesOf = (said: AssignmentInput, instructions: Instructions): AssignmentValues => {
  const { due_at: due } = said
  return {
    ...instructions,
    due: due ? (resolveTime(due) ?? null) : null,
    due_days: said.due_days_after_enrollment ?? null,
    late: said.late ?? 'allowed',
    ...pointsOf(said),
    kinds: KINDS.filter(kind => said.kinds?.includes(kind) ?? true),
    max_files: said.max_files ?? 5,
    max_resubmissions: said.max_resubmissions === undefined ? 3 : said.max_resubmissions,
    required: said.required ?? true,
  }
}

/** What is wrong with an assignment that fits its schema; empty when it can be stored. */
export const faultsOfAssignment = (said: AssignmentInput): FieldError[] => {
  const { max_points, passing_points } = pointsOf(said)
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
