import type { Static } from 'typebox'
import { accessesOf, accessView, type Explained, hiddenAccess, nameOfPair } from '#src/areas/access/index.ts'
import { courseViewsIn } from '#src/areas/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { type ShownCourse, shownCourses } from '../visibility.ts'
import { type EnrollmentRow, listContacts } from './queries.ts'
import type { Enrollment } from './schema.ts'

/** Where somebody looks at enrollments, and what they want embedded. */
export type Looking = {
  readonly db: Db
  readonly school: School
  readonly caller: Caller
  keyFor(purpose: string): Buffer
  expands?(relation: string): boolean
}

const pairOf = ({ member_id, course_id }: EnrollmentRow) => ({ memberId: member_id, itemId: course_id })

const plainView = (row: EnrollmentRow, explained: Explained, course: ShownCourse | undefined) => ({
  id: toId('enr', row.id),
  member_id: toId('mem', row.member_id),
  course_id: toId('crs', row.course_id),
  course_name: course?.name ?? '',
  source: row.source,
  access: accessView(explained),
  completed_at: row.completed_at?.toISOString() ?? null,
  percent_complete: row.percent_complete,
  current_lesson_id: row.current_lesson_id === null ? null : toId('les', row.current_lesson_id),
  last_activity_at: row.last_activity_at?.toISOString() ?? null,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type View = Static<typeof Enrollment>

/** To whom enrollments are shown: to those who look after the people, or to the person themself. */
export type Audience = 'staff' | 'self'

// What is in a course that is not shown to the person is none of their next lessons.
const hidden = (view: ReturnType<typeof plainView>) => ({
  ...view,
  access: hiddenAccess(view.access),
  current_lesson_id: null,
})

/** Enrollments with the access of each, all of a page at once, and what was asked to be embedded. */
export const enrollmentViews = async (
  looking: Looking,
  rows: readonly EnrollmentRow[],
  audience: Audience = 'staff',
): Promise<View[]> => {
  const { db, school } = looking
  const wants = (relation: string): boolean => looking.expands?.(relation) ?? false
  const courseIds = rows.map(row => row.course_id)
  const [accesses, known, contacts, courses] = await Promise.all([
    accessesOf(db, school.id, 'course', rows.map(pairOf)),
    shownCourses(looking, courseIds),
    wants('member')
      ? listContacts(
          db,
          school.id,
          rows.map(row => row.member_id),
        )
      : undefined,
    wants('course') ? courseViewsIn(looking, courseIds) : undefined,
  ])
  return rows.map(row => {
    const explained = accesses.get(nameOfPair(pairOf(row)))
    if (explained === undefined) throw new Error('every pair has an answer')
    const contact = contacts?.get(row.member_id)
    const course = courses?.get(toId('crs', row.course_id))
    const shown = known.get(row.course_id)
    const view = plainView(row, explained, shown)
    return {
      ...(audience === 'self' && shown?.isShown !== true ? hidden(view) : view),
      ...(contact === undefined ? {} : { member: { ...contact, id: toId('mem', contact.id) } }),
      ...(course === undefined ? {} : { course }),
    }
  })
}

/** One enrollment with its access. */
export const enrollmentView = async (looking: Looking, row: EnrollmentRow, audience?: Audience): Promise<View> => {
  const [view] = await enrollmentViews(looking, [row], audience)
  if (view === undefined) throw new Error('a row has a view')
  return view
}
