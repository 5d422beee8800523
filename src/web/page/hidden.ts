import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'

/** Fields of a form that people do not see. */
export const hidden = (values: Readonly<Record<string, string | number>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)

/** The revision that the page of a form showed. Refuses a form without one. */
export const revisionIn = (form: Pairs): number => {
  const text = formField(form, 'revision')
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(formRefused, 'The form does not say what it is about.')
  return Number(text)
}

/** The name of a form, by which one that is sent twice is performed once. */
export const formKeyIn = (form: Pairs): { readonly formKey?: string } => {
  const formKey = formField(form, 'form_key')
  return /^[\w-]{8,64}$/.test(formKey) ? { formKey } : {}
}
