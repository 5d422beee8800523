import { type FieldError, problem, Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { currentHtml, renderBody } from '#src/kit/body/render.ts'
import { resolveTime, toInstant, type ZonedTime } from '#src/kit/local-time.ts'
import { isTimeZone } from '#src/kit/locale.ts'
import type { AssignmentInput } from './schema.ts'

/** The lesson has another type. */
export const notAnAssignment = problem(
  409,
  'not_an_assignment',
  'The lesson is not an assignment',
  'Only a lesson of the type assignment has an assignment. The type of a lesson cannot be changed; create another lesson.',
)

/** The values of an assignment to be stored. */
export type AssignmentValues = {
  readonly instructions: string
  readonly instructions_html: string
  readonly instructions_allowed: number
  readonly due: ZonedTime | null
  readonly due_days: number | null
  readonly late: 'allowed' | 'refused'
  readonly max_points: number
  readonly passing_points: number
  readonly kinds: readonly ('text' | 'files' | 'link')[]
  readonly max_files: number
  readonly max_resubmissions: number | null
  readonly required: boolean
}

/** The errors of a local time at a pointer; empty when there is such an instant. */
export const errorsOfLocalTime = (pointer: string, time: ZonedTime): FieldError[] => {
  if (!isTimeZone(time.time_zone))
    return [{ pointer: `${pointer}/time_zone`, code: 'time_zone', message: 'is not an IANA time zone' }]
  return resolveTime(time) === undefined
    ? [{ pointer: `${pointer}/local`, code: 'format', message: 'is not a date and time of the calendar' }]
    : []
}

const KINDS = ['text', 'files', 'link'] as const

/** A stored assignment. */
export type AssignmentRow = Omit<AssignmentValues, 'due'> & {
  readonly id: string
  readonly lesson_id: string
  readonly due_local: string | null
  readonly due_time_zone: string | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

type Instructions = Pick<AssignmentValues, 'instructions' | 'instructions_html' | 'instructions_allowed'>

/** Instructions with their HTML; refuses those that cannot be rendered. */
export const renderInstructions = (instructions: string): Instructions => {
  const rendered = renderBody('lesson', instructions, 'markdown')
  if (typeof rendered !== 'string')
    return { instructions, instructions_html: rendered.body_html, instructions_allowed: rendered.body_allowed }
  throw new Refusal(invalidBody, 'The instructions cannot be rendered.', {
    errors: [{ pointer: '/instructions', code: rendered, message: 'cannot be rendered; make it shorter or simpler' }],
  })
}

/** The HTML of stored instructions, by the current allow-list. */
export const instructionsHtml = (row: Instructions): string =>
  currentHtml('lesson', {
    body: row.instructions,
    body_format: 'markdown',
    body_html: row.instructions_html,
    body_allowed: row.instructions_allowed,
  })

const buildPoints = ({ max_points = 100, passing_points }: AssignmentInput) => ({
  max_points,
  passing_points: passing_points ?? Math.ceil(max_points / 2),
})

/** The values to be stored for a request; fields that are left out get their defaults. */
export const buildValues = (input: AssignmentInput, instructions: Instructions): AssignmentValues => ({
  ...instructions,
  due: input.due_at ?? null,
  due_days: input.due_days_after_enrollment ?? null,
  late: input.late ?? 'allowed',
  ...buildPoints(input),
  kinds: KINDS.filter(kind => input.kinds?.includes(kind) ?? true),
  max_files: input.max_files ?? 5,
  max_resubmissions: input.max_resubmissions === undefined ? 3 : input.max_resubmissions,
  required: input.required ?? true,
})

/** The errors of an assignment that fits its schema; empty when it can be stored. */
export const errorsOfAssignment = (input: AssignmentInput): FieldError[] => {
  const { max_points, passing_points } = buildPoints(input)
  const isDueTwice = Boolean(input.due_at) && (input.due_days_after_enrollment ?? null) !== null
  return [
    ...(input.due_at ? errorsOfLocalTime('/due_at', input.due_at) : []),
    ...(isDueTwice
      ? [{ pointer: '/due_days_after_enrollment', code: 'twice', message: 'cannot be combined with due_at' }]
      : []),
    ...(passing_points > max_points
      ? [{ pointer: '/passing_points', code: 'maximum', message: `is more than max_points, ${max_points}` }]
      : []),
  ]
}

type StoredDue = Pick<AssignmentRow, 'due_local' | 'due_time_zone'>

/** The deadline of a stored assignment as a local time; null: none, or some days after the enrollment. */
export const buildDue = ({ due_local: local, due_time_zone: time_zone }: StoredDue): ZonedTime | null =>
  local === null || time_zone === null ? null : { local, time_zone }

/** The same as an instant. */
export const dueInstant = (row: StoredDue): Date | null => {
  const due = buildDue(row)
  return due === null ? null : toInstant(due)
}

/** The values of a stored assignment, to compare them with those of a request. */
export const storedValues = (row: AssignmentRow): AssignmentValues => ({
  instructions: row.instructions,
  instructions_html: row.instructions_html,
  instructions_allowed: row.instructions_allowed,
  due: buildDue(row),
  due_days: row.due_days,
  late: row.late,
  max_points: row.max_points,
  passing_points: row.passing_points,
  kinds: row.kinds,
  max_files: row.max_files,
  max_resubmissions: row.max_resubmissions,
  required: row.required,
})
