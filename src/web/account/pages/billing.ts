import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { countryCodes } from '#src/kit/countries.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Choice, formOf, framed, mainButton, type Notice, select } from '#src/web/page/index.ts'
import { orderPath } from './order.ts'
import type { OwnOrder } from './order-status.ts'

// In the order of the form.
const billingFields = [
  'name',
  'company',
  'line1',
  'line2',
  'postal_code',
  'city',
  'region',
  'country',
  'tax_id',
] as const

type FieldName = (typeof billingFields)[number]

/** What the form has in each field. */
export type BillingFields = Readonly<Record<FieldName, string>>

const labels: Readonly<Record<FieldName, Phrase>> = texts.account.billing.labels

const text = texts.account.billing.text

const LIMITS: Readonly<Partial<Record<FieldName, number>>> = { postal_code: 20, tax_id: 30 }
const MAX = 120

const AUTOCOMPLETE: Readonly<Partial<Record<FieldName, string>>> = {
  name: 'name',
  company: 'organization',
  line1: 'address-line1',
  line2: 'address-line2',
  postal_code: 'postal-code',
  city: 'address-level2',
  region: 'address-level1',
}

type BillingView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly order: OwnOrder
  readonly values: BillingFields
  readonly refusal: Refusal | undefined
}

const countries = (language: Language): Choice[] => {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const named = countryCodes.map(value => ({ value, label: names.of(value) ?? value }))
  const sorted = named.sort((one, other) => one.label.localeCompare(other.label, language))
  return [{ value: '', label: fill(text.none, language) }, ...sorted]
}

const fieldOf = (name: FieldName, { language, values }: BillingView): Html => {
  const label = fill(labels[name], language)
  if (name === 'country') return select('country', label, values.country, countries(language))
  return html`<label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" value="${values[name]}" maxlength="${LIMITS[name] ?? MAX}" autocomplete="${AUTOCOMPLETE[name] ?? 'off'}">`
}

const wrongFields = ({ extras }: Refusal): FieldName[] => {
  const pointers = (extras.errors ?? []).map(({ pointer }) => pointer.split('/').at(-1))
  return billingFields.filter(name => pointers.includes(name))
}

const noticeOf = ({ refusal, language }: BillingView): Notice | undefined => {
  if (refusal === undefined) return undefined
  const fields = wrongFields(refusal).map(name => fill(labels[name], language))
  if (fields.length > 0) return { kind: 'refused', text: fill(text.wrong, language, { fields: fields.join(', ') }) }
  const phrase = refusal.problem.code === 'billing_changes_tax' ? text.tax : text.refused
  return { kind: 'refused', text: fill(phrase, language) }
}

/** The page on which a person changes to whom an order is billed. */
export const billingPage = (view: BillingView): Reply => {
  const { school, language, token, order, refusal } = view
  return framed({
    ...{ language, school, notice: noticeOf(view) },
    ...(refusal === undefined ? {} : { status: refusal.problem.status }),
    title: fill(text.title, language, { number: order.number }),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf(
  `${orderPath(order)}/billing`,
  token,
  html`${billingFields.map(name => html`${fieldOf(name, view)}\n`)}${mainButton(fill(text.button, language))}`,
)}
<p class="quiet"><a href="${orderPath(order)}">${fill(text.back, language)}</a></p>`,
  })
}
