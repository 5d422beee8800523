import type { Static } from 'typebox'
import { Assignment } from '#src/areas/learning/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormWithFiles, fileForm, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { isChecked, lineIn, lineOrNull, numberOrNull, textIn, valuesIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { assignmentPage } from './assignment-page.ts'
import { lessonPath, type Place, placeOf } from './place.ts'

type AssignmentView = Encoded<Static<typeof Assignment>>

const findAssignment = async (
  { parts, person }: StaffContext,
  { lesson }: Place,
): Promise<AssignmentView | undefined> => {
  const call = { operation: 'getAssignment', params: { lesson_id: lesson.id }, returns: Assignment }
  try {
    return await parts.performAs(person, call)
  } catch (error) {
    // The lesson is there before its assignment.
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const workPlaceOf = async (context: StaffContext): Promise<Place> => {
  const place = await placeOf(context)
  if (place.lesson.type !== 'assignment') throw new Refusal(notFound, 'The lesson is not an assignment.')
  return place
}

const text = (value: number | null): string => (value === null ? '' : String(value))

const formOf = (stored: AssignmentView | undefined, timeZone: string): Pairs => [
  ['instructions', stored?.instructions ?? ''],
  ...(stored?.kinds ?? ['text', 'files', 'link']).map((kind): [string, string] => ['kinds', kind]),
  ['max_files', text(stored?.max_files ?? 5)],
  ['max_resubmissions', text(stored === undefined ? 3 : stored.max_resubmissions)],
  ['max_points', text(stored?.max_points ?? 100)],
  ['passing_points', text(stored?.passing_points ?? 50)],
  ['due_at_local', stored?.due_at?.local ?? ''],
  ['due_at_time_zone', stored?.due_at?.time_zone ?? timeZone],
  ['due_days_after_enrollment', text(stored?.due_days_after_enrollment ?? null)],
  ['late', stored?.late ?? 'allowed'],
  ['required', (stored?.required ?? true) ? 'yes' : ''],
]

const optional = (form: Pairs, name: string): Record<string, number> => {
  const value = numberOrNull(form, name)
  return value === null ? {} : { [name]: value }
}

const valuesOf = (form: Pairs) => {
  const local = lineOrNull(form, 'due_at_local')
  return {
    instructions: textIn(form, 'instructions'),
    kinds: valuesIn(form, 'kinds'),
    ...optional(form, 'max_files'),
    ...optional(form, 'max_points'),
    ...optional(form, 'passing_points'),
    max_resubmissions: numberOrNull(form, 'max_resubmissions'),
    due_at: local === null ? null : { local: local.slice(0, 16), time_zone: lineIn(form, 'due_at_time_zone') },
    due_days_after_enrollment: numberOrNull(form, 'due_days_after_enrollment'),
    late: formField(form, 'late'),
    required: isChecked(form, 'required'),
  }
}

const show = async (
  context: StaffContext,
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const { call } = context
  const place = await workPlaceOf(context)
  const [stored, { time_zone: zone }] = await Promise.all([
    findAssignment(context, place),
    call({ operation: 'getSchool', returns: School }),
  ])
  return assignmentPage(context, {
    place,
    revision: stored?.revision ?? 0,
    instructionsHtml: stored?.instructions_html ?? '',
    typed: again?.form ?? formOf(stored, zone),
    refusal: again?.refusal,
  })
}

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const { parts, person } = context
  const place = await workPlaceOf(context)
  const save = async () => {
    const params = { lesson_id: place.lesson.id }
    const call = { operation: 'setAssignment', params, body: valuesOf(form), revision: revisionIn(form) }
    await parts.performAs(person, { ...call, returns: Assignment })
    return `${lessonPath(place)}/assignment?done=saved`
  }
  return shownAgain(save, refusal => show(context, { form, refusal }))
}

const PATH = '/staff/courses/:course/lessons/:lesson/assignment'

/** GET and POST …/assignment: what learners hand in for a lesson, and until when. */
export const assignmentEditor: StaffSection = {
  // The editor of the lesson leads to it.
  entries: [],
  pages: [
    page(`GET ${PATH}`, courseTeachers, context => show(context)),
    fileForm(`POST ${PATH}`, courseTeachers, submit),
  ],
}
