import { candidatesFor } from '#src/areas/learning/access/index.ts'
import { type EnrollmentFilter, matching } from '#src/areas/learning/enrollments/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { type List, textKey } from '#src/db/list.ts'
import { type FoundWords, isFound } from '#src/db/search.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
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

// Counts include only the enrollments that the caller may see. They are read for the rows of a page, after these are found.
const ofStudent = (schoolId: string, { taughtBy }: EnrollmentFilter, value: Statement): Statement => sql`
  (select ${value} from enrollments e where ${matching(schoolId, { taughtBy })} and e.member_id = m.id)`

const columnsIn = (schoolId: string, filter: EnrollmentFilter): Statement => sql`
  m.id, m.name, m.name_folded, m.email, m.status, m.created_at, m.updated_at,
  ${ofStudent(schoolId, filter, sql`count(*)::integer`)} as enrollment_count,
  ${ofStudent(schoolId, filter, sql`count(e.completed_at)::integer`)} as completed_count,
  ${ofStudent(schoolId, filter, sql`max(e.last_activity_at)`)} as last_activity_at`

// The index has more of a member than a list of students shows; nobody is found by what is not shown.
const isShown = (q: string): Statement =>
  sql`stoa.has_words(m.name_folded || ' ' || m.email_folded || ' ' || stoa.fold_roughly(m.email), (select stoa.searched_parts(${fold(q)})))`

const MEMBER = { kind: 'member', id: sql`m.id` } as const

const hasWords = (q: string, found: FoundWords | undefined): Statement =>
  sql`${isFound(MEMBER, q, found)} and ${isShown(q)}`

const isEnrolled = (schoolId: string, filter: EnrollmentFilter): Statement => sql`exists (
  select from enrollments e where ${matching(schoolId, filter)} and e.member_id = m.id)`

const isStudent = (schoolId: string, { state, ...enrolled }: EnrollmentFilter): Statement =>
  sql`m.school_id = ${schoolId} and m.status <> 'deleted' and ${isEnrolled(schoolId, enrolled)}`

// The state of access, and words that find most, are looked for in the order of the list.
const buildConditions = (schoolId: string, { q, found, enrolled }: StudentFilter) => {
  const where = isStudent(schoolId, enrolled)
  const words = when(q, text => hasWords(text, found))
  const state = when(enrolled.state, () => isEnrolled(schoolId, enrolled))
  if (found !== 'most' && state === undefined) return { where: joinConditions(where, words) }
  const [indexed, inOrder] = found === 'most' ? [undefined, words] : [words, undefined]
  return {
    where: joinConditions(where, indexed),
    checked: {
      table: sql`members`,
      alias: sql`m`,
      condition: joinConditions(sql`true`, inOrder, state),
      candidates: candidatesFor(enrolled.state, schoolId, sql`m.id`),
    },
    counted: {
      where: joinConditions(
        where,
        when(q, text => hasWords(text, undefined)),
        state,
      ),
    },
  }
}

/** The students of a filter. */
export const studentList = (schoolId: string, filter: StudentFilter): List<StudentRow> => ({
  columns: columnsIn(schoolId, filter.enrolled),
  from: sql`members m`,
  ...buildConditions(schoolId, filter),
  id: sql`m.id`,
  keys: { name: textKey(sql`m.name_folded`, row => row.name_folded) },
  hasClock: true,
})

/** One student with counts. */
export const getStudentRow = (db: Db, schoolId: string, id: string, enrolled: EnrollmentFilter) =>
  db.one(sql<StudentRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columnsIn(schoolId, enrolled)} from members m
    where m.school_id = ${schoolId} and m.id = ${id}`)
