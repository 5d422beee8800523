import type { Static } from 'typebox'
import { changeEnds, entitleAll, nameOfPair, readAccesses } from '#src/areas/learning/access/index.ts'
import {
  concealEnrollments,
  coursesFor,
  discloseEnrollments,
  listStudentsAmong,
  readScope,
} from '#src/areas/learning/enrollments/index.ts'
import { type BatchMember, insertMany, lockMatchingMembers, newValues } from '#src/areas/people/index.ts'
import { type FailedRow, failed, hasStatus, isFailed, rowPointer } from '#src/contract/batch.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { newUuid } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import {
  buildLookup,
  courseIn,
  errorsOfNewcomer,
  isNewcomer,
  listTargets,
  type MemberLookup,
  memberIn,
  namesIn,
  newcomerValues,
  type Plan,
  planRow,
  type Rights,
  type Target,
} from './rules.ts'
import type { EnrollmentBatch, Row } from './schema.ts'

/** Where a batch is enrolled. */
type Writing = AsCaller & { readonly now: Date; readonly body: Static<typeof EnrollmentBatch> }
type Rows = readonly (Row | FailedRow)[]

/** The members whom rows name, locked. */
export const lockNamedMembers = async ({ db, school }: Writing, rows: Rows): Promise<MemberLookup> => {
  const { ids, externalIds, emails } = namesIn(rows)
  return buildLookup(await lockMatchingMembers(db, school.id, externalIds, emails, ids))
}

/** What the caller may do: staff enroll anybody, a lecturer their students by id and others by address. */
export const readRights = async (context: Writing, rows: Rows, lookup: MemberLookup): Promise<Rights> => {
  const { db, school, caller } = context
  const ids = rows.flatMap(row => (isFailed(row) ? [] : (courseIn(row, context) ?? [])))
  const courses = new Set(await coursesFor(context, [...new Set(ids)]))
  if (isStaff(caller)) return { courses, students: undefined }
  return {
    courses,
    students: await listStudentsAmong(db, school.id, [...lookup.byId.keys()], await readScope(context)),
  }
}

/** Adds the new people of a batch, each once; the ids of those added, or undefined when there was none. */
export const addNewcomers = async (
  context: Writing,
  rows: Rows,
  lookup: MemberLookup,
  { courses, students }: Rights,
): Promise<ReadonlySet<string> | undefined> => {
  const { db, school, now } = context
  const newcomers = new Map<string, BatchMember>()
  for (const row of rows) {
    if (isFailed(row) || !isNewcomer(row) || memberIn(row, lookup) !== undefined) continue
    const values = newValues(students === undefined ? newcomerValues(row) : { email: row.email, name: row.name })
    const key = foldEmail(row.email)
    if (errorsOfNewcomer(row, context, courses).length > 0 || newcomers.has(key)) continue
    newcomers.set(key, { id: newUuid(now.getTime()), values, tags: [] })
  }
  return newcomers.size === 0 ? undefined : insertMany(db, school.id, [...newcomers.values()])
}

const buildPair = ({ member, courseId }: Target) => ({ memberId: member.id, itemId: courseId })

/** Decides what to do with each row. */
export const planAll = async (context: Writing, rows: readonly (Target | FailedRow)[]): Promise<Plan[]> => {
  const { db, school, now, body } = context
  const accesses = await readAccesses(
    db,
    school.id,
    'course',
    rows.flatMap(row => (isFailed(row) ? [] : [buildPair(row)])),
  )
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    if (isFailed(row)) return row
    const name = nameOfPair(buildPair(row))
    const first = seen.get(name)
    if (first !== undefined)
      return failed('', 'duplicate', `refers to the same member and course as ${rowPointer('rows', first)}`)
    seen.set(name, index)
    const { entitlements = [], at = now } = accesses.get(name) ?? {}
    // By the clock, not by the instant of the transaction, to include what others gave while this one waited.
    return planRow(row, entitlements, { now: at, source: body.source ?? 'import' })
  })
}

/** Writes the plans, and what lecturers may know about the members. */
export const perform = async (context: Writing, plans: readonly Plan[]): Promise<void> => {
  const source = context.body.source ?? 'import'
  await changeEnds(
    context,
    plans.filter(hasStatus('updated')).map(({ entitlementId: id, endsAt }) => ({ id, endsAt })),
  )
  const created = plans.filter(hasStatus('created')).map(({ target, span }) => ({
    memberId: target.member.id,
    named: { type: 'course', id: target.courseId } as const,
    source,
    ...span,
    reason: target.row.note,
  }))
  if (created.length > 0) await entitleAll(context, created)
  const { db, school } = context
  const pairs = listTargets(plans).map(({ member, courseId, row: { email = '' }, isDisclosed }) => ({
    memberId: member.id,
    courseId,
    email,
    isDisclosed,
  }))
  await concealEnrollments(
    db,
    school.id,
    pairs.filter(one => !one.isDisclosed),
  )
  await discloseEnrollments(
    db,
    school.id,
    pairs.filter(one => one.isDisclosed),
  )
}
