import type { Static } from 'typebox'
import type { Member } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { orderTable, tableOf } from '#src/web/account/index.ts'
import { formOf, framed, hidden, mainButton, zoneOf } from '#src/web/page/index.ts'
import type { Found } from '../../items.ts'
import { checkbox, field, inputs, textArea } from '../../pages/fields.ts'
import { pricesList } from '../../pages/prices-list.ts'
import { refusedIn } from '../../pages/refused.ts'
import { recordText as text } from './record-text.ts'
import { orderRefusals, ordersText } from './text.ts'
import type { OrderShown } from './waiting.ts'

type Person = Encoded<Static<typeof Member>>

/** What the page shows. */
export type RecordView = {
  readonly school: School
  readonly language: Language
  readonly viewer: Session['member']
  readonly token: string
  /** Names this form. */
  readonly formKey: string
  /** The words with which a person was searched for, and an item. */
  readonly q: string
  readonly item: string
  readonly prices: readonly string[]
  readonly buyer: Person | undefined
  readonly people: readonly Person[] | undefined
  readonly items: readonly Found[] | undefined
  /** The order as it would be recorded. */
  readonly order: OrderShown | undefined
  readonly refusal: Refusal | undefined
  readonly typed: Pairs
}

const PATH = '/staff/orders/record'

const pathOf = (member: string, prices: readonly string[]): string =>
  `${PATH}?${new URLSearchParams([['member', member], ...prices.map((id): [string, string] => ['price', id])])}`

const searchForm = (name: 'q' | 'item', label: string, value: string, view: RecordView, kept: Html[] = []): Html =>
  html`<form method="get" action="${PATH}">
${kept}${field({ name, label, value, attributes: inputs.search })}
<div class="buttons"><button type="submit">${fill(text.find, view.language)}</button></div>
</form>`

const nameOf = ({ name, email }: Person): string => (isVisible(name) ? name : email)

const peoplePart = (view: RecordView): Html => {
  const { people, language } = view
  const found = (list: readonly Person[]): Html => html`<ul class="list menu">
${list.map(one => html`<li><a href="${pathOf(one.id, [])}"><bdi>${nameOf(one)}</bdi></a><span class="quiet"><bdi>${one.email}</bdi></span></li>\n`)}</ul>`
  return html`${searchForm('q', fill(text.who, language), view.q, view)}
${people !== undefined && (people.length === 0 ? html`<p>${fill(text.nobody, language)}</p>` : found(people))}`
}

const itemsPart = (view: RecordView, buyer: Person): Html => {
  const { items, language, prices, item } = view
  const kept = [...hidden({ member: buyer.id }), ...prices.flatMap(price => hidden({ price }))]
  const hrefOf = (price: string): string => pathOf(buyer.id, [...prices, price])
  return html`${searchForm('item', fill(text.item, language), item, view, kept)}
${items !== undefined && pricesList(items, language, hrefOf)}`
}

const recordForm = (order: OrderShown, view: RecordView, buyer: Person): Html => {
  const { language, typed, token, formKey, prices } = view
  const inside = html`${hidden({ form_key: formField(typed, 'form_key') || formKey })}
${field({
  name: 'received_on',
  label: fill(text.receivedOn, language),
  value: formField(typed, 'received_on'),
  attributes: inputs.day,
  hint: fill(text.receivedHint, language),
})}
${checkbox('invoice', fill(text.invoice, language), {
  isChecked: typed.length === 0 || formField(typed, 'invoice') === 'yes',
  hint: fill(text.invoiceHint, language),
})}
${textArea({ name: 'note', label: fill(text.note, language), value: formField(typed, 'note'), attributes: html`maxlength="1000"` })}
<p class="quiet">${fill(text.about, language, { amount: formatMoney(order.total, order.currency, language) })}</p>
${mainButton(fill(text.button, language))}`
  return formOf(pathOf(buyer.id, prices), token, inside)
}

const chosenPart = (view: RecordView, buyer: Person): Html => {
  const { order, language, viewer, prices } = view
  return html`<h2>${fill(text.chosen, language)}</h2>
${order !== undefined && orderTable(tableOf(order, { language, timeZone: zoneOf(viewer) }))}
<p><a href="${pathOf(buyer.id, prices.slice(0, -1))}">${fill(text.removeLast, language)}</a></p>`
}

const buyerPart = (view: RecordView, buyer: Person): Html => {
  const { language, order } = view
  return html`<dl><dt>${fill(text.person, language)}</dt>
<dd><strong><bdi>${nameOf(buyer)}</bdi></strong> <span class="quiet"><bdi>${buyer.email}</bdi></span><br><a href="${PATH}">${fill(text.another, language)}</a></dd></dl>
${view.prices.length > 0 && chosenPart(view, buyer)}
${itemsPart(view, buyer)}
${order !== undefined && html`<h2>${fill(text.paid, language)}</h2>\n${recordForm(order, view, buyer)}`}`
}

/** The page on which staff record what a member paid elsewhere: who, what, and when. */
export const recordPage = (view: RecordView): Reply => {
  const { language, buyer, refusal } = view
  return framed({
    school: view.school,
    language,
    title: fill(ordersText.record, language),
    ...refusedIn(refusal, language, { ...orderRefusals, ...text.refusals }),
    body: html`<p>${fill(text.intro, language)}</p>
${buyer === undefined ? peoplePart(view) : buyerPart(view, buyer)}
<p class="quiet"><a href="/staff/orders">${fill(ordersText.back, language)}</a></p>`,
  })
}
