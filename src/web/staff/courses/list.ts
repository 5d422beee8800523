import { CoursePage } from '#src/areas/courses/index.ts'
import { findLecturerOf } from '#src/areas/lecturers/index.ts'
import { endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { toId } from '#src/kit/ids.ts'
import type { StaffSection } from '../section.ts'
import { type Filters, listPage, statuses } from './list-page.ts'
import { coursesText } from './text.ts'
import { type Visit, visited } from './visit.ts'

// The profile of a lecturer, by which their own courses are found; staff see all courses.
const profileOf = async ({ request, session, isStaff }: Visit): Promise<string | undefined> => {
  if (isStaff) return undefined
  const { database, school } = request
  const profile = await database.statements(school.id, db => findLecturerOf(db, school.id, session.member.id))
  return profile === undefined ? 'none' : toId('lec', profile.id)
}

const show = async (visit: Visit): Promise<Reply> => {
  const { request, parts, person, isStaff } = visit
  const parameters = new URLSearchParams(request.query)
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  const status: Filters['status'] = statuses.find(one => one === part('status')) ?? ''
  const filters = { q: part('q').slice(0, 200), status, cursor: part('cursor') }
  const lecturer = await profileOf(visit)
  const query: Pairs = [
    ['sort', '-created_at'],
    ...(lecturer === undefined ? [] : [['lecturer_id', lecturer] as const]),
    ...Object.entries(filters).filter(([, value]) => value !== ''),
  ]
  const page =
    lecturer === 'none'
      ? { data: [], next_cursor: undefined }
      : await parts.performAs(person, { operation: 'listCourses', query, returns: CoursePage })
  const isNobody = !isStaff && lecturer === 'none'
  return listPage(visit, { filters, courses: page.data, next: page.next_cursor, isNobody })
}

/** GET /staff/courses: the courses of the school for staff, and their own for lecturers. */
export const courseList: StaffSection = {
  entries: [{ path: '/staff/courses', name: coursesText.title, about: coursesText.about, least: 'lecturer' }],
  endpoints: parts => [endpoint({ route: 'GET /staff/courses', handle: visited(parts, show) })],
}
