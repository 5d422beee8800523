import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, hidden, mainButton } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { checkbox, field, inputs } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { addressWith, courseSelect } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { studentRefusals, studentsText } from './text.ts'

const text = texts.staff.students.enrollPage

/** What the page shows. */
export type EnrollView = {
  readonly context: TeacherContext
  /** The person whom the address names. */
  readonly person: { readonly id: string; readonly name: string; readonly email: string } | undefined
  readonly courseId: string
  /** Names this form. */
  readonly formKey: string
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

const typed = ({ refused }: EnrollView, name: string): string =>
  refused === undefined ? '' : formField(refused.form, name)

const isChecked = ({ refused }: EnrollView, name: string): boolean =>
  refused === undefined || formField(refused.form, name) === 'yes'

const who = (view: EnrollView): Html => {
  const { person, context } = view
  const { t } = context
  if (person !== undefined)
    return html`<p><strong><bdi>${personName(person, context)}</bdi></strong> <span class="quiet"><bdi>${person.email}</bdi></span></p>`
  return html`${field({
    name: 'email',
    label: t(text.email),
    value: typed(view, 'email'),
    attributes: html`type="email" maxlength="254" autocomplete="off" required`,
  })}
${field({
  name: 'name',
  label: t(text.name),
  value: typed(view, 'name'),
  attributes: html`type="text" maxlength="120" autocomplete="off"`,
  hint: t(text.nameHint),
})}`
}

const boxes = (view: EnrollView): Html => {
  const { person, context } = view
  const notify = checkbox('notify', context.t(text.notify), { isChecked: isChecked(view, 'notify') })
  if (person !== undefined) return notify
  return html`${checkbox('invites', context.t(text.invites), { isChecked: isChecked(view, 'invites') })}
${notify}`
}

/** The page on which somebody is enrolled in a course, by address or, where the address names a person, by id. */
export const enrollPage = (view: EnrollView): Reply => {
  const { context, person, courseId, refused, formKey } = view
  const { t, language, request, token } = context
  const inside = html`${hidden({ form_key: (refused && formField(refused.form, 'form_key')) || formKey })}${who(view)}
${courseSelect(context, courseId, t(text.chooseCourse))}
${field({ name: 'ends_on', label: t(text.endsOn), value: typed(view, 'ends_on'), attributes: inputs.day })}
${field({ name: 'note', label: t(text.note), value: typed(view, 'note'), attributes: html`type="text" maxlength="500" autocomplete="off"` })}
${boxes(view)}
${mainButton(t(text.button))}`
  return framed({
    school: request.school,
    language,
    title: t(studentsText.enroll),
    ...refusedIn(refused?.refusal, language, studentRefusals),
    body: html`${person === undefined && html`<p>${t(text.intro)}</p>`}
${formOf(addressWith(request.path, { member_id: person?.id ?? '' }), token, inside)}
<p class="quiet"><a href="/staff/students">${t(studentsText.back)}</a></p>`,
  })
}
