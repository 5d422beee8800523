import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool, signUpPath } from '../header.ts'
import type {
  CourseView,
  EventView,
  LecturerView,
  PlanView,
  PostView,
  ProductView,
  ReviewView,
  SchoolView,
} from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { postGrid } from './blog.ts'
import { courseGrid, lecturerGrid, ratingLine, reviewCard } from './cards.ts'
import { eventRows } from './events.ts'
import { coursePicture } from './picture.ts'
import { planGrid } from './plans.ts'
import { cardPrice } from './prices.ts'
import { productGrid } from './products.ts'

type HomeView = {
  readonly page: PageRequest
  readonly profile: SchoolView
  /** The newest first. */
  readonly courses: readonly CourseView[]
  readonly lecturers: readonly LecturerView[]
  /** The newest first. */
  readonly posts: readonly PostView[]
  /** The newest first. */
  readonly products: readonly ProductView[]
  /** Those that come next first. */
  readonly events: readonly EventView[]
  /** In the order of the school. */
  readonly plans: readonly PlanView[]
  readonly reviewed: CourseView | undefined
  readonly reviews: readonly ReviewView[]
}

const { home: text } = siteText

// The newest of the courses that learners have reviewed, or the newest one.
const renderFeatured = ({ page, courses, reviewed }: HomeView): Html | false => {
  const course = reviewed ?? courses[0]
  if (course === undefined) return false
  const { language } = page
  const label = fill(reviewed === undefined ? text.featured : text.recommended, language)
  return html`<aside class="featured" aria-label="${label}">
${coursePicture(course, '(min-width: 60rem) 34rem, 92vw', 'first')}
<div class="featured-text">
<p class="eyebrow">${label}</p>
<p class="featured-name"><a class="cover" href="/courses/${course.slug}"${inSchool(page)}>${course.name}</a></p>
<p class="facts">${[ratingLine(course, page), cardPrice(course, language)]}</p>
</div>
</aside>`
}

const MAX_TITLE = 90
const PARAGRAPHS = 3
// A longer title has smaller type, so that it leaves room for the rest.
const LONG_TITLE = 50

// A short first paragraph says more than the name, which is in the header too.
const buildTitle = ({ page: { school }, profile }: HomeView): { title: string; paragraphs: string[] } => {
  const paragraphs = profile.description
    .split(/\n{2,}/)
    .map(paragraph => paragraph.trim())
    .filter(paragraph => paragraph !== '')
  const [first = '', ...others] = paragraphs
  return first !== '' && first.length <= MAX_TITLE
    ? { title: first, paragraphs: others.slice(0, PARAGRAPHS) }
    : { title: school.name, paragraphs: paragraphs.slice(0, PARAGRAPHS) }
}

const renderHero = (view: HomeView): Html => {
  const { page } = view
  const { language } = page
  const { title, paragraphs } = buildTitle(view)
  return html`<div class="hero">
<div class="wrap hero-grid">
<div class="hero-text">
<h1 class="hero-title${title.length > LONG_TITLE && ' long'}"${inSchool(page)}>${title}</h1>
${paragraphs.map(
  paragraph => html`<p class="lead"${inSchool(page)}>${paragraph}</p>\n`,
)}<p class="actions"><a class="button main" href="/courses">${fill(siteText.toCourses, language)}</a></p>
</div>
${renderFeatured(view)}
</div>
</div>`
}

const renderCourses = ({ page, courses, reviewed }: HomeView): Html => {
  const { language } = page
  const featured = reviewed ?? courses[0]
  const others = courses.length > 3 ? courses.filter(course => course !== featured) : courses
  // Full rows of the grid where it is widest.
  const shown = others.slice(0, others.length >= 6 ? 6 : 3)
  return html`<section class="section" aria-labelledby="courses">
<div class="wrap">
<div class="section-head"><h2 id="courses">${fill(text.courses, language)}</h2> <a href="/courses">${fill(siteText.toCourses, language)}</a></div>
${courses.length === 0 ? html`<p>${fill(text.noCourses, language)}</p>` : courseGrid(shown, page, 3)}
</div>
</section>`
}

const renderReviews = ({ page, reviewed, reviews }: HomeView): Html | false => {
  if (reviewed === undefined || reviews.length === 0) return false
  const { language } = page
  const name = html`<bdi${inSchool(page)}>${reviewed.name}</bdi>`
  return html`<section class="section tinted" aria-labelledby="reviews">
<div class="wrap${reviews.length === 1 && ' split'}">
<h2 id="reviews">${fill(text.reviews, language)}</h2>
<ul class="reviews">
${reviews.map(review => reviewCard(review, page, name))}</ul>
</div>
</section>`
}

const renderLecturers = ({ page, lecturers }: HomeView): Html | false =>
  lecturers.length > 0 &&
  html`<section class="section" aria-labelledby="lecturers">
<div class="wrap">
<h2 id="lecturers">${fill(text.lecturers, page.language)}</h2>
${lecturerGrid(lecturers, page, 3)}
</div>
</section>`

const renderProducts = ({ page, products }: HomeView): Html | false =>
  products.length > 0 &&
  html`<section class="section" aria-labelledby="products">
<div class="wrap">
<div class="section-head"><h2 id="products">${fill(text.products, page.language)}</h2> <a href="/products">${fill(text.toProducts, page.language)}</a></div>
${productGrid(products, page, 3)}
</div>
</section>`

const renderEvents = ({ page, events }: HomeView): Html | false =>
  events.length > 0 &&
  html`<section class="section" aria-labelledby="events">
<div class="wrap">
<div class="section-head"><h2 id="events">${fill(text.events, page.language)}</h2> <a href="/events">${fill(text.toEvents, page.language)}</a></div>
${eventRows(events, page, 3)}
</div>
</section>`

const renderPlans = ({ page, plans }: HomeView): Html | false =>
  plans.length > 0 &&
  html`<section class="section" aria-labelledby="plans">
<div class="wrap">
<div class="section-head"><h2 id="plans">${fill(siteText.plans, page.language)}</h2> <a href="/plans">${fill(text.toPlans, page.language)}</a></div>
${planGrid(plans, page, 3)}
</div>
</section>`

const renderPosts = ({ page: { school, language }, profile, posts }: HomeView): Html | false =>
  posts.length > 0 &&
  html`<section class="section" aria-labelledby="posts">
<div class="wrap">
<div class="section-head"><h2 id="posts">${fill(text.posts, language)}</h2> <a href="/blog">${fill(text.toPosts, language)}</a></div>
${postGrid(posts, { school, language, timeZone: profile.time_zone }, 3)}
</div>
</section>`

const renderJoin = ({ page: { school, language, person } }: HomeView): Html | false =>
  person === undefined &&
  school.signupMode === 'open' &&
  html`<section class="section" aria-labelledby="join">
<div class="wrap"><div class="panel join">
<div><h2 id="join">${fill(text.joinTitle, language)}</h2>
<p class="join-text">${fill(text.joinText, language)}</p></div>
<p class="actions"><a class="button main" href="${signUpPath('/')}">${fill(siteText.signUp, language)}</a></p>
</div></div>
</section>`

/** The content of the home page. */
export const homeMain = (view: HomeView): Html => html`${renderHero(view)}
${renderCourses(view)}
${renderPlans(view)}
${renderEvents(view)}
${renderProducts(view)}
${renderReviews(view)}
${renderLecturers(view)}
${renderPosts(view)}
${renderJoin(view)}`
