import { EnrollmentPage } from '#src/areas/learning/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { courses: text } = texts.account

type OwnCourse = { readonly name: string; readonly slug: string }

const readCourses = async ({ call }: AccountContext): Promise<readonly OwnCourse[]> => {
  const { data } = await call({
    operation: 'listAccountEnrollments',
    query: [['limit', '100']],
    expand: ['course'],
    returns: EnrollmentPage,
  })
  return data.flatMap(({ course }) => course ?? [])
}

const courseList = (courses: readonly OwnCourse[]): Html =>
  html`<ul class="list menu">
${courses.map(({ name, slug }) => html`<li><a href="/learn/${slug}"><bdi>${name}</bdi></a></li>\n`)}</ul>`

/** GET /account/courses, and /account/welcome for somebody who has just accepted an invitation. */
export const coursesPages = [
  page('GET /account/courses', owner, async context => {
    const { t, frame, language } = context
    const courses = await readCourses(context)
    return frame({
      title: t(texts.words.yourCourses),
      body: html`${courses.length === 0 ? html`<p>${t(text.none)}</p>` : courseList(courses)}
<p><a href="/learn">${t(text.learn)}</a></p>
<p><a href="/courses">${t(texts.words.seeAllCourses)}</a></p>
${backLink(language)}`,
    })
  }),
  page('GET /account/welcome', owner, async context => {
    const { t, frame, school, viewer } = context
    const { name, email, role } = viewer
    const courses = await readCourses(context)
    const item = (path: string, label: Phrase, about: Phrase): Html =>
      html`<li><a href="${path}">${t(label)}</a><span class="quiet">${t(about)}</span></li>\n`
    return frame({
      title: t(text.title, { school: school.name }),
      body: html`<p>${t(text.intro, { name, email })}</p>
${role === 'lecturer' && html`<p>${t(text.lecturer)}</p>\n`}${
  courses.length > 0 && html`<h2>${t(texts.words.yourCourses)}</h2>\n${courseList(courses)}\n`
}<ul class="list menu">
${isAtLeast(role, 'admin') && item('/staff', text.staff, text.staffAbout)}${item('/courses', texts.words.seeAllCourses, text.catalogueAbout)}${item('/account', texts.words.yourAccount, text.accountAbout)}</ul>`,
    })
  }),
]
