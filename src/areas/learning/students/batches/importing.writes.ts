import type { Touched } from '#src/areas/learning/access/index.ts'
import { nameOfPair } from '#src/areas/learning/access/index.ts'
import { enrolled, listEnrollmentIds } from '#src/areas/learning/enrollments/index.ts'
import { type BatchMember, createdUndo, invited, type MemberUndo } from '#src/areas/people/index.ts'
import { decodeRows, type FailedRow, hasStatus, isFailed } from '#src/contract/batch.ts'
import type { WriteContext } from '#src/contract/context.ts'
import { fillEach } from '#src/contract/language.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { texts } from '#src/texts/index.ts'
import {
  asLecturer,
  type EnrollmentDefaults,
  listTargets,
  type MemberLookup,
  type Plan,
  resolveTarget,
} from './rules.ts'
import { EnrollmentBatchRow, type Row } from './schema.ts'
import { addNewcomers, lockNamedMembers, perform, planAll, readRights } from './writes.ts'

/** What is the same for every row, and what is mailed. */
type EnrollmentImportOptions = EnrollmentDefaults & {
  /** Whether each enrolled person is notified by mail. */
  readonly notify: boolean
  /** Whether each new member is invited by mail. */
  readonly invites: boolean
}

/** What an import changed of one enrollment, as JSON. */
export type EnrollmentUndo = {
  readonly entitlementId: string
  readonly isCreated: boolean
  /** The end of an entitlement that existed, as it was and as the import stored it. */
  readonly before: string | null
  readonly after: string | null
}

/** The result of a row. The ids are shown to callers only if `isDisclosed`. */
export type EnrollmentOutcome = {
  readonly status: Plan['status']
  readonly enrollmentId?: string
  readonly memberId?: string
  /** Whether the caller may know who the member is. */
  readonly isDisclosed: boolean
  readonly errors?: readonly FieldError[]
  readonly undo?: EnrollmentUndo
  /** The member, in the first of their rows, if they were added. */
  readonly member?: MemberUndo
}

/** The rows of an import as JSON, read by the schema of a row; one that does not fit fails. */
export const decodeEnrollmentRows = (rows: readonly unknown[]): (Row | FailedRow)[] =>
  decodeRows(EnrollmentBatchRow, rows)

type Importing = Pick<WriteContext, 'db' | 'school' | 'caller' | 'now' | 'changed' | 'record'>

const imported = (created: number, updated: number, addedCount: number) => ({
  type: 'student.imported' as const,
  payload: { created, updated, member_count: addedCount },
  effects: { access: fillEach(texts.learning.students.batches.operations.imported, { created, updated }) },
})

const buildUndo = (plan: Plan, entitlements: ReadonlyMap<string, Touched>): { undo?: EnrollmentUndo } => {
  if (plan.status === 'updated') {
    const { entitlementId, endedAt, endsAt } = plan
    return { undo: { entitlementId, isCreated: false, before: instant(endedAt), after: instant(endsAt) } }
  }
  if (plan.status !== 'created') return {}
  const { member, courseId } = plan.target
  const entitlement = entitlements.get(nameOfPair({ memberId: member.id, itemId: courseId }))
  if (entitlement === undefined) return {}
  return { undo: { entitlementId: entitlement.id, isCreated: true, before: null, after: instant(entitlement.ends_at) } }
}

const buildOutcomes = async (
  { db, school }: Importing,
  plans: readonly Plan[],
  added: ReadonlyMap<string, BatchMember>,
  entitlements: readonly Touched[],
): Promise<EnrollmentOutcome[]> => {
  const pairs = listTargets(plans).map(({ member, courseId }) => ({ memberId: member.id, courseId }))
  const enrollmentIds = await listEnrollmentIds(db, school.id, pairs)
  const byPair = new Map(entitlements.map(one => [nameOfPair({ memberId: one.member_id, itemId: one.item_id }), one]))
  const seen = new Set<string>()
  return plans.map((plan): EnrollmentOutcome => {
    if (plan.status === 'failed') return { status: plan.status, errors: plan.errors, isDisclosed: false }
    const { member, courseId, isDisclosed } = plan.target
    const enrollmentId = enrollmentIds.get(nameOfPair({ memberId: member.id, itemId: courseId }))
    const newcomer = seen.has(member.id) ? undefined : added.get(member.id)
    seen.add(member.id)
    return {
      status: plan.status,
      memberId: member.id,
      isDisclosed,
      ...(enrollmentId === undefined ? {} : { enrollmentId }),
      ...buildUndo(plan, byPair),
      ...(newcomer === undefined ? {} : { member: createdUndo(newcomer) }),
    }
  })
}

/**
 * Enrolls the people of rows, each checked by itself, with the rights of the caller, who is staff or teaches; records what
 * changed as one entry. Returns the results of the rows in order.
 */
export const importEnrollments = async (
  importing: Importing,
  decoded: readonly (Row | FailedRow)[],
  { notify, invites, ...defaults }: EnrollmentImportOptions,
): Promise<EnrollmentOutcome[]> => {
  const { changed, record } = importing
  const context = { ...importing, defaults }
  const before = await lockNamedMembers(context, decoded)
  const rights = await readRights(context, decoded, before)
  const nameableMembers = (lookup: MemberLookup): MemberLookup =>
    rights.students === undefined ? lookup : asLecturer(lookup, rights.students)
  const added = await addNewcomers(context, decoded, nameableMembers(before), rights)
  const lookup = nameableMembers(added === undefined ? before : await lockNamedMembers(context, decoded))
  const newcomers = added ?? new Map<string, BatchMember>()
  const rows = decoded.map(row => (isFailed(row) ? row : resolveTarget(row, context, lookup, rights)))
  const plans = await planAll(context, rows)
  const outcomes = await buildOutcomes(importing, plans, newcomers, await perform(context, plans))
  const written = outcomes.filter(({ status }) => status === 'created' || status === 'updated')
  const ids = [
    ...[...newcomers.keys()].map(id => toId('mem', id)),
    ...written.flatMap(({ enrollmentId: id, isDisclosed }) =>
      id === undefined || !isDisclosed ? [] : [toId('enr', id)],
    ),
  ]
  if (ids.length > 0) {
    changed({ ids, fields: ['rows'] })
    const created = plans.filter(hasStatus('created')).length
    record(imported(created, written.length - created, newcomers.size))
  }
  if (invites) for (const id of newcomers.keys()) record(invited({ id }))
  if (notify)
    for (const { target } of plans.filter(hasStatus('created')))
      record(enrolled({ memberId: target.member.id, courseId: target.courseId, source: defaults.source }))
  return outcomes
}
