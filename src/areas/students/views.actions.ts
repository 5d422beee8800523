import type { Static } from 'typebox'
import { courseViewsIn } from '#src/areas/courses/index.ts'
import { accessesOf, type Explained, nameOfPair } from '#src/areas/entitlements/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { accessView } from './access/actions.ts'
import { type EnrollmentRow, listContacts } from './enrollments/queries.ts'
import type { Enrollment } from './enrollments/schema.ts'

/** Where somebody looks at enrollments, and what they want embedded. */
export type Looking = {
  readonly db: Db
  readonly school: School
  readonly caller: Caller
  keyFor(purpose: string): Buffer
  expands?(relation: string): boolean
}

const pairOf = ({ member_id, course_id }: EnrollmentRow) => ({ memberId: member_id, itemId: course_id })

const plainView = (row: EnrollmentRow, explained: Explained) => ({
  id: toId('enr', row.id),
  member_id: toId('mem', row.member_id),
  course_id: toId('crs', row.course_id),
  source: row.source,
  access: accessView(explained),
  completed_at: row.completed_at?.toISOString() ?? null,
  percent_complete: row.percent_complete,
  current_lesson_id: row.current_lesson_id === null ? null : toId('les', row.current_lesson_id),
  last_learned_at: row.last_learned_at?.toISOString() ?? null,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type View = Static<typeof Enrollment>

/** Enrollments with the access of each, all of a page at once, and what was asked to be embedded. */
export const enrollmentViews = async (looking: Looking, rows: readonly EnrollmentRow[]): Promise<View[]> => {
  const { db, school } = looking
  const wants = (relation: string): boolean => looking.expands?.(relation) ?? false
  const [accesses, contacts, courses] = await Promise.all([
    accessesOf(db, school.id, 'course', rows.map(pairOf)),
    wants('member')
      ? listContacts(
          db,
          school.id,
          rows.map(row => row.member_id),
        )
      : undefined,
    wants('course')
      ? courseViewsIn(
          looking,
          rows.map(row => row.course_id),
        )
      : undefined,
  ])
  return rows.map(row => {
    const explained = accesses.get(nameOfPair(pairOf(row)))
    if (explained === undefined) throw new Error('every pair has an answer')
    const contact = contacts?.get(row.member_id)
    const course = courses?.get(toId('crs', row.course_id))
    return {
      ...plainView(row, explained),
      ...(contact === undefined ? {} : { member: { ...contact, id: toId('mem', contact.id) } }),
      ...(course === undefined ? {} : { course }),
    }
  })
}

/** One enrollment with its access. */
export const enrollmentView = async (looking: Looking, row: EnrollmentRow): Promise<View> => {
  const [view] = await enrollmentViews(looking, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}
