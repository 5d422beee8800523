import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool } from '../header.ts'
import type { CourseView, LecturerView, PostView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { postGrid } from './blog.ts'
import { courseGrid, lecturerGrid } from './cards.ts'
import { markdown } from './markdown.ts'
import { portrait } from './picture.ts'

const { lecturer: text, course: courseText } = siteText

/** The content of the list of lecturers. */
export const lecturersMain = (
  page: PageRequest,
  lecturers: readonly LecturerView[],
  next: string | undefined,
): Html => {
  const { school, language } = page
  return html`<div class="band"><div class="wrap">
<h1>${fill(text.title, language)}</h1>
<p class="lead">${fill(text.intro, language, { school: school.name })}</p>
</div></div>
<div class="wrap section">
${lecturers.length === 0 ? html`<p class="nothing">${fill(text.none, language)}</p>` : lecturerGrid(lecturers, page, 2)}
${next !== undefined && html`<p class="actions pages"><a class="button" href="/lecturers?${new URLSearchParams({ cursor: next }).toString()}">${fill(text.more, language)}</a></p>`}
</div>`
}

const renderLinks = ({ links }: LecturerView): Html | false =>
  links.length > 0 &&
  html`<ul class="profile-links">
${links.map(({ label, url }) => html`<li><a href="${url}" rel="noopener nofollow"><bdi>${label}</bdi></a></li>\n`)}</ul>`

type LecturerPageView = {
  readonly page: PageRequest
  readonly lecturer: LecturerView
  readonly courses: readonly CourseView[]
  readonly posts: readonly PostView[]
  readonly timeZone: string
}

/** The content of the page of a lecturer. */
export const lecturerMain = ({ page, lecturer, courses, posts, timeZone }: LecturerPageView): Html => {
  const { school, language } = page
  const attributes = inSchool(page)
  const name = lecturer.display_name
  return html`<div class="band"><div class="wrap profile">
${portrait(lecturer)}
<div>
<p class="crumbs"><a href="/lecturers">${fill(siteText.lecturers, language)}</a></p>
<h1${attributes}>${name}</h1>
<p class="facts"><span>${fill(courseText.courseCount, language, { n: lecturer.course_count })}</span></p>
<div class="prose"${attributes}>${markdown(2, lecturer.bio)}</div>
${renderLinks(lecturer)}
</div>
</div></div>
${
  courses.length > 0 &&
  html`<section class="section" aria-labelledby="courses"><div class="wrap">
<h2 id="courses">${fill(text.courses, language, { name })}</h2>
${courseGrid(courses, page, 3)}
</div></section>`
}${
  posts.length > 0 &&
  html`<section class="section" aria-labelledby="posts"><div class="wrap">
<h2 id="posts">${fill(text.posts, language, { name })}</h2>
${postGrid(posts, { school, language, timeZone }, 3)}
</div></section>`
}`
}
