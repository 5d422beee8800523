import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, formOf, framed, hidden, mainButton } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { deletePart, picturePart } from '../../files/uploads/index.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, choose, type FormState, line } from '../../forms/fields.ts'
import type { LecturerShown } from './lecturer-form.ts'
import { lecturerRefusals, lecturersText as text } from './text.ts'

/** What the form of a profile shows. */
type LecturerView = {
  readonly context: StaffContext
  /** Undefined for a new one. */
  readonly lecturer: LecturerShown | undefined
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
  /** Names the form of a new profile. */
  readonly formKey: string
}

const profileForm = (state: FormState, { context, lecturer, refusal, formKey }: LecturerView): Html => {
  const { t, request, token, isStaff } = context
  const isStale = refusal === undefined || refusal.problem.code === 'precondition_failed'
  const about: Readonly<Record<string, string | number>> =
    lecturer === undefined
      ? { form_key: formField(state.typed, 'form_key') || formKey }
      : { revision: isStale ? lecturer.revision : formField(state.typed, 'revision') }
  const visibilities = Object.entries(text.visibilities).map(([value, phrase]) => ({
    value,
    label: t(phrase),
  }))
  const slug = { name: 'slug', label: t(text.slug), hint: t(text.slugHint) }
  const inside = html`${hidden({ act: 'save', ...about })}
${line(state, { name: 'display_name', label: t(text.name), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${isStaff && line(state, { name: 'email', label: t(text.email), hint: t(text.emailHint), attributes: html`type="email" maxlength="254" autocomplete="off"` })}
${area(state, { name: 'bio', label: t(text.bio), rows: 6, attributes: html`maxlength="10000"` })}
${area(state, { name: 'links', label: t(text.links), hint: t(text.linksHint), rows: 3 })}
${isStaff && choose(state, { name: 'visibility', label: t(text.visibility) }, visibilities)}
${isStaff && lecturer !== undefined && line(state, { ...slug, attributes: html`type="text" maxlength="80" autocomplete="off" required` })}
${mainButton(t(lecturer === undefined ? text.add : text.save))}`
  return formOf(request.path, token, inside)
}

const noticeOf = ({ context: { language, request }, refusal }: LecturerView, errors: FormState['errors']) => {
  if (refusal === undefined) return { notice: doneIn(text.done, doneOf(request), language) }
  return noticeFor(refusal, language, {
    errors,
    fields: [...errors.keys()].filter(name => name !== 'file' && name !== 'avatar_file_id'),
    refusals: lecturerRefusals,
  })
}

/** The form of a new profile of a lecturer, or of one that exists. */
export const lecturerPage = (view: LecturerView): Reply => {
  const { context, lecturer, typed, refusal } = view
  const { t, language, request } = context
  const errors = errorsIn(refusal, language, text.errors)
  return framed({
    school: request.school,
    language,
    title: lecturer?.display_name ?? t(text.add),
    ...noticeOf(view, errors),
    body: html`${lecturer?.visibility === 'visible' && html`<p><a href="/lecturers/${lecturer.slug}">${t(text.site)}</a></p>\n`}${profileForm({ typed, errors }, view)}
${lecturer !== undefined && html`${picturePart(context, { ...lecturer, picture: lecturer.avatar }, text)}\n${context.isStaff && deletePart(context, lecturer.revision, text)}`}
<p class="quiet"><a href="/staff/lecturers">${t(text.back)}</a></p>`,
  })
}
