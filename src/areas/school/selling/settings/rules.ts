import { isDeepStrictEqual } from 'node:util'
import { fillEach, type Phrase } from '#src/contract/language.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { isCountry } from '#src/kit/countries.ts'
import { taxIdError } from '#src/kit/tax-ids.ts'
import { isEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { Part, SellingValues } from './schema.ts'

/** The settings of a school that has changed none. */
export const defaults: SellingValues = {
  legal: { name: null, address: null, tax_id: null, registration: null, email: null },
  tax: { mode: 'none', rates: [], taxed_at: { online: 'buyer', in_person: 'place' }, reverse_charge: false },
  checkout: {
    hold_minutes: 30,
    manual_hold_days: 3,
    terms_page_id: null,
    withdrawal_waiver: { text: null, required: false },
    invoice_prefix: 'INV',
    invoice_language: null,
    order_prefix: 'ORD',
    retain_years: 10,
  },
  subscriptions: {
    past_due_access: 'keep',
    retry_days: [1, 3, 5, 7],
    after_retries: 'cancel',
    credit_on_end: 'ask',
    trial_needs_method: true,
    one_trial_per_member: true,
    members_may_pause: false,
  },
  comments: { posts: 'open', courses: 'open', lessons: 'open', events: 'open' },
}

const error = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfLegal = ({ address, tax_id, email }: SellingValues['legal']): FieldError[] => {
  const errors: FieldError[] = []
  if (address !== null && !isCountry(address.country))
    errors.push(error('/legal/address/country', 'country', 'is not a country of ISO 3166-1'))
  if (tax_id !== null && address === null)
    errors.push(error('/legal/tax_id', 'address', 'needs the address, whose country decides its form'))
  const wrongForm = tax_id === null || address === null ? undefined : taxIdError(tax_id, address.country)
  if (wrongForm !== undefined) errors.push(error('/legal/tax_id', 'tax_id', wrongForm))
  if (email !== null && !isEmail(email)) errors.push(error('/legal/email', 'email', 'is not an e-mail address'))
  return errors
}

const errorsOfRates = ({ mode, rates }: SellingValues['tax']): FieldError[] => {
  const countries = rates.map(({ country }) => country)
  const errors = countries.flatMap((country, index) => {
    const pointer = `/tax/rates/${index}/country`
    if (country !== '*' && !isCountry(country)) return [error(pointer, 'country', 'is not a country of ISO 3166-1')]
    return countries.indexOf(country) < index ? [error(pointer, 'unique', 'has a rate already')] : []
  })
  if (mode !== 'none' && rates.length === 0)
    errors.push(error('/tax/rates', 'required', 'must have a rate, since `mode` is not `none`'))
  return errors
}

const errorsOfReverseCharge = ({ legal, tax }: SellingValues): FieldError[] => {
  if (!tax.reverse_charge || (tax.mode !== 'none' && legal.tax_id !== null)) return []
  return [error('/tax/reverse_charge', 'tax_id', 'needs a tax and the tax id of the school')]
}

const errorsOfCheckout = ({ withdrawal_waiver, invoice_prefix, order_prefix }: SellingValues['checkout']) => {
  const errors: FieldError[] = []
  if (withdrawal_waiver.required && withdrawal_waiver.text === null)
    errors.push(error('/checkout/withdrawal_waiver/text', 'required', 'is what the buyer has to agree to'))
  if (invoice_prefix === order_prefix)
    errors.push(error('/checkout/order_prefix', 'unique', 'is the prefix of invoices too'))
  return errors
}

const errorsOfSubscriptions = ({ retry_days }: SellingValues['subscriptions']): FieldError[] => {
  const isAscending = retry_days.every((day, index) => day > (retry_days[index - 1] ?? 0))
  return isAscending ? [] : [error('/subscriptions/retry_days', 'order', 'must be ascending, each day once')]
}

/** The errors of settings that fit their schema; empty when they can be stored. */
export const errorsOfSelling = (values: SellingValues): FieldError[] => [
  ...errorsOfLegal(values.legal),
  ...errorsOfRates(values.tax),
  ...errorsOfReverseCharge(values),
  ...errorsOfCheckout(values.checkout),
  ...errorsOfSubscriptions(values.subscriptions),
]

const changedIn = (part: Part, before: SellingValues, after: SellingValues): string[] => {
  const [earlier, later] = [before, after].map(values => new Map(Object.entries(values[part])))
  // In the order of the schema: the database and clients have other ones.
  return Object.keys(defaults[part])
    .filter(name => !isDeepStrictEqual(earlier?.get(name), later?.get(name)))
    .map(name => `${part}.${name}`)
}

/** The names of the fields that differ, with the names of their parts: `legal.name`. */
export const changedSettings = (before: SellingValues, after: SellingValues): string[] =>
  (Object.keys(defaults) as Part[]).flatMap(part => changedIn(part, before, after))

/** Whether a change makes invoices name another seller, so that a person has to approve it. */
export const changesSeller = (fields: readonly string[]): boolean =>
  fields.includes('legal.name') || fields.includes('legal.tax_id')

/** What another name or tax id means, in words; of the tax id only the end is named. */
export const sellerEffect = ({ name, tax_id }: SellingValues['legal']): Phrase =>
  fillEach(texts.school.selling.settings.rules.seller, {
    hasName: String(name !== null),
    name: name ?? '',
    hasTaxId: String(tax_id !== null),
    end: tax_id?.slice(-3) ?? '',
  })
