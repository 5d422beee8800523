import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { buildOutcome, type FieldSet } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type Above, frameWithImages } from '../../pages/image-page.ts'
import type { CourseView } from './course.ts'
import { courseRefusals, coursesText as text } from './text.ts'

/** A page of the section of courses. */
type CoursePage = {
  readonly title: string
  /** The pages above this one, below the list of courses. */
  readonly above?: readonly Above[]
  readonly refusal?: Refusal | undefined
  /** The fields at which a refusal is shown. */
  readonly sets?: readonly Pick<FieldSet<object>, 'sentences'>[]
  readonly body: Html
}

/** The list of courses, as a link above a page. */
export const toCourses = ({ t }: StaffContext): Above => ({
  path: '/staff/courses',
  name: t(text.title),
})

/** The address of a course on these pages. */
export const buildPath = ({ id }: { readonly id: string }): string => `/staff/courses/${id}`

/** A wide page of the section of courses; images may come from the store of the files. */
export const renderCoursePage = (context: StaffContext, { refusal, sets = [], ...page }: CoursePage): Promise<Reply> =>
  frameWithImages(context, {
    ...page,
    ...buildOutcome(context, refusal, { sets, done: text.done, said: courseRefusals }),
  })

/** A status as a small label. */
export const badge = (name: string, kind: string): Html => html`<span class="badge ${kind}">${name}</span>`

type Tab = keyof typeof text.tabs

const tabPath = (tab: Tab, course: CourseView): string => `${buildPath(course)}${tab === 'outline' ? '' : `/${tab}`}`

/** The status of a course, the links to look at it, and those to its parts. */
export const courseHead = ({ t }: StaffContext, course: CourseView, current: Tab): Html => {
  const visitor = course.status === 'published' ? `/courses/${course.slug}` : `${buildPath(course)}/preview`
  return html`<p class="course-head">${badge(t(text.statuses[course.status]), course.status)}
<a href="${visitor}">${t(text.asVisitor)}</a>
<a href="/learn/${course.slug}">${t(text.asStudent)}</a></p>
<nav class="tabs" aria-label="${t(text.parts)}"><ul>
${(Object.keys(text.tabs) as Tab[]).map(tab => html`<li><a href="${tabPath(tab, course)}"${tab === current && html` aria-current="page"`}>${t(text.tabs[tab])}</a></li>\n`)}</ul></nav>
`
}

/** A part of a course, below its tabs; `{name}` of the title is the name of the course. */
export const renderCoursePart = (
  context: StaffContext,
  course: CourseView,
  { tab, title, ...page }: Omit<CoursePage, 'title' | 'above'> & { readonly tab: Tab; readonly title: Phrase },
): Promise<Reply> =>
  renderCoursePage(context, {
    ...page,
    title: context.t(title, { name: course.name }),
    above: [toCourses(context), { path: buildPath(course), name: course.name }],
    body: html`${courseHead(context, course, tab)}
${page.body}`,
  })
