import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, mainButton, select } from '#src/web/account/index.ts'
import type { Found } from '../items.ts'
import { checkbox, field, hidden, inputs, textArea } from '../pages/fields.ts'
import { refusedIn } from '../pages/refused.ts'
import { itemTypes } from './coupon-form.ts'
import { editText as text } from './edit-text.ts'
import { type CouponShown, isUsed } from './shown.ts'
import { couponRefusals, couponsText } from './text.ts'

/** What the form of a coupon shows. */
export type EditView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly formKey: string
  /** Undefined for a new coupon. */
  readonly coupon: CouponShown | undefined
  readonly currency: string
  /** The items to which it is limited. */
  readonly chosen: readonly { readonly id: string; readonly name: string }[]
  /** The words with which an item was searched for, and what was found. */
  readonly find: string
  readonly found: readonly Found[] | undefined
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
}

const pathOf = ({ coupon }: EditView): string =>
  coupon === undefined ? '/staff/coupons/new' : `/staff/coupons/${coupon.id}/edit`

const withItems = (view: EditView, ids: readonly string[]): string =>
  `${pathOf(view)}?${new URLSearchParams([['chosen', '1'], ...ids.map((id): [string, string] => ['item', id])])}`

type Name = keyof typeof text.fields

const label = (name: Name, { language, currency }: EditView): string => fill(text.fields[name], language, { currency })

const line = (name: Name, view: EditView, attributes = html`type="text" maxlength="120"`, hint?: string): Html =>
  field({
    ...{ name, attributes },
    label: label(name, view),
    value: formField(view.typed, name),
    ...(hint === undefined ? {} : { hint }),
  })

const pair = (...parts: readonly Html[]): Html =>
  html`<div class="pair">${parts.map(part => html`<div>${part}</div>`)}</div>`

const box = (name: Name, view: EditView): Html =>
  checkbox(name, label(name, view), { isChecked: formField(view.typed, name) === 'yes' })

const choose = (name: 'kind' | 'payment_types' | 'duration', view: EditView): Html => {
  const choices = Object.entries(text[name]).map(([value, phrase]) => ({ value, label: fill(phrase, view.language) }))
  return select(name, label(name, view), formField(view.typed, name), choices)
}

// The items are part of the address, so that they can be chosen without scripts; what was typed below is not.
const itemsPart = (view: EditView): Html => {
  const { chosen, found, language, find } = view
  const ids = chosen.map(({ id }) => id)
  const remove = ({ id, name }: { readonly id: string; readonly name: string }): Html =>
    html`<li><bdi>${name}</bdi> <a href="${withItems(
      view,
      ids.filter(one => one !== id),
    )}" aria-label="${fill(text.remove, language)}: ${name}">${fill(text.remove, language)}</a></li>\n`
  const results = (found ?? []).filter(({ id }) => !ids.includes(id))
  const add = ({ id, name, type }: Found): Html =>
    html`<li><a href="${withItems(view, [...ids, id])}"><bdi>${name}</bdi></a><span class="quiet">${fill(couponsText.types[type], language)}</span></li>\n`
  return html`<details class="card"${(ids.length > 0 || found !== undefined) && html` open`}>
<summary>${fill(text.items, language)}</summary>
<p class="quiet">${fill(text.itemsAbout, language)}</p>
${ids.length > 0 && html`<ul class="list">\n${chosen.map(remove)}</ul>`}
<form method="get" action="${pathOf(view)}">
${hidden({ chosen: '1' })}${ids.flatMap(item => hidden({ item }))}${field({ name: 'find', label: fill(text.findItem, language), value: find, attributes: inputs.search })}
<div class="buttons"><button type="submit">${fill(couponsText.find, language)}</button></div>
</form>
${found !== undefined && (results.length === 0 ? html`<p>${fill(text.nothing, language)}</p>` : html`<ul class="list menu">\n${results.map(add)}</ul>`)}
</details>`
}

const valueFields = (view: EditView): Html => html`${choose('kind', view)}
${pair(
  line('percent_off', view, inputs.amount),
  line('amount_off', view, inputs.amount),
  line('trial_days', view, inputs.number),
)}
<p class="quiet">${fill(text.valueAbout, view.language)}</p>`

const typeBoxes = (view: EditView): Html => {
  const { chosen, language, typed } = view
  if (chosen.length > 0) return html``
  return html`<fieldset><legend>${fill(text.types, language)}</legend>
<p class="quiet">${fill(text.typesAbout, language)}</p>
${itemTypes.map(type => checkbox(`type_${type}`, fill(couponsText.types[type], language), { isChecked: formField(typed, `type_${type}`) === 'yes' }))}</fieldset>`
}

const freeFields = (
  view: EditView,
): Html => html`${pair(line('ends_on', view, inputs.day), line('max_redemptions', view, inputs.number))}
${textArea({ name: 'note', label: label('note', view), value: formField(view.typed, 'note'), attributes: html`maxlength="2000"` })}`

const moreFields = (view: EditView): Html => html`${typeBoxes(view)}
${pair(line('starts_on', view, inputs.day), line('max_per_member', view, inputs.number))}
${pair(line('minimum_amount', view, inputs.amount), line('max_amount', view, inputs.amount))}
${line('tags', view, html`type="text" maxlength="1100"`, fill(text.tagsHint, view.language))}
${choose('payment_types', view)}
${choose('duration', view)}
${line('periods', view, inputs.number)}
${box('first_purchase_only', view)}
${box('stackable', view)}
${box('returns_on_refund', view)}`

const couponForm = (view: EditView): Html => {
  const { coupon, token, language, chosen, typed, formKey } = view
  const isFixed = coupon !== undefined && isUsed(coupon)
  const about =
    coupon === undefined
      ? hidden({ form_key: formField(typed, 'form_key') || formKey })
      : hidden({ revision: coupon.revision })
  const inside = html`${about}${line('name', view)}
${isFixed ? html`<p class="note">${fill(text.fixed, language)}</p>` : valueFields(view)}
${freeFields(view)}
${!isFixed && html`<details class="filters"${coupon !== undefined && html` open`}>\n<summary>${fill(text.limits, language)}</summary>\n${moreFields(view)}\n</details>`}
${mainButton(fill(coupon === undefined ? text.create : text.save, language))}`
  const action = withItems(
    view,
    chosen.map(({ id }) => id),
  )
  return formOf(action, token, inside)
}

/** The form of a new coupon, or of one that exists. */
export const editPage = (view: EditView): Reply => {
  const { language, coupon, refusal } = view
  const back = coupon === undefined ? '/staff/coupons' : `/staff/coupons/${coupon.id}`
  const isFixed = coupon !== undefined && isUsed(coupon)
  return framed({
    school: view.school,
    language,
    title: coupon === undefined ? fill(couponsText.add, language) : fill(text.title, language, { name: coupon.name }),
    ...refusedIn(refusal, language, couponRefusals),
    body: html`${coupon === undefined && html`<p>${fill(text.intro, language)}</p>`}
${!isFixed && itemsPart(view)}
${couponForm(view)}
<p class="quiet"><a href="${back}">${fill(coupon === undefined ? couponsText.back : couponsText.backToOne, language)}</a></p>`,
  })
}
