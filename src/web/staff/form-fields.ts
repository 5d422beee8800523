import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'

/** The revision that the page of a form showed. Refuses a form without one. */
export const revisionOf = (form: Pairs): number => {
  const text = formField(form, 'revision')
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(formRefused, 'The form does not say what it is about.')
  return Number(text)
}

/** The name of a form, by which one that is sent twice is performed once. */
export const formKeyIn = (form: Pairs): { readonly formKey?: string } => {
  const formKey = formField(form, 'form_key')
  return /^[\w-]{8,64}$/.test(formKey) ? { formKey } : {}
}
