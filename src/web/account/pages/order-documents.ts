import type { Static } from 'typebox'
import type { InvoicePage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf } from '#src/web/page/index.ts'
import type { OwnOrder } from './order-status.ts'
import { orderText as text } from './order-text.ts'

/** An invoice or credit note of an order, as the API returns it to its buyer. */
export type OwnDocument = Encoded<Static<typeof InvoicePage>>['data'][number]

type DocumentsView = {
  readonly language: Language
  readonly person: Session['member']
  readonly order: OwnOrder
  readonly documents: readonly OwnDocument[]
}

const documentItem = ({ kind, number, is_test: isTest, file }: OwnDocument, language: Language): Html => {
  const name = html`${fill(text.document[kind], language, { number })}${isTest && html` <strong>${fill(text.test, language)}</strong>`}`
  return file === null
    ? html`<li>${name} <span class="quiet">(${fill(text.beingMade, language)})</span></li>\n`
    : html`<li><a href="${file.url}">${name}</a> <span class="quiet">(PDF)</span></li>\n`
}

/** The invoices and credit notes of an order. */
export const documentsPart = ({ documents, language }: DocumentsView): Html | false =>
  documents.length > 0 &&
  html`<h2>${fill(text.documents, language)}</h2>
<ul class="list">
${documents.map(document => documentItem(document, language))}</ul>`

/** The refunds of an order. */
export const refundsPart = ({ order, language, person }: DocumentsView): Html | false =>
  order.refunds.length > 0 &&
  html`<h2>${fill(text.refunds, language)}</h2>
<ul class="list">
${order.refunds.map(({ amount, currency, state, settled_at: at }) => {
  const day = at === null ? '' : dayOf(new Date(at), language, person)
  return html`<li>${fill(text.refund[state], language, { amount: formatMoney(amount, currency, language), day })}</li>\n`
})}</ul>`
