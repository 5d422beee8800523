import { randomUUID } from 'node:crypto'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, preconditionFailed } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'

/** Fields of a form that people do not see. */
export const hidden = (values: Readonly<Record<string, string | number>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)

/**
 * The hidden fields that name a form: a key for something new, a revision for a change. A form that is shown again keeps them,
 * except where somebody has changed it meanwhile, since the page then shows what it is now.
 */
export const hiddenFor = (
  { typed, refusal }: { readonly typed: Pairs; readonly refusal?: Refusal | undefined },
  revision?: number,
): Html[] => {
  if (revision === undefined) return hidden({ form_key: formField(typed, 'form_key') || randomUUID() })
  const isStale = refusal?.problem === preconditionFailed
  return hidden({ revision: (!isStale && formField(typed, 'revision')) || revision })
}

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
