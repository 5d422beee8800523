import { changeEnds, entitleAll, nameOfPair, readAccesses, type Touched } from '#src/areas/learning/access/index.ts'
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
  type EnrollmentDefaults,
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
import type { Row } from './schema.ts'

/** Where a batch is enrolled. */
type Writing = AsCaller & { readonly now: Date; readonly defaults: EnrollmentDefaults }
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

/** Adds the new people of a batch, each once; those who were added by their ids, or undefined when there was none. */
export const addNewcomers = async (
  context: Writing,
  rows: Rows,
  lookup: MemberLookup,
  { courses, students }: Rights,
): Promise<ReadonlyMap<string, BatchMember> | undefined> => {
  const { db, school, now } = context
  const newcomers = new Map<string, BatchMember>()
  for (const row of rows) {
    if (isFailed(row) || !isNewcomer(row) || memberIn(row, lookup) !== undefined) continue
    const values = newValues(students === undefined ? newcomerValues(row) : { email: row.email, name: row.name })
    const key = foldEmail(row.email)
    if (errorsOfNewcomer(row, context, courses).length > 0 || newcomers.has(key)) continue
    newcomers.set(key, { id: newUuid(now.getTime()), values, tags: [] })
  }
  if (newcomers.size === 0) return undefined
  const added = await insertMany(db, school.id, [...newcomers.values()])
  return new Map([...newcomers.values()].filter(({ id }) => added.has(id)).map(one => [one.id, one]))
}

const buildPair = ({ member, courseId }: Target) => ({ memberId: member.id, itemId: courseId })

/** Decides what to do with each row. */
export const planAll = async (context: Writing, rows: readonly (Target | FailedRow)[]): Promise<Plan[]> => {
  const { db, school, now, defaults } = context
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
    return planRow(row, entitlements, { now: at, defaults })
  })
}

/** Writes the plans, and what lecturers may know about the members; returns the new entitlements. */
export const perform = async (context: Writing, plans: readonly Plan[]): Promise<readonly Touched[]> => {
  const { source } = context.defaults
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
  const { entitlements } = created.length > 0 ? await entitleAll(context, created) : { entitlements: [] }
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
  return entitlements
}
