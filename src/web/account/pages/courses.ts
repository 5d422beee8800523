import { isAtLeast } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { framed } from '#src/web/page/index.ts'
import { backLink } from './account.ts'

const text = texts.account.courses

type CoursesView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly courses: readonly { readonly name: string; readonly slug: string }[]
}

const courseItem = ({ name, slug }: CoursesView['courses'][number]): Html =>
  html`<li><a href="/learn/${slug}"><bdi>${name}</bdi></a></li>\n`

const courseList = (courses: CoursesView['courses']): Html =>
  html`<ul class="list menu">
${courses.map(courseItem)}</ul>`

const item = (path: string, name: Phrase, about: Phrase, language: Language): Html =>
  html`<li><a href="${path}">${fill(name, language)}</a><span class="quiet">${fill(about, language)}</span></li>\n`

/** The page after an invitation was accepted: the courses of the person, and where to go. */
export const welcomePage = ({ school, language, person, courses }: CoursesView): Reply => {
  const { name, email, role } = person
  return framed({
    ...{ language, school },
    title: fill(text.title, language, { school: school.name }),
    body: html`<p>${fill(text.intro, language, { name, email })}</p>
${role === 'lecturer' && html`<p>${fill(text.lecturer, language)}</p>\n`}${
  courses.length > 0 && html`<h2>${fill(text.courses, language)}</h2>\n${courseList(courses)}\n`
}<ul class="list menu">
${isAtLeast(role, 'admin') && item('/staff', text.staff, text.staffAbout, language)}${item('/courses', text.catalogue, text.catalogueAbout, language)}${item('/account', text.account, text.accountAbout, language)}</ul>`,
  })
}

/** The courses in which a person is enrolled. */
export const ownCoursesPage = ({ school, language, courses }: CoursesView): Reply =>
  framed({
    ...{ language, school },
    title: fill(text.courses, language),
    body: html`${courses.length === 0 ? html`<p>${fill(text.none, language)}</p>` : courseList(courses)}
<p><a href="/learn">${fill(text.learn, language)}</a></p>
<p><a href="/courses">${fill(text.catalogue, language)}</a></p>
${backLink(language)}`,
  })
