import type { Static } from 'typebox'
import { Assignment } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { box, choice, fieldsFor, line, markdown, optionalLocalTime, selectMany, whole } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { plainEditor } from '../../texts/index.ts'

const { assignment: text } = texts.staff.lessons

/** What learners hand in for a lesson. */
export type AssignmentView = Encoded<Static<typeof Assignment>>

// Numbers without which there is a default are left out where they are empty.
const defaulted = ['max_files', 'max_points', 'passing_points'] as const

type Body = Omit<AssignmentView, (typeof defaulted)[number]> & {
  readonly [name in (typeof defaulted)[number]]: number | null
} & { readonly due_at_local: string | null; readonly due_at_time_zone: string }

/** The fields of an assignment. */
export const assignmentFields = fieldsFor<Body>()(text.fields, {
  instructions: markdown({ most: 200_000, rows: 10, editor: plainEditor('instructions') }),
  kinds: selectMany(['text', 'files', 'link']),
  max_files: whole(),
  max_resubmissions: whole(),
  max_points: whole(),
  passing_points: whole(),
  due_at_local: optionalLocalTime(),
  due_at_time_zone: line({ most: 64 }),
  due_days_after_enrollment: whole(),
  late: choice(['allowed', 'refused']),
  required: box(),
})

const blank: Partial<AssignmentView> = {
  kinds: ['text', 'files', 'link'],
  max_files: 5,
  max_resubmissions: 3,
  max_points: 100,
  passing_points: 50,
  late: 'allowed',
  required: true,
}

/** The assignment of a lesson; undefined before it is stored. */
export const findAssignment = async ({ call }: StaffContext, lessonId: string): Promise<AssignmentView | undefined> => {
  try {
    return await call({ operation: 'getAssignment', params: { lesson_id: lessonId }, returns: Assignment })
  } catch (error) {
    // The lesson is there before its assignment.
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

/** An assignment as its form shows it; a new one has the usual terms. */
export const assignmentPairs = (context: StaffContext, assignment: AssignmentView | undefined): Pairs => {
  const { local = '', time_zone = context.school.timeZone } = assignment?.due_at ?? {}
  return assignmentFields.pairs({ ...(assignment ?? blank), due_at_local: local, due_at_time_zone: time_zone }, context)
}

/** What the form says, as `setAssignment` takes it. */
export const assignmentBody = (context: StaffContext, typed: Pairs) => {
  const { due_at_local: local, due_at_time_zone: time_zone, ...fields } = assignmentFields.body(typed, context)
  const isGiven = ([name, value]: readonly [string, unknown]): boolean =>
    value !== null || !defaulted.some(one => one === name)
  const due_at = local == null ? null : { local, time_zone }
  return { ...Object.fromEntries(Object.entries(fields).filter(isGiven)), due_at }
}

/** The instructions as learners see them; they were sanitized by the operation that returned them. */
export const renderInstructions = ({ t }: StaffContext, assignment: AssignmentView | undefined): Html | false => {
  const shown = { html: assignment?.instructions_html ?? '' }
  return (
    shown.html !== '' &&
    html`<details class="card preview"><summary>${t(text.preview)}</summary><div class="prose">${shown}</div></details>`
  )
}
