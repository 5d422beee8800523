import { type Access, membersWhoMayBe } from '#src/areas/access/index.ts'
import { type EnrollmentFilter, matching } from '#src/areas/enrollments/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { type List, textKey } from '#src/db/list.ts'
import { type FoundWords, isFound } from '#src/db/search.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'

/** A member as a learner. */
export type StudentRow = {
  readonly id: string
  readonly name: string
  readonly name_folded: string
  readonly email: string
  readonly status: 'invited' | 'active' | 'suspended' | 'deleted'
  readonly enrollment_count: number
  readonly completed_count: number
  readonly last_activity_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Which students a list has: by words, and by their enrollments. */
export type StudentFilter = {
  readonly q?: string | undefined
  /** The result of `q`, if it was already looked up. */
  readonly found?: FoundWords | undefined
  readonly enrolled: EnrollmentFilter
}

// Counts include only the enrollments that the caller may see.
const counted = (schoolId: string, { taughtBy }: EnrollmentFilter): Statement => sql`
  select count(*)::integer as enrollment_count, count(e.completed_at)::integer as completed_count,
    max(e.last_activity_at) as last_activity_at
  from enrollments e where ${matching(schoolId, { taughtBy })} and e.member_id = m.id`

const columns = sql`m.id, m.name, m.name_folded, m.email, m.status, n.enrollment_count, n.completed_count,
  n.last_activity_at, m.created_at, m.updated_at`

const SEPARATORS = '[\\s@._+\\-,;:()\'"/\\\\&*!|<>=#%?$\\[\\]{}~^`]+'

// The index has more of a member than a list of students shows; nobody is found by what is not shown.
const isShown = (q: string): Statement =>
  fold(q)
    .split(/[\s@._+\-,;:()'"/\\&*!|<>=#%?$[\]{}~^`]+/)
    .filter(word => word !== '')
    .slice(0, 10)
    .map(
      word => sql`strpos(regexp_replace(' ' || m.name_folded || ' ' || m.email_folded, ${SEPARATORS}, ' ', 'g'),
        ${` ${word.slice(0, 60)}`}) > 0`,
    )
    .reduce((left, right) => sql`${left} and ${right}`, sql`true`)

const hasWords = (q: string, found: FoundWords | undefined): Statement =>
  sql`${isFound({ kind: 'member', id: sql`m.id` }, q, found)} and ${isShown(q)}`

const isEnrolled = (schoolId: string, filter: EnrollmentFilter): Statement => sql`exists (
  select from enrollments e where ${matching(schoolId, filter)} and e.member_id = m.id)`

const mayBeIn = (state: Access['state'], schoolId: string): Statement => {
  const members = membersWhoMayBe(state, schoolId)
  return members === undefined ? sql`true` : sql`m.id in (${members})`
}

const matchesFilter = (schoolId: string, { q, found, enrolled: { state, ...enrolled } }: StudentFilter): Statement =>
  allOf(
    sql`m.school_id = ${schoolId} and m.status <> 'deleted'`,
    when(q, words => hasWords(words, found)),
    when(state, word => mayBeIn(word, schoolId)),
    isEnrolled(schoolId, enrolled),
  )

/** The students of a filter. */
export const studentList = (schoolId: string, filter: StudentFilter): List<StudentRow> => {
  const { enrolled } = filter
  const joins = sql`cross join lateral (${counted(schoolId, enrolled)}) n`
  const condition = isEnrolled(schoolId, enrolled)
  return {
    columns,
    from: sql`members m ${joins}`,
    where: matchesFilter(schoolId, filter),
    id: sql`m.id`,
    keys: { name: textKey(sql`m.name_folded`, row => row.name_folded) },
    hasClock: true,
    counted: { from: sql`members m`, where: matchesFilter(schoolId, filter) },
    ...(enrolled.state === undefined ? {} : { checked: { table: sql`members`, alias: sql`m`, joins, condition } }),
  }
}

/** One student with counts. */
export const getStudentRow = (db: Db, schoolId: string, id: string, enrolled: EnrollmentFilter): Promise<StudentRow> =>
  db.one(sql<StudentRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from members m cross join lateral (${counted(schoolId, enrolled)}) n
    where m.school_id = ${schoolId} and m.id = ${id}`)
