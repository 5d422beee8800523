import { randomUUID } from 'node:crypto'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'

/** Names a form, so that one that is sent twice is performed once. */
export const keyField = (): Html => html`<input type="hidden" name="form_key" value="${randomUUID()}">`

/** The name of a form. */
export const formKeyIn = (form: Pairs): { readonly formKey?: string } => {
  const formKey = formField(form, 'form_key')
  return /^[\w-]{8,64}$/.test(formKey) ? { formKey } : {}
}
