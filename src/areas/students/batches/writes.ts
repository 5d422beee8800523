import type { Static } from 'typebox'
import { accessesOf, changeEnds, entitleAll, nameOfPair } from '#src/areas/access/index.ts'
import {
  concealEnrollments,
  coursesFor,
  discloseEnrollments,
  listStudentsOf,
  scopeOf,
} from '#src/areas/enrollments/index.ts'
import { type BatchMember, insertMany, lockMeant, newValues } from '#src/areas/members/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { newUuid } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import {
  courseIn,
  errorsOfNewcomer,
  failed,
  isNewcomer,
  isPlan,
  type KnownMembers,
  kindIs,
  knownOf,
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
export type Writing = AsCaller & { readonly now: Date; readonly body: Static<typeof EnrollmentBatch> }
type Rows = readonly (Row | Plan)[]

/** The members whom rows name, locked. */
export const lockKnown = async ({ db, school }: Writing, rows: Rows): Promise<KnownMembers> => {
  const { ids, externalIds, emails } = namesIn(rows)
  return knownOf(await lockMeant(db, school.id, externalIds, emails, ids))
}

/** What the caller may do: staff enroll anybody, a lecturer their students by id and others by address. */
export const rightsOf = async (context: Writing, rows: Rows, known: KnownMembers): Promise<Rights> => {
  const { db, school, caller } = context
  const ids = rows.flatMap(row => (isPlan(row) ? [] : (courseIn(row, context) ?? [])))
  const courses = new Set(await coursesFor(context, [...new Set(ids)]))
  if (isStaff(caller)) return { courses, students: undefined }
  return { courses, students: await listStudentsOf(db, school.id, [...known.byId.keys()], await scopeOf(context)) }
}

/** Adds the new people of a batch, each once; the ids of those added, or undefined when there was none. */
export const addNewcomers = async (
  context: Writing,
  rows: Rows,
  known: KnownMembers,
  { courses, students }: Rights,
): Promise<ReadonlySet<string> | undefined> => {
  const { db, school, now } = context
  const wanted = new Map<string, BatchMember>()
  for (const row of rows) {
    if (isPlan(row) || !isNewcomer(row) || memberIn(row, known) !== undefined) continue
    const values = newValues(students === undefined ? newcomerValues(row) : { email: row.email, name: row.name })
    const key = foldEmail(row.email)
    if (errorsOfNewcomer(row, context, courses).length > 0 || wanted.has(key)) continue
    wanted.set(key, { id: newUuid(now.getTime()), values, tags: [] })
  }
  return wanted.size === 0 ? undefined : insertMany(db, school.id, [...wanted.values()])
}

const pairOf = ({ member, courseId }: Target) => ({ memberId: member.id, itemId: courseId })

/** Decides what to do with each row. */
export const planAll = async (context: Writing, rows: readonly (Target | Plan)[]): Promise<Plan[]> => {
  const { db, school, now, body } = context
  const accesses = await accessesOf(
    db,
    school.id,
    'course',
    rows.flatMap(row => (isPlan(row) ? [] : [pairOf(row)])),
  )
  const seen = new Set<string>()
  return rows.map(row => {
    if (isPlan(row)) return row
    const name = nameOfPair(pairOf(row))
    if (seen.has(name)) return failed('', 'duplicate', 'means the same member and course as an earlier row')
    seen.add(name)
    const { entitlements = [], at = now } = accesses.get(name) ?? {}
    // By the clock, not by the instant of the transaction, to include what others gave while this one waited.
    return planRow(row, entitlements, { now: at, source: body.source ?? 'import' })
  })
}

/** Writes what was planned, and who may know of whom. */
export const perform = async (context: Writing, plans: readonly Plan[]): Promise<void> => {
  const source = context.body.source ?? 'import'
  await changeEnds(
    context,
    plans.filter(kindIs('updated')).map(({ entitlementId: id, endsAt }) => ({ id, endsAt })),
  )
  const created = plans.filter(kindIs('created')).map(({ target, span }) => ({
    memberId: target.member.id,
    named: { type: 'course', id: target.courseId } as const,
    source,
    ...span,
    reason: target.row.note,
  }))
  if (created.length > 0) await entitleAll(context, created)
  const { db, school } = context
  const targets = plans.flatMap(plan => (plan.kind === 'failed' ? [] : [plan.target]))
  const pairs = targets.map(({ member, courseId, row: { email = '' }, isKnown }) => ({
    memberId: member.id,
    courseId,
    email,
    isKnown,
  }))
  await concealEnrollments(
    db,
    school.id,
    pairs.filter(one => !one.isKnown),
  )
  await discloseEnrollments(
    db,
    school.id,
    pairs.filter(one => one.isKnown),
  )
}
