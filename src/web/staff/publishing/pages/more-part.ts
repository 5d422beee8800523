import { randomUUID } from 'node:crypto'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type ControlState, folded, hidden, lineControl, renderForm } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type EditView, editPath } from './edit-view.ts'
import { editorText as text } from './text.ts'

type Act = 'unpublish' | 'setHome' | 'clearHome'

const operations = { unpublish: 'unpublishPage', setHome: 'setHomePage', clearHome: 'clearHomePage' } as const

const actForm = (name: Act, { t, token }: StaffContext, { page }: EditView): Html => {
  const inside = html`${hidden({ act: name, revision: page.revision })}<p class="quiet">${t(text.about[name])}</p>
<div class="buttons row"><button type="submit">${t(text[name])}</button></div>`
  return renderForm(editPath(page.id), token, inside)
}

// What was typed into this form is shown again when it is refused.
const copyState = ({ edited, errors }: EditView): ControlState =>
  formField(edited.form, 'act') === 'copy' ? { typed: edited.form, errors } : { typed: [], errors: new Map() }

const copyForm = (context: StaffContext, view: EditView): Html => {
  const { t, token } = context
  const state = copyState(view)
  const key = formField(state.typed, 'form_key') || randomUUID()
  const label = t(text.copyTitle)
  const inside = html`${hidden({ act: 'copy', form_key: key })}<p class="quiet">${t(text.about.copy)}</p>
${lineControl(state, { name: 'copy_title', label, attributes: html`type="text" maxlength="200"` })}
<div class="buttons row"><button type="submit">${t(text.copy)}</button></div>`
  return renderForm(editPath(view.page.id), token, inside)
}

const deleteForm = ({ t, token }: StaffContext, { page: { id, revision } }: EditView): Html => {
  const inside = html`${hidden({ act: 'delete', revision })}<p class="quiet">${t(text.about.delete)}</p>
<div class="buttons row"><button type="submit">${t(text.delete)}</button></div>`
  return folded(t(text.delete), renderForm(editPath(id), token, inside))
}

/** What else can be done with a page, each in a form of its own that does not save what was typed above. */
export const morePart = (context: StaffContext, view: EditView): Html => {
  const { t } = context
  const allowed = view.page.allowed_actions ?? []
  const acts = (Object.keys(operations) as Act[]).filter(name => allowed.includes(operations[name]))
  const isCopying = formField(view.edited.form, 'act') === 'copy'
  return html`${folded(
    t(text.more),
    html`${acts.map(name => html`${actForm(name, context, view)}\n`)}${copyForm(context, view)}`,
    isCopying,
  )}
${deleteForm(context, view)}`
}
