import type { Static } from 'typebox'
import type { InvoicePage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { OrderContext } from './own.ts'

const { order: text } = texts.account

type OwnDocument = Encoded<Static<typeof InvoicePage>>['data'][number]

const documentItem = ({ kind, number, is_test: isTest, file }: OwnDocument, { t }: OrderContext): Html => {
  const name = html`${t(text.document[kind], { number })}${isTest && html` <strong>${t(text.test)}</strong>`}`
  return file === null
    ? html`<li>${name} <span class="quiet">(${t(text.beingMade)})</span></li>\n`
    : html`<li><a href="${file.url}">${name}</a> <span class="quiet">(PDF)</span></li>\n`
}

/** The invoices and credit notes of an order. */
export const documentsPart = (documents: readonly OwnDocument[], context: OrderContext): Html | false =>
  documents.length > 0 &&
  html`<h2>${context.t(texts.words.invoices)}</h2>
<ul class="list">
${documents.map(document => documentItem(document, context))}</ul>`

/** The refunds of an order. */
export const refundsPart = ({ order, t, money, day }: OrderContext): Html | false =>
  order.refunds.length > 0 &&
  html`<h2>${t(texts.words.refunds)}</h2>
<ul class="list">
${order.refunds.map(
  ({ amount, currency, state, settled_at: at }) =>
    html`<li>${t(text.refund[state], { amount: money(amount, currency), day: at === null ? '' : day(at) })}</li>\n`,
)}</ul>`
