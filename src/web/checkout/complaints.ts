import { errorsOfBuyer } from '#src/areas/shop/index.ts'
import { isName } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { isEmail, isStorable } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { FieldError } from '#src/web/page/index.ts'
import type { CheckoutContext } from './parts.ts'
import { errorId, type Questions } from './questions.ts'
import type { Quoted } from './quote.ts'
import type { Typed } from './typed.ts'
import { canPay, isWay, WAYS_ID, type Ways } from './ways.ts'

const { errors: text } = texts.checkout.common

/** What a form says, and what can be bought and paid with it. */
export type Submitted = {
  readonly form: Pairs
  readonly typed: Typed
  readonly quoted: Quoted
  readonly questions: Questions
  readonly ways: Ways
}

/** What is wrong with fields of the form, by their names, in the order of the page. */
export type Complaints = readonly (FieldError & { readonly name: string })[]

const complain = (name: string, text: string, id = name): Complaints => [{ name, id, text }]

const listOfPerson = ({ typed: { name, email } }: Submitted, { t }: CheckoutContext): Complaints => [
  ...(isEmail(email) && isStorable(email) ? [] : complain('email', t(texts.identity.formErrors.email))),
  ...(isName(name) ? [] : complain('name', t(texts.identity.formErrors.name))),
]

const listOfBilling = ({ typed, quoted: { quote } }: Submitted, { t }: CheckoutContext): Complaints => {
  if (quote.billing === 'none') return []
  const buyer = { country: typed.country === '' ? null : typed.country, tax_id: typed.taxId || null }
  const errors = errorsOfBuyer(buyer, quote.billing === 'required')
  const isAbout = (name: 'country' | 'tax_id') =>
    errors.some(({ pointer }) => pointer.endsWith('tax_id') === (name === 'tax_id'))
  return (['country', 'tax_id'] as const).flatMap(name => (isAbout(name) ? complain(name, t(text[name])) : []))
}

const listOfQuestions = ({ questions: { errors } }: Submitted, { t }: CheckoutContext): Complaints => {
  const [first] = errors.keys()
  return first === undefined ? [] : complain('questions', t(text.answers), errorId(first))
}

const listOfWays = ({ typed, ways }: Submitted, { t }: CheckoutContext): Complaints =>
  canPay(ways) && !isWay(ways, typed.method) ? complain('method', t(text.method), WAYS_ID) : []

const listOfAgreements = ({ typed, quoted: { quote } }: Submitted, { t }: CheckoutContext): Complaints => [
  ...(quote.terms_page_id === null || typed.acceptsTerms ? [] : complain('accept_terms', t(text.agree))),
  ...(quote.waiver?.required !== true || typed.waives ? [] : complain('waive_withdrawal', t(text.agree))),
]

/** Everything that is wrong with the fields of a form. */
export const findComplaints = (submitted: Submitted, context: CheckoutContext): Complaints => [
  ...(context.session === undefined ? listOfPerson(submitted, context) : []),
  ...listOfQuestions(submitted, context),
  ...listOfWays(submitted, context),
  ...listOfBilling(submitted, context),
  ...listOfAgreements(submitted, context),
]
