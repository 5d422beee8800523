import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, formOf, framed, hidden, mainButton } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { deletePart, picturePart } from '../../files/uploads/index.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, choose, type FormState, line } from '../../forms/fields.ts'
import { inputs } from '../../pages/fields.ts'
import type { TemplateShown } from './template-form.ts'
import { certificateRefusals, certificatesText as text } from './text.ts'

// What the form of a template shows.
type TemplateView = {
  readonly context: StaffContext
  /** Undefined for a new one. */
  readonly template: TemplateShown | undefined
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
  /** Names the form of a new template. */
  readonly formKey: string
}

const short = (length: number): Html => html`type="text" maxlength="${length}" autocomplete="off"`

const color = (state: FormState, name: string, label: string): Html => {
  const error = state.errors.get(name)
  return html`<div class="color"><input type="color" id="${name}" name="${name}" value="${formField(state.typed, name)}"${error !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`}><label for="${name}">${label}</label></div>
${error !== undefined && html`<p class="field-error" id="${name}-error">${error}</p>`}`
}

const lookPart = (state: FormState, { t }: StaffContext): Html => {
  const orientations = Object.entries(text.orientations).map(([value, phrase]) => ({
    value,
    label: t(phrase),
  }))
  const sizes = ['A4', 'Letter'].map(value => ({ value, label: value }))
  return html`<fieldset><legend>${t(text.look)}</legend>
<div class="pair">${choose(state, { name: 'orientation', label: t(text.orientation) }, orientations)}
${choose(state, { name: 'page_size', label: t(text.size) }, sizes)}</div>
${color(state, 'colors_background', t(text.background))}
${color(state, 'colors_text', t(text.ink))}
${color(state, 'colors_accent', t(text.accent))}</fieldset>`
}

const settingsForm = (state: FormState, view: TemplateView): Html => {
  const { context, template, refusal, formKey } = view
  const { language, request, token } = context
  const say = (phrase: Phrase): string => phrase[language]
  const isStale = refusal === undefined || refusal.problem.code === 'precondition_failed'
  const about: Readonly<Record<string, string | number>> =
    template === undefined
      ? { form_key: formField(state.typed, 'form_key') || formKey }
      : { revision: isStale ? template.revision : formField(state.typed, 'revision') }
  const inside = html`${hidden({ act: 'save', ...about })}
${line(state, { name: 'name', label: say(text.name), hint: say(text.nameHint), attributes: html`${short(120)} required` })}
${line(state, { name: 'title', label: say(text.heading), attributes: html`${short(120)} required` })}
${area(state, { name: 'text', label: say(text.words), hint: say(text.wordsHint), rows: 6, attributes: html`maxlength="1000" required` })}
<div class="pair">${line(state, { name: 'signature_name', label: say(text.signatureName), attributes: short(120) })}
${line(state, { name: 'signature_role', label: say(text.signatureRole), attributes: short(120) })}</div>
${lookPart(state, context)}
<div class="pair">${line(state, { name: 'locale', label: say(text.locale), attributes: html`${short(35)} required` })}
${line(state, { name: 'hours', label: say(text.hours), hint: say(text.hoursHint), attributes: inputs.number })}</div>
${template !== undefined && template.course_count > 0 && html`<p class="quiet">${say(text.issued)}</p>\n`}${mainButton(say(template === undefined ? text.add : text.save))}`
  return formOf(request.path, token, inside)
}

const noticeOf = ({ context: { language, request }, refusal }: TemplateView, errors: FormState['errors']) => {
  if (refusal === undefined) return { notice: doneIn(text.done, doneOf(request), language) }
  return noticeFor(refusal, language, {
    errors,
    fields: [...errors.keys()].filter(name => name !== 'file' && name !== 'image_file_id'),
    refusals: certificateRefusals,
  })
}

/** The form of a new certificate template, or of one that exists. */
export const templatePage = (view: TemplateView): Reply => {
  const { context, template, typed, refusal } = view
  const { t, language, request } = context
  const errors = errorsIn(refusal, language, text.errors)
  return framed({
    school: request.school,
    language,
    title: template?.name ?? t(text.add),
    ...noticeOf(view, errors),
    body: html`${settingsForm({ typed, errors }, view)}
${template !== undefined && html`${picturePart(context, { ...template, picture: template.image }, text)}\n${deletePart(context, template.revision, text)}`}
<p class="quiet"><a href="/staff/certificates">${t(text.back)}</a></p>`,
  })
}
