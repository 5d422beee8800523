import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
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

const kindsPart = (state: FormState, { language }: StaffContext): Html => {
  const error = state.errors.get('kinds')
  const kinds = Object.entries(text.kindNames)
  return html`<fieldset><legend>${fill(text.kinds, language)}</legend>
${error !== undefined && html`<p class="field-error">${error}</p>`}
${kinds.map(([kind, phrase]) => box(state, { name: 'kinds', id: `kind-${kind}`, label: fill(phrase, language) }, kind))}
<div class="pair">${number(state, 'max_files', fill(text.maxFiles, language))}
${number(state, 'max_resubmissions', fill(text.resubmissions, language))}</div></fieldset>`
}

const duePart = (state: FormState, { language }: StaffContext): Html => {
  const lates = Object.entries(text.lates).map(([value, phrase]) => ({ value, label: fill(phrase, language) }))
  return html`<fieldset><legend>${fill(text.due, language)}</legend>
<p class="quiet">${fill(text.dueAbout, language)}</p>
<div class="pair">${line(state, { name: 'due_at_local', label: fill(text.dueLocal, language), attributes: html`type="datetime-local"` })}
${line(state, { name: 'due_at_time_zone', label: fill(text.zone, language) })}
${line(state, { name: 'due_days_after_enrollment', label: fill(text.dueDays, language), attributes: inputs.number })}</div>
${choose(state, { name: 'late', label: fill(text.late, language) }, lates)}</fieldset>`
}

/** The form of an assignment. */
export const assignmentPage = (context: StaffContext, view: AssignmentShown): Promise<Reply> => {
  const { language, token } = context
  const { place, revision, instructionsHtml, typed, refusal } = view
  const { course, lesson } = place
  const errors = errorsIn(refusal, language, text.errors)
  const state = { typed, errors }
  const isStale = refusal === undefined || refusal.problem.code === 'precondition_failed'
  const inside = html`${hidden({ revision: isStale ? revision : formField(typed, 'revision') })}
${area(state, { name: 'instructions', label: fill(text.instructions, language), rows: 10, attributes: html`class="code" maxlength="200000"` })}
${kindsPart(state, context)}
<div class="pair">${number(state, 'max_points', fill(text.maxPoints, language))}
${number(state, 'passing_points', fill(text.passingPoints, language))}</div>
${duePart(state, context)}
${box(state, { name: 'required', label: fill(text.required, language) })}
<div class="buttons row"><button class="main" type="submit">${fill(coursesText.save, language)}</button></div>`
  const shown =
    instructionsHtml !== '' &&
    html`<section class="card preview"><h2>${fill(text.preview, language)}</h2><div class="prose">${{ html: instructionsHtml }}</div></section>`
  return coursePage(context, {
    title: fill(text.title, language, { name: lesson.name }),
    above: aboveLesson(context, place, true),
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: [...errors.keys()], refusals: courseRefusals }),
    body: html`<p class="course-head"><a href="/learn/${course.slug}/${lesson.id}">${fill(coursesText.asStudent, language)}</a></p>
${formOf(`${lessonPath(place)}/assignment`, token, inside)}
${shown}`,
  })
}
