import { fill } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import { field, folded, inputs } from '../../pages/fields.ts'
import { productText as text } from './product-text.ts'
import type { ProductView } from './product-view.ts'
import { priceOf, productPath } from './shown.ts'

type Price = ProductView['prices'][number]

const nameOf = (price: Price, { context: { language } }: ProductView): string => {
  const { number_of_payments: n, access } = price
  const days = access?.days ?? null
  return [
    priceOf(price, language),
    ...(n === null ? [] : [fill(text.payments, language, { n })]),
    ...(days === null ? [] : [fill(text.days, language, { n: days })]),
  ].join(' · ')
}

const priceForm = (act: 'primary' | 'retire', price: Price, view: ProductView): Html => {
  const { context, product } = view
  const label = context.t(act === 'primary' ? text.makePrimary : text.retire)
  const inside = html`${hidden({ act, price: price.id, revision: product.revision })}<button class="small" type="submit" aria-label="${label}: ${nameOf(price, view)}">${label}</button>`
  return formOf(productPath(product.id), context.token, inside)
}

const item = (price: Price, view: ProductView): Html => {
  const { t } = view.context
  const primary = price.is_primary && html`<br><span class="quiet">${t(text.primary)}</span>`
  const retire = t(text.retire)
  // What cannot be undone takes two steps.
  return html`<li><div class="act"><span>${nameOf(price, view)}${primary}</span>${!price.is_primary && priceForm('primary', price, view)}</div>
<details><summary aria-label="${retire}: ${nameOf(price, view)}">${retire}</summary>
<p class="quiet">${t(text.retireAbout)}</p>
${priceForm('retire', price, view)}</details></li>
`
}

const adding = (view: ProductView): Html => {
  const { context, product, refused, terms, formKey } = view
  const { t, token } = context
  const isRefused = refused?.act === 'price'
  const typed = (name: string): string => (isRefused ? formField(refused.form, name) : '')
  const inside = html`${hidden({ act: 'price', form_key: typed('form_key') || formKey })}<p class="quiet">${t(text.addPriceAbout)}</p>
<div class="pair"><div>${field({ name: 'amount', label: `${t(text.amount)} (${terms.currency})`, value: typed('amount'), attributes: inputs.amount, hint: t(text.amountHint) })}</div>
<div>${field({ name: 'days', label: t(text.accessDays), value: typed('days'), attributes: inputs.number, hint: t(text.accessHint) })}</div></div>
<div class="buttons"><button type="submit">${t(text.addPrice)}</button></div>`
  return folded(t(text.addPrice), formOf(productPath(product.id), token, inside), isRefused)
}

/** The prices at which a product is sold. */
export const pricesPart = (view: ProductView): Html => {
  const { prices, context } = view
  const { t } = context
  return html`<h2>${t(text.prices)}</h2>
${prices.length === 0 ? html`<p>${t(text.noPrices)}</p>` : html`<ul class="list">\n${prices.map(price => item(price, view))}</ul>`}
${adding(view)}`
}
