import { fill } from '#src/contract/language.ts'
import { formatDay } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { blogText as text } from '../blog-text.ts'
import { shortened } from '../frame.ts'
import { inSchool } from '../header.ts'
import type { PostCategoryView, PostView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { coursePicture } from './picture.ts'

type Place = Pick<PageRequest, 'school' | 'language'> & { readonly timeZone: string }

/** The list of posts. */
type BlogView = {
  readonly page: PageRequest
  readonly timeZone: string
  readonly title: string
  readonly intro: string
  readonly posts: readonly PostView[]
  readonly categories: readonly PostCategoryView[]
  /** The slug of the category whose posts these are. */
  readonly category?: string | undefined
  /** The address of the list without a position. */
  readonly path: string
  readonly next: string | undefined
  readonly isFirst: boolean
}

const SIZES = '(min-width: 70rem) 23rem, (min-width: 42rem) 46vw, 92vw'

/** Who wrote a post and when, and for whom it is. */
export const postFacts = (post: PostView, { language, timeZone }: Place): Html => {
  const { author, published_at: at, access, reading_minutes: minutes } = post
  return html`<p class="facts">${
    at !== null && html`<span class="fact"><time datetime="${at}">${formatDay(at, timeZone, language)}</time></span>`
  }${
    author !== null && html`<span class="fact">${fill(text.by, language, { name: author.name })}</span>`
  }<span class="fact">${fill(text.minutes, language, { n: minutes })}</span>${
    access !== 'public' &&
    html`<span class="fact badge">${fill(access === 'paid' ? text.forPlans : text.forMembers, language)}</span>`
  }</p>`
}

const postCard = (post: PostView, place: Place, level: 2 | 3): Html => {
  const attributes = inSchool(place)
  const name = html`<a class="cover" href="/blog/${post.slug}"${attributes}>${post.title}</a>`
  return html`<li class="card">
${coursePicture({ id: post.id, name: post.title, image: post.cover }, SIZES)}
<div class="card-text">
${level === 2 ? html`<h2 class="card-name">${name}</h2>` : html`<h3 class="card-name">${name}</h3>`}
${post.excerpt !== '' && html`<p class="subtitle"${attributes}>${shortened(post.excerpt, 160)}</p>`}
${postFacts(post, place)}
</div>
</li>
`
}

/** A grid of posts; `level` is that of their headings. */
export const postGrid = (posts: readonly PostView[], place: Place, level: 2 | 3): Html => html`<ul class="grid">
${posts.map(post => postCard(post, place, level))}</ul>`

const chip = (path: string, name: Html | string, isCurrent: boolean): Html =>
  html`<li><a class="chip" href="${path}"${isCurrent && html` aria-current="page"`}>${name}</a></li>\n`

const renderChips = ({ page, categories, category, path }: BlogView): Html | false =>
  categories.length > 0 &&
  html`<nav class="chips" aria-label="${fill(text.categories, page.language)}">
<ul>
${chip('/blog', fill(text.all, page.language), path === '/blog')}${categories.map(({ slug, name }) =>
  chip(`/blog/category/${slug}`, html`<span${inSchool(page)}>${name}</span>`, slug === category),
)}</ul>
</nav>`

const renderPages = ({ page: { language }, path, next, isFirst }: BlogView): Html | false => {
  if (next === undefined && isFirst) return false
  const glue = path.includes('?') ? '&' : '?'
  return html`<p class="actions pages">${!isFirst && html`<a class="button" href="${path}">${fill(text.first, language)}</a> `}${
    next !== undefined &&
    html`<a class="button" rel="next" href="${path}${glue}${String(new URLSearchParams({ cursor: next }))}">${fill(text.next, language)}</a>`
  }</p>`
}

/** The content of a list of posts. */
export const blogMain = (view: BlogView): Html => {
  const { page, posts, title, intro, timeZone } = view
  const { language, school } = page
  const place = { school, language, timeZone }
  return html`<div class="band">
<div class="wrap">
<h1${inSchool(page)}>${title}</h1>
${intro !== '' && html`<p class="lead"${inSchool(page)}>${intro}</p>`}
</div>
</div>
<div class="wrap section">
${renderChips(view)}
${posts.length === 0 ? html`<p class="nothing">${fill(text.none, language)}</p>` : postGrid(posts, place, 2)}
${renderPages(view)}
<p class="hint"><a href="/feed.xml">${fill(text.feed, language)}</a></p>
</div>`
}
