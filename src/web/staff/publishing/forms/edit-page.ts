import { fieldTypes } from '#src/areas/publishing/index.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, formOf, framed, hidden, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { checkbox, field, folded, inputs, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { fieldCards } from './fields-part.ts'
import { type FormShown, localOf, type TypedField } from './form.rules.ts'
import { schoolFormRefusals, schoolFormsText as text } from './text.ts'

/** The page of a form: what is stored, and what was typed where something was. */
export type EditView = {
  readonly context: StaffContext
  readonly form: FormShown
  readonly fields: readonly TypedField[]
  readonly zone: string
  /** The id of the person, for the mails about answers. */
  readonly me: string
  readonly typed?: Pairs | undefined
  readonly refusal?: Refusal | undefined
  readonly isUnsaved?: boolean
}

const shownValue = ({ form, typed, zone }: EditView, name: keyof FormShown & string): string => {
  if (typed !== undefined) return formField(typed, name)
  const value = form[name]
  if (name === 'opens_at' || name === 'closes_at') return localOf(typeof value === 'string' ? value : null, zone)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const isChosen = ({ typed }: EditView, name: string, stored: boolean): boolean =>
  typed === undefined ? stored : formField(typed, name) === 'yes'

const line = (
  view: EditView,
  name: keyof FormShown & string,
  label: Parameters<typeof fill>[0],
  more: { readonly attributes?: Html; readonly hint?: string } = {},
): Html =>
  field({
    name,
    label: fill(label, view.context.language, { zone: view.zone }),
    value: shownValue(view, name),
    ...more,
  })

const settings = (view: EditView): Html => {
  const { context, form, me } = view
  const { t } = context
  return folded(
    t(text.settings),
    html`${line(view, 'slug', text.slug, { attributes: html`type="text" maxlength="80" autocomplete="off" required` })}
${line(view, 'submit_label', text.submitLabel, { attributes: html`type="text" maxlength="60"`, hint: t(text.submitHint) })}
${textArea({ name: 'done_text', label: t(text.doneText), value: shownValue(view, 'done_text'), attributes: html`maxlength="5000"` })}
${line(view, 'redirect_path', text.redirectPath, { attributes: html`type="text" maxlength="500"`, hint: t(text.redirectHint) })}
${line(view, 'retention_days', text.retention, { attributes: html`type="text" inputmode="numeric" maxlength="4" required` })}
<div class="pair">${line(view, 'opens_at', text.opensAt, { attributes: html`type="datetime-local"` })}
${line(view, 'closes_at', text.closesAt, { attributes: html`type="datetime-local"` })}</div>
${line(view, 'max_submissions', text.most, { attributes: inputs.number })}
${checkbox('needs_sign_in', t(text.needsSignIn), { isChecked: isChosen(view, 'needs_sign_in', form.needs_sign_in) })}
${checkbox('one_per_member', t(text.oncePerMember), { isChecked: isChosen(view, 'one_per_member', form.one_per_member) })}
${checkbox('notify_me', t(text.notifyMe), { isChecked: isChosen(view, 'notify_me', form.notify?.includes(me) === true) })}`,
  )
}

const editor = (view: EditView): Html => {
  const { context, form, fields } = view
  const { t, language, token, request } = context
  const revision = view.typed === undefined ? String(form.revision) : formField(view.typed, 'revision')
  // The first button is the one that Enter presses.
  return formOf(
    request.path,
    token,
    html`${hidden({ revision })}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true">${t(text.save)}</button>
${line(view, 'title', text.name, { attributes: html`type="text" maxlength="200" required` })}
${textArea({ name: 'intro', label: t(text.introText), value: shownValue(view, 'intro'), attributes: html`maxlength="10000"` })}
${settings(view)}
<h2>${t(text.fields)}</h2>
${fieldCards({ fields, language, types: fieldTypes })}<div class="buttons"><button type="submit" name="act" value="add" formnovalidate>${t(text.add)}</button>
<button class="main" type="submit" name="act" value="save">${t(text.save)}</button></div>`,
  )
}

const alone = ({ context, form }: EditView, name: 'publish' | 'close', about: Parameters<typeof fill>[0]): Html => {
  const { t, token, request } = context
  return formOf(
    request.path,
    token,
    html`${hidden({ act: name, revision: form.revision })}<p class="quiet">${t(about)}</p>
<div class="buttons"><button type="submit">${t(text[name])}</button></div>`,
  )
}

const removal = ({ context, form }: EditView): Html => {
  const { t, token, request } = context
  const { received = 0, suspected = 0, spam = 0 } = form.submission_counts ?? {}
  const count = received + suspected + spam
  const choices = [
    { value: 'keep', label: t(text.keep) },
    { value: 'delete', label: t(text.deleteAll, { count }) },
  ]
  return folded(
    t(text.removal),
    formOf(
      request.path,
      token,
      html`${hidden({ act: 'delete', revision: form.revision })}${select('submissions', t(text.answers), 'keep', choices)}
${checkbox('confirm', t(text.confirm), { isChecked: false })}
<div class="buttons"><button type="submit">${t(text.delete)}</button></div>`,
    ),
  )
}

const links = ({ context, form }: EditView): Html => {
  const { t } = context
  const { received = 0, suspected = 0, spam = 0 } = form.submission_counts ?? {}
  const count = received + suspected + spam
  return html`<p class="actions"><a class="button" href="/staff/forms/${form.id}/submissions">${t(text.answersCount, { count })}</a>${form.status !== 'draft' && form.deleted_at === null && html` <a class="button" href="/forms/${form.slug}">${t(text.open)}</a>`}</p>`
}

/** The page on which staff change a form. */
export const editPage = (view: EditView) => {
  const { context, form, refusal, isUnsaved = false } = view
  const { t, language, request } = context
  const isOver = form.deleted_at != null
  const notice =
    refusal === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedIn(refusal, language, schoolFormRefusals)
  return framed({
    school: request.school,
    language,
    title: form.title,
    isWide: true,
    ...notice,
    body: html`<p class="quiet">${t(isOver ? text.deleted : text.states[form.state])}</p>
${links(view)}
${isUnsaved && html`<p class="note" role="status">${t(text.unsaved)}</p>\n`}${form.has_changes === true && !isOver && html`<p class="note">${t(text.unpublished)}</p>\n`}${
  !isOver &&
  html`${editor(view)}
${(form.status !== 'published' || form.has_changes === true) && alone(view, 'publish', text.publishAbout)}
${form.status === 'published' && alone(view, 'close', text.closeAbout)}
${removal(view)}`
}
<p class="quiet"><a href="/staff/forms">${t(text.back)}</a></p>`,
  })
}
