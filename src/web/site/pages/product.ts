import { fill } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool, signUpPath } from '../header.ts'
import { productText as text } from '../product-text.ts'
import type { ProductFileView, ProductView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { lessonIcons } from './icons.ts'
import { itemPage } from './item-page.ts'
import { markdown } from './markdown.ts'
import { type OwnProduct, productOffer } from './own.ts'
import { coursePicture } from './picture.ts'
import { buyBar, canBuy, type PriceTerms, priceOffer } from './prices.ts'
import { sizeLine } from './products.ts'

type ProductPageView = {
  readonly page: PageRequest
  readonly terms: PriceTerms
  readonly product: ProductView
  readonly files: readonly ProductFileView[]
  /** What holds for who is signed in. */
  readonly own: OwnProduct
}

const renderHead = ({ page, product }: ProductPageView): Html => {
  const attributes = inSchool(page)
  return html`<div class="course-head">
<p class="crumbs"><a href="/products">${fill(text.title, page.language)}</a></p>
<h1${attributes}>${product.name}</h1>
${product.subtitle !== '' && html`<p class="lead"${attributes}>${product.subtitle}</p>`}
${sizeLine(product, page)}
</div>`
}

const sampleLink = ({ page: { language }, product }: ProductPageView): Html | false =>
  product.sample !== null &&
  html`<p class="actions"><a class="button" href="${product.sample.url}">${fill(text.sample, language)}</a></p>`

const offerOptions = ({ page }: ProductPageView) => ({
  school: page.school,
  button: siteText.price.buy,
  none: text.noPrices,
})

const renderPrices = (view: ProductPageView): Html => {
  const { page, terms, product } = view
  const { language, school, person } = page
  return html`${priceOffer(product, terms, offerOptions(view))}
${sampleLink(view)}
${
  !canBuy(product) &&
  person === undefined &&
  school.signupMode === 'open' &&
  html`<p class="actions"><a class="button main" href="${signUpPath(`/products/${product.slug}`)}">${fill(siteText.signUp, language)}</a></p>
<p class="hint">${fill(siteText.course.accountHint, language)}</p>`
}`
}

const renderOffer = (view: ProductPageView): Html => {
  const { page, product, own } = view
  const offer = productOffer(own, page)
  return html`<aside class="offer" aria-labelledby="prices">
${coursePicture(product, '(min-width: 60rem) 22rem, 92vw', 'beside')}
<div class="offer-text">
<h2 class="offer-title${offer === undefined && ' unseen'}" id="prices">${fill(offer?.title ?? siteText.course.prices, page.language)}</h2>
${offer?.body ?? renderPrices(view)}
</div>
</aside>`
}

const renderAbout = ({ page, product }: ProductPageView): Html | false =>
  product.description !== '' &&
  html`<section aria-labelledby="about">
<h2 id="about">${fill(text.about, page.language)}</h2>
<div class="prose"${inSchool(page)}>${markdown(3, product.description)}</div>
</section>`

const renderFiles = ({ page, files }: ProductPageView): Html | false =>
  files.length > 0 &&
  html`<section aria-labelledby="files">
<h2 id="files">${fill(text.files, page.language)}</h2>
<ul class="lessons">
${files.map(
  ({ name, byte_size: bytes }) =>
    html`<li><span class="row-line">${lessonIcons.download}<span class="lesson-name"><bdi>${name}</bdi></span><small>${formatBytes(bytes, page.language)}</small></span></li>\n`,
)}</ul>
</section>`

const renderLicense = ({ page, product }: ProductPageView): Html | false =>
  product.license_text !== '' &&
  html`<section aria-labelledby="license">
<h2 id="license">${fill(text.license, page.language)}</h2>
<div class="prose"${inSchool(page)}>
${product.license_text.split(/\n{2,}/).map(paragraph => html`<p>${paragraph}</p>\n`)}</div>
</section>`

/** The content of the page of a product. */
export const productMain = (view: ProductPageView): Html =>
  itemPage({
    head: renderHead(view),
    offer: renderOffer(view),
    body: [renderAbout(view), renderFiles(view), renderLicense(view)],
    bar: productOffer(view.own, view.page) === undefined && buyBar(view.product, view.terms, offerOptions(view)),
  })
