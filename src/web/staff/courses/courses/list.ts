import { CoursePage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { page } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { type Filters, listPage, statuses } from './list-page.ts'
import { coursesText } from './text.ts'

const show = async (context: StaffContext): Promise<Reply> => {
  const part = (name: string): string => (context.query.get(name) ?? '').trim()
  const status: Filters['status'] = statuses.find(one => one === part('status')) ?? ''
  const filters = { q: part('q').slice(0, 200), status, cursor: part('cursor') }
  const query: Pairs = [
    ['managed', 'true'],
    ['sort', '-created_at'],
    ...Object.entries(filters).filter(([, value]) => value !== ''),
  ]
  const { data: courses, next_cursor: next } = await context.call({
    operation: 'listCourses',
    query,
    returns: CoursePage,
  })
  return listPage(context, { filters, courses, next })
}

/** GET /staff/courses: the courses of the school for staff, and their own for lecturers. */
export const courseList: StaffSection = {
  entries: [{ path: '/staff/courses', name: coursesText.title, about: coursesText.about, least: 'lecturer' }],
  pages: [page('GET /staff/courses', courseTeachers, show)],
}
