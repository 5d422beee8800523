import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool } from '../header.ts'
import type { CategoryView, CourseView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { courseGrid } from './cards.ts'

/** What somebody looks for among the courses; an empty text filters nothing. */
export type CoursesFilter = {
  /** The slug of a category. */
  readonly category: string
  readonly cursor: string
}

type CoursesView = {
  readonly page: PageRequest
  readonly filter: CoursesFilter
  readonly categories: readonly CategoryView[]
  readonly category: CategoryView | undefined
  readonly courses: readonly CourseView[]
  readonly next: string | undefined
}

const { list: text } = siteText

const buildAddress = (filter: Partial<CoursesFilter>): string => {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  return query.size === 0 ? '/courses' : `/courses?${query}`
}

// The top of the tree, and within a category its siblings' children.
const renderChips = ({ page, categories, category, filter }: CoursesView): Html | false => {
  if (categories.length === 0) return false
  const { language } = page
  const chosen = category?.id
  const shown = categories.filter(
    ({ parent_id: parent }) =>
      parent === null || (chosen !== undefined && (parent === chosen || parent === category?.parent_id)),
  )
  const chip = (address: string, isChosen: boolean, name: Html | string): Html =>
    html`<li><a class="chip" href="${address}"${isChosen && html` aria-current="page"`}>${name}</a></li>\n`
  return html`<nav class="chips" aria-label="${fill(text.categories, language)}">
<ul>
${chip('/courses', filter.category === '', fill(text.all, language))}${shown.map(({ id, slug, name }) =>
  chip(buildAddress({ category: slug }), id === chosen, html`<span${inSchool(page)}>${name}</span>`),
)}</ul>
</nav>`
}

const renderPages = ({ page: { language }, filter, next }: CoursesView): Html | false => {
  if (next === undefined && filter.cursor === '') return false
  const { cursor, ...first } = filter
  return html`<p class="actions pages">${cursor !== '' && html`<a class="button" href="${buildAddress(first)}">${fill(text.first, language)}</a> `}${
    next !== undefined &&
    html`<a class="button" href="${buildAddress({ ...first, cursor: next })}">${fill(text.next, language)}</a>`
  }</p>`
}

const renderIntro = (view: CoursesView): Html => {
  const { page, category } = view
  const { school, language } = page
  if (category === undefined) return html`<p class="lead">${fill(text.intro, language, { school: school.name })}</p>`
  return html`${category.description !== '' && html`<p class="lead"${inSchool(page)}>${category.description}</p>`}`
}

/** The content of the list of courses. */
export const coursesMain = (view: CoursesView): Html => {
  const { page, category, courses } = view
  const { language } = page
  return html`<div class="band"><div class="wrap">
<h1>${category === undefined ? fill(text.title, language) : html`<span${inSchool(page)}>${category.name}</span>`}</h1>
${renderIntro(view)}
</div></div>
<div class="wrap section">
${renderChips(view)}
${courses.length === 0 ? html`<p class="nothing">${fill(text.none, language)}</p>` : courseGrid(courses, page, 2)}
${renderPages(view)}
</div>`
}
