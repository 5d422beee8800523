import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { buildOutcome, type FieldSet } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type ConsoleView, linkTabs, type Parent, statusPill } from '../../console/frame.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import type { CourseView } from './course.ts'
import { courseRefusals, coursesText as text } from './text.ts'

/** A page of the section of courses. */
type CoursePage = Omit<ConsoleView, 'above' | 'notice'> & {
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
    ...page,
    parents: above,
    ...buildOutcome(context, refusal, { sets, done: text.done, said: courseRefusals }),
  })

/** A status as a small label. */
export const badge = statusPill

type Tab = keyof typeof text.tabs

const tabPath = (tab: Tab, course: CourseView): string => `${buildPath(course)}${tab === 'outline' ? '' : `/${tab}`}`

// What visitors and learners see of it.
const linkViews = ({ t }: StaffContext, course: CourseView): Html => {
  const visitor = course.status === 'published' ? `/courses/${course.slug}` : `${buildPath(course)}/preview`
  return html`<a class="button" href="${visitor}">${t(text.asVisitor)}</a>
<a class="button" href="/learn/${course.slug}">${t(text.asStudent)}</a>`
}

/** The status of a course, the links to look at it, and those to its parts. */
export const courseHead = (context: StaffContext, course: CourseView, current: Tab) => {
  const { t } = context
  return {
    badge: badge(t(text.statuses[course.status]), course.status),
    actions: linkViews(context, course),
    tabs: linkTabs(
      t(text.parts),
      tabPath(current, course),
      (Object.keys(text.tabs) as Tab[]).map(tab => ({ path: tabPath(tab, course), name: t(text.tabs[tab]) })),
    ),
  }
}

/** A part of a course, below its tabs; `{name}` of the title is the name of the course. */
export const renderCoursePart = (
  context: StaffContext,
  course: CourseView,
  { tab, title, ...page }: Omit<CoursePage, 'title' | 'above'> & { readonly tab: Tab; readonly title: Phrase },
): Promise<Reply> =>
  renderCoursePage(context, {
    ...courseHead(context, course, tab),
    ...page,
    title: context.t(title, { name: course.name }),
    above: [toCourses(context), { path: buildPath(course), name: course.name }],
  })
