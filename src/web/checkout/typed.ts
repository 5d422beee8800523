import type { CheckoutInput, CheckoutRow } from '#src/areas/shop/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanEmail, cleanLine } from '#src/kit/text.ts'

// Longer than a name may be, so that a long name is refused and not truncated.
const LONGEST_NAME = 200

/** What a buyer has typed and chosen. */
export type Typed = {
  readonly email: string
  readonly name: string
  readonly country: string
  readonly company: string
  readonly taxId: string
  readonly acceptsTerms: boolean
  readonly waives: boolean
  /** The name of the way to pay, or the id of a saved method; empty where none was chosen. */
  readonly method: string
  /** A code that does not apply. */
  readonly code: string
}

/** A form in which nothing was typed. */
export const nothingTyped: Typed = {
  email: '',
  name: '',
  country: '',
  company: '',
  taxId: '',
  acceptsTerms: false,
  waives: false,
  method: '',
  code: '',
}

/** What was typed into a form. */
export const typedIn = (form: Pairs): Typed => ({
  email: cleanEmail(formField(form, 'email')),
  name: cleanLine(formField(form, 'name'), LONGEST_NAME),
  country: formField(form, 'country').trim().slice(0, 2),
  company: cleanLine(formField(form, 'company'), 120),
  taxId: cleanLine(formField(form, 'tax_id'), 30),
  acceptsTerms: formField(form, 'accept_terms') === 'yes',
  waives: formField(form, 'waive_withdrawal') === 'yes',
  method: formField(form, 'method').slice(0, 40),
  code: cleanLine(formField(form, 'code'), 64),
})

/** The same as the fields of a form. */
export const writeTyped = ({
  email,
  name,
  country,
  company,
  taxId,
  acceptsTerms,
  waives,
  method,
  code,
}: Typed): Pairs => [
  ['email', email],
  ['name', name],
  ['country', country],
  ['company', company],
  ['tax_id', taxId],
  ['accept_terms', acceptsTerms ? 'yes' : ''],
  ['waive_withdrawal', waives ? 'yes' : ''],
  ['method', method],
  ['code', code],
]

/** What was typed into the form of a checkout that was stored. */
export const typedOfRow = ({ email, name, billing, provider, method_id: methodId, ...row }: CheckoutRow): Typed => ({
  email: email ?? '',
  name: name ?? '',
  country: billing.country ?? '',
  company: billing.company ?? '',
  taxId: billing.tax_id ?? '',
  acceptsTerms: row.accepts_terms,
  waives: row.waives_withdrawal,
  method: methodId === null ? (provider ?? '') : toId('pym', methodId),
  code: '',
})

/** The billing of what was typed; undefined where nothing was. */
export const billingIn = ({ country, company, taxId }: Typed): CheckoutInput['billing'] => {
  const billing = {
    ...(country === '' ? {} : { country }),
    ...(company === '' ? {} : { company }),
    ...(taxId === '' ? {} : { tax_id: taxId }),
  }
  return Object.keys(billing).length === 0 ? undefined : billing
}
