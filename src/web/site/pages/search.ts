import { fill } from '#src/contract/language.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { type Html, html } from '#src/kit/html.ts'
import { searchForm, shortened } from '../frame.ts'
import { inSchool } from '../header.ts'
import type { ContentLine, CourseView, EventView, LecturerView, PlanView, PostView, ProductView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { courseGrid, renderFacts } from './cards.ts'
import { renderWhen } from './events.ts'
import { coursePicture, portrait } from './picture.ts'
import { cardPrice } from './prices.ts'

/** Something that was found. */
export type Hit =
  | { readonly course: CourseView }
  | { readonly lecturer: LecturerView }
  | { readonly product: ProductView }
  | { readonly content: ContentLine }
  | { readonly plan: PlanView }
  | { readonly post: PostView }
  | { readonly event: EventView }

type SearchView = {
  readonly page: PageRequest
  /** The words that somebody looks for; empty before a search. */
  readonly q: string
  /** The words that the hits have; others than `q` where that finds nothing. */
  readonly used: string
  /** Other searches that `q` may have been meant to be. */
  readonly others: readonly string[]
  readonly hits: readonly Hit[]
  /** The position after which the next page begins. */
  readonly next: string | undefined
  readonly isFirst: boolean
  /** The newest courses, where nothing was found. */
  readonly newest: readonly CourseView[]
}

const { search: text } = siteText

const courseRow = (course: CourseView, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
${coursePicture(course, '10rem')}
<div class="result-text">
<p class="eyebrow">${fill(text.course, page.language)}</p>
<h2 class="result-name"><a class="cover" href="/courses/${course.slug}"${attributes}>${course.name}</a></h2>
${course.subtitle !== '' && html`<p class="subtitle"${attributes}>${course.subtitle}</p>`}
${renderFacts(course, page, cardPrice(course, page.language))}
</div>
</li>
`
}

const lecturerRow = (lecturer: LecturerView, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
${portrait(lecturer)}
<div class="result-text">
<p class="eyebrow">${fill(text.lecturer, page.language)}</p>
<h2 class="result-name"><a class="cover" href="/lecturers/${lecturer.slug}"${attributes}>${lecturer.display_name}</a></h2>
<p class="subtitle"${attributes}>${shortened(stripMarkdown(lecturer.bio), 140)}</p>
</div>
</li>
`
}

const productRow = (product: ProductView, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
${coursePicture(product, '10rem')}
<div class="result-text">
<p class="eyebrow">${fill(text.product, page.language)}</p>
<h2 class="result-name"><a class="cover" href="/products/${product.slug}"${attributes}>${product.name}</a></h2>
${product.subtitle !== '' && html`<p class="subtitle"${attributes}>${product.subtitle}</p>`}
<p class="facts">${cardPrice({ ...product, sold_out: false }, page.language)}</p>
</div>
</li>
`
}

const planRow = (plan: PlanView, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
${plan.image !== null && coursePicture(plan, '10rem')}
<div class="result-text">
<p class="eyebrow">${fill(text.plan, page.language)}</p>
<h2 class="result-name"><a class="cover" href="/plans/${plan.slug}"${attributes}>${plan.name}</a></h2>
${plan.benefits.length > 0 && html`<p class="subtitle"${attributes}>${shortened(plan.benefits.join(' · '), 140)}</p>`}
<p class="facts">${cardPrice({ ...plan, sold_out: false }, page.language)}</p>
</div>
</li>
`
}

const contentRow = ({ title, path, is_home: isHome, seo }: ContentLine, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
<div class="result-text">
<p class="eyebrow">${fill(text.page, page.language)}</p>
<h2 class="result-name"><a class="cover" href="${isHome ? '/' : path}"${attributes}>${title}</a></h2>
${seo.description !== null && html`<p class="subtitle"${attributes}>${shortened(seo.description, 140)}</p>`}
</div>
</li>
`
}

const postRow = ({ slug, title, excerpt }: PostView, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
<div class="result-text">
<p class="eyebrow">${fill(text.post, page.language)}</p>
<h2 class="result-name"><a class="cover" href="/blog/${slug}"${attributes}>${title}</a></h2>
${excerpt !== '' && html`<p class="subtitle"${attributes}>${shortened(excerpt, 140)}</p>`}
</div>
</li>
`
}

const eventRow = (event: EventView, page: PageRequest): Html => {
  const attributes = inSchool(page)
  return html`<li class="result">
${coursePicture(event, '10rem')}
<div class="result-text">
<p class="eyebrow">${fill(text.event, page.language)}</p>
<h2 class="result-name"><a class="cover" href="/events/${event.slug}"${attributes}>${event.name}</a></h2>
${renderWhen(event, page)}
</div>
</li>
`
}

const renderRow = (hit: Hit, page: PageRequest): Html => {
  if ('course' in hit) return courseRow(hit.course, page)
  if ('content' in hit) return contentRow(hit.content, page)
  if ('plan' in hit) return planRow(hit.plan, page)
  if ('post' in hit) return postRow(hit.post, page)
  if ('event' in hit) return eventRow(hit.event, page)
  return 'product' in hit ? productRow(hit.product, page) : lecturerRow(hit.lecturer, page)
}

const buildAddress = (query: Readonly<Record<string, string>>): string => `/search?${new URLSearchParams(query)}`

const renderPages = ({ page: { language }, used: q, next, isFirst }: SearchView): Html | false =>
  (next !== undefined || !isFirst) &&
  html`<p class="actions pages">${!isFirst && html`<a class="button" href="${buildAddress({ q })}">${fill(text.first, language)}</a> `}${
    next !== undefined &&
    html`<a class="button" rel="next" href="${buildAddress({ q, after: next })}">${fill(text.next, language)}</a>`
  }</p>`

const renderNewest = ({ page, newest }: SearchView): Html | false =>
  newest.length > 0 &&
  html`<section class="newest" aria-labelledby="newest">
<div class="section-head"><h2 id="newest">${fill(text.newest, page.language)}</h2> <a href="/courses">${fill(siteText.toCourses, page.language)}</a></div>
${courseGrid(newest, page, 3)}
</section>`

const renderResults = (view: SearchView): Html => {
  const { page, q, hits } = view
  if (hits.length > 0)
    return html`<ol class="results">
${hits.map(hit => renderRow(hit, page))}</ol>
${renderPages(view)}`
  return html`${q !== '' && html`<p class="nothing">${fill(text.none, page.language, { q })}</p>`}
${renderNewest(view)}`
}

const renderLead = ({ page: { language }, q, used, others, hits }: SearchView): Html => {
  if (q === '' || hits.length === 0) return html`<p class="lead">${fill(text.intro, language)}</p>`
  if (used === q) return html`<p class="lead">${fill(text.found, language, { q })}</p>`
  const links = others.map(other => html` <a href="${buildAddress({ q: other })}">${other}</a>`)
  return html`<p class="lead">${fill(text.corrected, language, { q, used })}</p>
${links.length > 0 && html`<p>${fill(text.orElse, language)}${links}</p>`}`
}

/** The content of the search. */
export const searchMain = (view: SearchView): Html => {
  const { page, q } = view
  const { language } = page
  return html`<div class="band"><div class="wrap">
<h1>${fill(text.title, language)}</h1>
${searchForm(page, { id: 'words', q, placeholder: fill(text.placeholder, language) })}
${renderLead(view)}
</div></div>
<div class="wrap section">
${renderResults(view)}
</div>`
}
