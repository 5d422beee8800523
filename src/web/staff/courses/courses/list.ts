import { CoursePage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, momentColumn, page, renderName } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { renderBinned } from '../../pages/binned.ts'
import { showList } from '../../pages/list-page.ts'
import type { CourseView } from './course.ts'
import { buildPath, renderCoursePage } from './frame.ts'
import { coursesText } from './text.ts'

const text = texts.staff.courses.listPage
const { heads } = texts.staff.lists

const { draft, scheduled, published, archived } = coursesText.statuses

const list = createList({
  path: '/staff/courses',
  operation: 'listCourses',
  returns: CoursePage,
  query: [['managed', 'true']],
  sort: '-created_at',
  // In the order in which the list offers them.
  filters: { q: 'search', status: { draft, scheduled, published, archived } },
  texts: {
    filters: { q: text.search, status: texts.words.status },
    all: texts.words.courses,
    none: text.none,
    empty: text.empty,
  },
})

const formatPrice = ({ primary_price: price }: CourseView, { t, money }: StaffContext): string => {
  if (price === null) return t(text.noPrice)
  return price.amount === 0 ? t(text.free) : money(price.amount, price.currency)
}

const buildColumns = (context: StaffContext): Column<CourseView>[] => {
  const { t, language } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: course => renderName(buildPath(course), course.name, course.subtitle),
    },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(coursesText.statuses[status]), status) },
    momentColumn(context, { name: heads.created, kind: 'date c-low', sort: '-created_at', at: one => one.created_at }),
    {
      name: texts.words.lessons,
      kind: 'num',
      isNamed: true,
      cell: ({ lesson_count: n }) => formatNumber(n, language),
    },
    {
      name: texts.words.students,
      kind: 'num',
      isNamed: true,
      cell: ({ id, enrollment_count: n }) =>
        html`<a href="/staff/enrollments?course_id=${id}">${formatNumber(n, language)}</a>`,
    },
    { name: texts.words.price, kind: 'num c-lead', cell: course => formatPrice(course, context) },
  ]
}

const showCourses = async (context: StaffContext): Promise<Reply> => {
  const { t } = context
  const shown = await list.read(context)
  return renderCoursePage(context, {
    title: t(coursesText.title),
    ...showList(context, list, shown, {
      columns: buildColumns(context),
      rows: shown.page.data,
      above: await renderBinned(context),
      action: html`<a class="button main" href="/staff/courses/new">${t(texts.words.createCourse)}</a>`,
    }),
  })
}

/** GET /staff/courses: the courses of the school for staff, and their own for lecturers. */
export const courseList = page('GET /staff/courses', courseTeachers, showCourses)
