import { CoursePage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { page } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { renderBinned } from '../../pages/binned.ts'
import { showStatusList } from '../../pages/status-list.ts'
import type { CourseView } from './course.ts'
import { badge, buildPath, renderCoursePage } from './frame.ts'
import { coursesText } from './text.ts'

const text = texts.staff.courses.listPage

const { draft, scheduled, published, archived } = coursesText.statuses

const list = {
  path: '/staff/courses',
  operation: 'listCourses',
  returns: CoursePage,
  sort: '-created_at',
  // In the order in which the list offers them.
  statuses: { draft, scheduled, published, archived },
  texts: { ...text, create: texts.words.createCourse, statusList: text.statuses },
}

const formatPrice = ({ primary_price: price }: CourseView, { t, money }: StaffContext): string => {
  if (price === null) return t(text.noPrice)
  return price.amount === 0 ? t(text.free) : money(price.amount, price.currency)
}

const item = (course: CourseView, context: StaffContext): Html => {
  const { t } = context
  const { name, status, lesson_count, enrollment_count } = course
  const facts = [
    t(text.lessons, { n: lesson_count }),
    t(text.students, { n: enrollment_count }),
    formatPrice(course, context),
  ]
  return html`<li><a href="${buildPath(course)}"><bdi>${name}</bdi></a><span class="quiet">${badge(t(coursesText.statuses[status]), status)} ${facts.join(' · ')}</span></li>
`
}

const showList = async (context: StaffContext): Promise<Reply> =>
  renderCoursePage(context, {
    title: context.t(coursesText.title),
    body: html`${await renderBinned(context)}
${await showStatusList(context, list, ({ data }) => data.map(course => item(course, context)))}`,
  })

/** GET /staff/courses: the courses of the school for staff, and their own for lecturers. */
export const courseList = page('GET /staff/courses', courseTeachers, showList)
