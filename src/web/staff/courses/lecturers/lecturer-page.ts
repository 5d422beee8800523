import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
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
  const { language, request, token, isStaff } = context
  const isStale = refusal === undefined || refusal.problem.code === 'precondition_failed'
  const about: Readonly<Record<string, string | number>> =
    lecturer === undefined
      ? { form_key: formField(state.typed, 'form_key') || formKey }
      : { revision: isStale ? lecturer.revision : formField(state.typed, 'revision') }
  const visibilities = Object.entries(text.visibilities).map(([value, phrase]) => ({
    value,
    label: fill(phrase, language),
  }))
  const slug = { name: 'slug', label: fill(text.slug, language), hint: fill(text.slugHint, language) }
  const inside = html`${hidden({ act: 'save', ...about })}
${line(state, { name: 'display_name', label: fill(text.name, language), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${isStaff && line(state, { name: 'email', label: fill(text.email, language), hint: fill(text.emailHint, language), attributes: html`type="email" maxlength="254" autocomplete="off"` })}
${area(state, { name: 'bio', label: fill(text.bio, language), rows: 6, attributes: html`maxlength="10000"` })}
${area(state, { name: 'links', label: fill(text.links, language), hint: fill(text.linksHint, language), rows: 3 })}
${isStaff && choose(state, { name: 'visibility', label: fill(text.visibility, language) }, visibilities)}
${isStaff && lecturer !== undefined && line(state, { ...slug, attributes: html`type="text" maxlength="80" autocomplete="off" required` })}
${mainButton(fill(lecturer === undefined ? text.add : text.save, language))}`
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
  const { language, request } = context
  const errors = errorsIn(refusal, language, text.errors)
  return framed({
    school: request.school,
    language,
    title: lecturer?.display_name ?? fill(text.add, language),
    ...noticeOf(view, errors),
    body: html`${lecturer?.visibility === 'visible' && html`<p><a href="/lecturers/${lecturer.slug}">${fill(text.site, language)}</a></p>\n`}${profileForm({ typed, errors }, view)}
${lecturer !== undefined && html`${picturePart(context, { ...lecturer, picture: lecturer.avatar }, text)}\n${context.isStaff && deletePart(context, lecturer.revision, text)}`}
<p class="quiet"><a href="/staff/lecturers">${fill(text.back, language)}</a></p>`,
  })
}
