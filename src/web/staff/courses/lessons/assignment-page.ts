import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, box, choose, type FormState, line } from '../../forms/fields.ts'
import { inputs } from '../../pages/fields.ts'
import { coursePage } from '../courses/frame.ts'
import { courseRefusals, coursesText } from '../courses/text.ts'
import { assignmentText as text } from './assignment-text.ts'
import { aboveLesson, lessonPath, type Place } from './place.ts'

type AssignmentShown = {
  readonly place: Place
  /** The revision of the assignment; 0 before it is stored. */
  readonly revision: number
  /** The stored instructions, sanitized. */
  readonly instructionsHtml: string
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
}

const number = (
  state: FormState,
  name: 'max_files' | 'max_resubmissions' | 'max_points' | 'passing_points',
  label: string,
): Html => line(state, { name, label, attributes: inputs.number })

const kindsPart = (state: FormState, { t }: StaffContext): Html => {
  const error = state.errors.get('kinds')
  const kinds = Object.entries(text.kindNames)
  return html`<fieldset><legend>${t(text.kinds)}</legend>
${error !== undefined && html`<p class="field-error">${error}</p>`}
${kinds.map(([kind, phrase]) => box(state, { name: 'kinds', id: `kind-${kind}`, label: t(phrase) }, kind))}
<div class="pair">${number(state, 'max_files', t(text.maxFiles))}
${number(state, 'max_resubmissions', t(text.resubmissions))}</div></fieldset>`
}

const duePart = (state: FormState, { t }: StaffContext): Html => {
  const lates = Object.entries(text.lates).map(([value, phrase]) => ({ value, label: t(phrase) }))
  return html`<fieldset><legend>${t(text.due)}</legend>
<p class="quiet">${t(text.dueAbout)}</p>
<div class="pair">${line(state, { name: 'due_at_local', label: t(text.dueLocal), attributes: html`type="datetime-local"` })}
${line(state, { name: 'due_at_time_zone', label: t(text.zone) })}
${line(state, { name: 'due_days_after_enrollment', label: t(text.dueDays), attributes: inputs.number })}</div>
${choose(state, { name: 'late', label: t(text.late) }, lates)}</fieldset>`
}

/** The form of an assignment. */
export const assignmentPage = (context: StaffContext, view: AssignmentShown): Promise<Reply> => {
  const { t, language, token } = context
  const { place, revision, instructionsHtml, typed, refusal } = view
  const { course, lesson } = place
  const errors = errorsIn(refusal, language, text.errors)
  const state = { typed, errors }
  const isStale = refusal === undefined || refusal.problem.code === 'precondition_failed'
  const inside = html`${hidden({ revision: isStale ? revision : formField(typed, 'revision') })}
${area(state, { name: 'instructions', label: t(text.instructions), rows: 10, attributes: html`class="code" maxlength="200000"` })}
${kindsPart(state, context)}
<div class="pair">${number(state, 'max_points', t(text.maxPoints))}
${number(state, 'passing_points', t(text.passingPoints))}</div>
${duePart(state, context)}
${box(state, { name: 'required', label: t(text.required) })}
<div class="buttons row"><button class="main" type="submit">${t(coursesText.save)}</button></div>`
  const shown =
    instructionsHtml !== '' &&
    html`<section class="card preview"><h2>${t(text.preview)}</h2><div class="prose">${{ html: instructionsHtml }}</div></section>`
  return coursePage(context, {
    title: t(text.title, { name: lesson.name }),
    above: aboveLesson(context, place, true),
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: [...errors.keys()], refusals: courseRefusals }),
    body: html`<p class="course-head"><a href="/learn/${course.slug}/${lesson.id}">${t(coursesText.asStudent)}</a></p>
${formOf(`${lessonPath(place)}/assignment`, token, inside)}
${shown}`,
  })
}
