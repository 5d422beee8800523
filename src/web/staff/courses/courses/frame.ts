import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { buildOutcome, type FieldSet } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type ConsoleView, linkTabs, type Parent, statusPill } from '../../console/frame.ts'
import { renderBinned } from '../../pages/binned.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import type { CourseView } from './course.ts'
import { courseRefusals, coursesText as text } from './text.ts'

/** A page of the section of courses. */
type CoursePage = Omit<ConsoleView, 'above' | 'parents'> & {
  /** The pages above this one, below the list of courses. */
  readonly above?: readonly Parent[]
  readonly refusal?: Refusal | undefined
  /** The fields at which a refusal is shown. */
  readonly sets?: readonly Pick<FieldSet<object>, 'sentences'>[]
}

/** The list of courses, as a link above a page. */
export const toCourses = ({ t }: StaffContext): Parent => ({
  path: '/staff/courses',
  name: t(text.title),
})

/** The address of a course on these pages. */
export const buildPath = ({ id }: { readonly id: string }): string => `/staff/courses/${id}`

/** A wide page of the section of courses; images may come from the store of the files. */
export const renderCoursePage = (
  context: StaffContext,
  { refusal, sets = [], above, ...page }: CoursePage,
): Promise<Reply> =>
  frameWithImages(context, {
    parents: above,
    ...buildOutcome(context, refusal, { sets, done: text.done, said: courseRefusals }),
    ...page,
  })

/** A status as a small label. */
export const badge = statusPill

/** The status of a course. */
export const renderStatus = ({ t }: StaffContext, { status }: CourseView): Html =>
  badge(t(text.statuses[status]), status)

type Tab = keyof typeof text.tabs

const tabPath = (tab: Tab, { id }: CourseView): string => {
  if (tab === 'students') return `/staff/students?course_id=${id}`
  return `/staff/courses/${id}${tab === 'outline' ? '' : `/${tab}`}`
}

/** The parts of a course as links; `current` is unset on a page that is none of them. */
const renderTabs = ({ t }: StaffContext, course: CourseView, current?: Tab): Html =>
  linkTabs(
    t(text.parts),
    current === undefined ? '' : tabPath(current, course),
    (Object.keys(text.tabs) as Tab[]).map(tab => ({
      path: tabPath(tab, course),
      name: t(text.tabs[tab]),
      ...(tab === 'students' ? { count: course.enrollment_count } : {}),
    })),
  )

/** Links to look at a course as those do for whom it is made. */
export const renderViews = ({ t }: StaffContext, course: CourseView): Html => {
  const visitor = course.status === 'published' ? `/courses/${course.slug}` : `${buildPath(course)}/preview`
  return html`<a class="button" href="${visitor}">${t(text.asVisitor)}</a>
<a class="button" href="/learn/${course.slug}">${t(text.asStudent)}</a>`
}

/** A part of a course, with its tabs; `{name}` of the title is the name of the course. */
export const renderCoursePart = (
  context: StaffContext,
  course: CourseView,
  { tab, title, ...page }: Omit<CoursePage, 'title' | 'above'> & { readonly tab?: Tab; readonly title: Phrase },
): Promise<Reply> =>
  renderCoursePage(context, {
    ...page,
    title: context.t(title, { name: course.name }),
    above: [toCourses(context), { path: buildPath(course), name: course.name }],
    badge: renderStatus(context, course),
    actions: renderViews(context, course),
    tabs: renderTabs(context, course, tab),
  })

/** The editor of a course: the outline, what is open beside it, and one bar at the bottom. */
export const renderStudio = async (
  context: StaffContext,
  course: CourseView,
  page: Omit<CoursePage, 'above' | 'tabs' | 'isStudio' | 'scripts'>,
): Promise<Reply> => {
  const binned = await renderBinned(context)
  return renderCoursePage(context, {
    ...page,
    above: [toCourses(context), { path: buildPath(course), name: course.name }],
    tabs: renderTabs(context, course, 'outline'),
    isStudio: true,
    moreStyles: ['studio'],
    scripts: ['outline'],
    body: html`${binned !== false && html`<div class="said">${binned}</div>\n`}${page.body}`,
  })
}
