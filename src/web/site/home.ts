import { sortToContinue } from '#src/areas/learning/index.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { orNothing } from '#src/web/page/index.ts'
import { showHomePage } from './content.ts'
import type { SiteView } from './frame.ts'
import { homeMain } from './pages/home.ts'
import { resumeBand, waitingBand } from './pages/own.ts'
import { shared } from './pages/picture.ts'
import type { PageRequest, ShowPage } from './respond.ts'
import { siteText as text } from './text.ts'

const COURSES = 7
const LECTURERS = 4
const PRODUCTS = 3
const POSTS = 3
const EVENTS = 3
const PLANS = 3
const REVIEWS = 3

// The built-in home page: what the school is, its newest courses, plans and next events, its lecturers, and reviews.
const showBuiltIn = async (page: PageRequest): Promise<SiteView> => {
  const { reads, school } = page
  const [profile, courses, lecturers, posts, products, events, plans] = await Promise.all([
    reads.school(),
    reads.courses([
      ['limit', String(COURSES)],
      ['sort', '-created_at'],
    ]),
    reads.lecturers([['limit', String(LECTURERS)]]),
    reads.posts([['limit', String(POSTS)]]),
    reads.products([
      ['limit', String(PRODUCTS)],
      ['sort', '-created_at'],
    ]),
    reads.events([
      ['limit', String(EVENTS)],
      ['ended', 'false'],
      ['status', 'published'],
    ]),
    reads.plans([['limit', String(PLANS)]]),
  ])
  const reviewed = courses.data.find(course => course.rating_count > 0)
  const reviews = reviewed === undefined ? [] : (await reads.reviews(reviewed.id, REVIEWS)).data
  return {
    title: school.name,
    description: profile.description,
    path: '/',
    image: shared(courses.data.find(({ image }) => image !== null)?.image ?? null),
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'EducationalOrganization',
        name: school.name,
        url: school.siteOrigin,
        description: profile.description,
      },
    ],
    main: homeMain({
      page,
      profile,
      courses: courses.data,
      lecturers: lecturers.data,
      posts: posts.data,
      products: products.data,
      events: events.data,
      plans: plans.data,
      reviewed,
      reviews,
    }),
  }
}

const showOwnOrBuiltIn = async (page: PageRequest) => (await showHomePage(page)) ?? showBuiltIn(page)

const showResumed = async (page: PageRequest): Promise<Html | undefined> => {
  const { own, enrolled, person, reads } = page
  if (own === undefined || person === undefined) return undefined
  const { name } = person.member
  const last = sortToContinue([...(enrolled?.values() ?? [])]).find(({ completed_at: at }) => at === null)
  if (last !== undefined) return resumeBand(last, await orNothing(reads.outline(last.course_id)), name, page)
  const [order] = await own.waiting()
  return order && waitingBand(order, name, page)
}

/** GET /: the home page that the school made, or the built-in one; for who is signed in it begins with what they were doing. */
export const showHome: ShowPage = async page => {
  const [resumed, view] = await Promise.all([showResumed(page), showOwnOrBuiltIn(page)])
  return resumed === undefined || !('main' in view) ? view : { ...view, main: html`${resumed}\n${view.main}` }
}

const item = (path: string, name: string, about: string) =>
  html`<li class="link"><a href="${path}">${name}</a><br><span class="quiet">${about}</span></li>\n`

/** GET /developers: how apps reach the school. */
export const showDevelopers: ShowPage = async ({ school, language }): Promise<SiteView> => {
  const { developer } = text
  const intro = fill(developer.intro, language, { school: school.name })
  const links = [
    ['/auth.md', developer.connect, developer.connectAbout],
    ['/docs', developer.reference, developer.referenceAbout],
    ['/openapi.json', developer.openapi, developer.openapiAbout],
    ['/api/v1/school', developer.school, developer.schoolAbout],
  ] as const
  return {
    title: fill(developer.title, language),
    description: intro,
    path: '/developers',
    main: html`<div class="wrap section">
<h1>${fill(developer.title, language)}</h1>
<p class="lead">${intro}</p>
<ul class="links">
${links.map(([path, name, about]) => item(path, fill(name, language), fill(about, language)))}</ul>
</div>`,
  }
}
