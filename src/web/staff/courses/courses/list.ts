import { CoursePage } from '#src/areas/courses/index.ts'
import { endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { StaffSection } from '../../section.ts'
import { perform, type Visit } from '../../visit.ts'
import { type Filters, listPage, statuses } from './list-page.ts'
import { coursesText } from './text.ts'
import { visited } from './visit.ts'

const show = async (visit: Visit): Promise<Reply> => {
  const part = (name: string): string => (visit.query.get(name) ?? '').trim()
  const status: Filters['status'] = statuses.find(one => one === part('status')) ?? ''
  const filters = { q: part('q').slice(0, 200), status, cursor: part('cursor') }
  const query: Pairs = [
    ['managed', 'true'],
    ['sort', '-created_at'],
    ...Object.entries(filters).filter(([, value]) => value !== ''),
  ]
  const { data: courses, next_cursor: next } = await perform(visit, {
    operation: 'listCourses',
    query,
    returns: CoursePage,
  })
  return listPage(visit, { filters, courses, next })
}

/** GET /staff/courses: the courses of the school for staff, and their own for lecturers. */
export const courseList: StaffSection = {
  entries: [{ path: '/staff/courses', name: coursesText.title, about: coursesText.about, least: 'lecturer' }],
  endpoints: parts => [endpoint({ route: 'GET /staff/courses', handle: visited(parts, show) })],
}
