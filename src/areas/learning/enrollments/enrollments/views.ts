import type { Static } from 'typebox'
import { courseViewsIn } from '#src/areas/courses/index.ts'
import { accessView, type Explained, hiddenAccess, nameOfPair, readAccesses } from '#src/areas/learning/access/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { type VisibleCourse, visibleCourses } from '../lookups.ts'
import { type EnrollmentRow, listContacts } from './queries.ts'
import type { Enrollment } from './schema.ts'

type ViewContext = Pick<ReadContext<Caller>, 'db' | 'school' | 'caller' | 'keyFor' | 'expands'>

const buildPair = ({ member_id, course_id }: EnrollmentRow) => ({ memberId: member_id, itemId: course_id })

const plainView = (row: EnrollmentRow, explained: Explained, course: VisibleCourse | undefined) => ({
  id: row.id,
  member_id: row.member_id,
  course_id: row.course_id,
  course_name: course?.name ?? '',
  source: row.source,
  access: accessView(explained),
  completed_at: row.completed_at,
  percent_complete: row.percent_complete,
  current_lesson_id: row.current_lesson_id,
  last_activity_at: row.last_activity_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

type View = Static<typeof Enrollment>

/** Who sees the enrollments: those who look after the people, or the person themself. */
export type Audience = 'staff' | 'self'

// A course that is not shown to the person names no current lesson.
const hidden = (view: ReturnType<typeof plainView>) => ({
  ...view,
  access: hiddenAccess(view.access),
  current_lesson_id: null,
})

/** Enrollments with the access of each, all of a page at once unless it is known, and the relations to embed. */
export const enrollmentViews = async (
  context: ViewContext,
  rows: readonly EnrollmentRow[],
  audience: Audience = 'staff',
  preloaded?: ReadonlyMap<string, Explained>,
): Promise<View[]> => {
  const { db, school, expands } = context
  const courseIds = rows.map(row => row.course_id)
  const memberIds = rows.map(row => row.member_id)
  const [accesses, visible, contacts, courses] = await Promise.all([
    preloaded ?? readAccesses(db, school.id, 'course', rows.map(buildPair)),
    visibleCourses(context, courseIds),
    expands('member') ? listContacts(db, school.id, memberIds) : undefined,
    expands('course') ? courseViewsIn(context, courseIds) : undefined,
  ])
  return rows.map(row => {
    const explained = accesses.get(nameOfPair(buildPair(row)))
    if (explained === undefined) throw new Error('every pair has an access')
    const contact = contacts?.get(row.member_id)
    const course = courses?.get(row.course_id)
    const visibleCourse = visible.get(row.course_id)
    const view = plainView(row, explained, visibleCourse)
    return {
      ...(audience === 'self' && visibleCourse?.isVisible !== true ? hidden(view) : view),
      ...(contact === undefined ? {} : { member: { ...contact, id: contact.id } }),
      ...(course === undefined ? {} : { course }),
    }
  })
}

/** One enrollment with an access that was read already. */
export const enrollmentViewWith = async (
  context: ViewContext,
  row: EnrollmentRow,
  explained: Explained,
): Promise<View> => {
  const [view] = await enrollmentViews(context, [row], 'staff', new Map([[nameOfPair(buildPair(row)), explained]]))
  if (view === undefined) throw new Error('a row has a view')
  return view
}

/** One enrollment with its access, which is read. */
export const enrollmentView = async (context: ViewContext, row: EnrollmentRow, audience?: Audience): Promise<View> => {
  const [view] = await enrollmentViews(context, [row], audience)
  if (view === undefined) throw new Error('a row has a view')
  return view
}
