import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { formField } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, hidden, timeOf } from '#src/web/page/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { folded } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { facts } from '../../teaching/parts.ts'
import { filesPart } from './files-part.ts'
import { pricesPart } from './prices-part.ts'
import { productText as text } from './product-text.ts'
import type { ProductView } from './product-view.ts'
import { type ProductShown, productPath } from './shown.ts'
import { productRefusals, productsText } from './text.ts'

const factsOf = ({ product, context }: ProductView): Html => {
  const { t, language, viewer } = context
  const time = (instant: string) => timeOf(new Date(instant), language, viewer)
  const { publish_at: planned, download_limit: limit, holder_count: holders = 0, sales = 0 } = product
  return facts([
    [t(text.status), t(productsText.statuses[product.status])],
    [t(text.planned), planned == null ? undefined : time(planned)],
    [t(text.size), product.file_count === 0 ? undefined : formatBytes(product.byte_size, language)],
    [t(text.limit), limit === null ? undefined : t(text.limitOf, { n: limit })],
    [t(text.holders), String(holders)],
    [t(text.sales), sales === 0 ? undefined : String(sales)],
  ])
}

const links = ({ product, context: { language } }: ProductView): Html => {
  const path = productPath(product.id)
  return html`<p><a class="button" href="${path}/edit">${fill(text.edit, language)}</a></p>
<p><a href="${path}/people">${fill(text.people, language)}</a>${product.status === 'published' && html` · <a href="/products/${product.slug}">${fill(text.public, language)}</a>`}</p>`
}

// What a product lacks before anybody can buy and download it.
const missing = ({ product, context: { language } }: ProductView): Html | false => {
  const lacks = [
    ...(product.file_count === 0 ? [fill(text.noFiles, language)] : []),
    ...(product.primary_price === null ? [fill(text.noPrice, language)] : []),
  ]
  return lacks.length > 0 && product.status !== 'archived' && html`<p class="note">${lacks.join(' ')}</p>`
}

const moment = ({ refused, context: { language } }: ProductView): Html =>
  html`<label for="at">${fill(text.at, language)}</label>
<input id="at" name="at" type="datetime-local" value="${refused?.act === 'schedule' ? formField(refused.form, 'at') : ''}" aria-describedby="at-hint" required>
<p class="quiet hint" id="at-hint">${fill(text.atHint, language)}</p>`

const actForm = (act: keyof typeof text.acts, view: ProductView): Html => {
  const { product, context, formKey, refused } = view
  const { t, token } = context
  const { title, about, button } = text.acts[act]
  const inside = html`${hidden({ act, revision: product.revision, form_key: formKey })}${act === 'schedule' && moment(view)}
<div class="buttons"><button type="submit">${t(button)}</button></div>`
  const body = html`<p class="quiet">${t(about)}</p>
${formOf(productPath(product.id), token, inside)}`
  return folded(t(title), body, refused?.act === act)
}

const isDraft = ({ status }: ProductShown): boolean => status === 'draft'
const isPlanned = ({ publish_at: at }: ProductShown): boolean => at != null

// What a product does not allow is not offered; the operation decides all the same.
const isOffered: Readonly<Record<keyof typeof text.acts, (product: ProductShown) => boolean>> = {
  publish: isDraft,
  schedule: isDraft,
  unpublish: product => product.status === 'published' || isPlanned(product),
  archive: ({ status }) => status === 'published',
  unarchive: ({ status }) => status === 'archived',
  copy: () => true,
  delete: ({ holder_count: holders = 0, sales = 0 }) => holders === 0 && sales === 0,
}

const acts = ['publish', 'schedule', 'unpublish', 'archive', 'unarchive', 'copy', 'delete'] as const

/** One product: its files, its prices and its state. */
export const productPage = (view: ProductView): Reply => {
  const { context, product, refused, done } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, { ...productRefusals, ...fileRefusals })
  return framed({
    school: request.school,
    language,
    title: product.name,
    ...notice,
    body: html`${missing(view)}
${factsOf(view)}
${links(view)}
${filesPart(view)}
${pricesPart(view)}
<h2>${t(text.decide)}</h2>
${acts.filter(act => isOffered[act](product)).map(act => actForm(act, view))}
<p class="quiet"><a href="/staff/products">${t(productsText.back)}</a></p>`,
  })
}
