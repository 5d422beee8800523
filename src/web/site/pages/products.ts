import { fill } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool } from '../header.ts'
import { productText as text } from '../product-text.ts'
import type { ProductView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { coursePicture } from './picture.ts'
import { cardPrice } from './prices.ts'

type ProductsView = {
  readonly page: PageRequest
  readonly products: readonly ProductView[]
  readonly next: string | undefined
  readonly isFirst: boolean
}

const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

const sizeText = ({ file_count: count, byte_size: bytes }: ProductView, { language }: PageRequest): string =>
  count === 0 ? '' : `${fill(text.fileCount, language, { n: count })} · ${formatBytes(bytes, language)}`

/** How many files a product has and how large they are together. */
export const sizeLine = (product: ProductView, page: PageRequest): Html | false =>
  product.file_count > 0 && html`<p class="facts"><span class="fact">${sizeText(product, page)}</span></p>`

const productCard = (product: ProductView, page: PageRequest, level: 2 | 3): Html => {
  const attributes = inSchool(page)
  const name = html`<a class="cover" href="/products/${product.slug}"${attributes}>${product.name}</a>`
  return html`<li class="card">
${coursePicture(product, SIZES)}
<div class="card-text">
${level === 2 ? html`<h2 class="card-name">${name}</h2>` : html`<h3 class="card-name">${name}</h3>`}
${product.subtitle !== '' && html`<p class="subtitle"${attributes}>${product.subtitle}</p>`}
<p class="card-foot">${cardPrice({ ...product, sold_out: false }, page.language)}<span class="fact">${sizeText(product, page)}</span></p>
</div>
</li>
`
}

/** A grid of products; `level` is that of their headings. */
export const productGrid = (
  products: readonly ProductView[],
  page: PageRequest,
  level: 2 | 3,
): Html => html`<ul class="grid">
${products.map(product => productCard(product, page, level))}</ul>`

const renderPages = ({ page: { language }, next, isFirst }: ProductsView): Html | false => {
  if (next === undefined && isFirst) return false
  return html`<p class="actions pages">${!isFirst && html`<a class="button" href="/products">${fill(text.first, language)}</a> `}${
    next !== undefined &&
    html`<a class="button" href="/products?${String(new URLSearchParams({ cursor: next }))}">${fill(text.next, language)}</a>`
  }</p>`
}

/** The content of the list of products. */
export const productsMain = (view: ProductsView): Html => {
  const { page, products } = view
  const { language, school } = page
  return html`<div class="band">
<div class="wrap">
<h1>${fill(text.title, language)}</h1>
<p class="lead">${fill(text.intro, language, { school: school.name })}</p>
</div>
</div>
<div class="wrap section">
${products.length === 0 ? html`<p class="nothing">${fill(text.none, language)}</p>` : productGrid(products, page, 2)}
${renderPages(view)}
</div>`
}
