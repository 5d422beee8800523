import type { Static } from 'typebox'
import type { EntitlementRow } from '#src/areas/access/index.ts'
import { covering, faultsOfSpan, isGiven, isOver, named, type Span, spanOf } from '#src/areas/enrollments/index.ts'
import { faultsOfMember, type MemberRow, newValues } from '#src/areas/members/index.ts'
import { checkOf, faults } from '#src/contract/check.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { fromId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { type EnrollmentBatch, EnrollmentBatchRow, type Row } from './schema.ts'

/** The member and the course of a row. */
export type Target = {
  readonly member: MemberRow
  readonly courseId: string
  readonly row: Row
  /** Whether whoever sent the row may know who the member is. */
  readonly isKnown: boolean
}

/** What to do with one row. */
export type Plan =
  | { readonly kind: 'failed'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'unchanged'; readonly target: Target }
  | { readonly kind: 'updated'; readonly target: Target; readonly entitlementId: string; readonly endsAt: Date | null }
  | { readonly kind: 'created'; readonly target: Target; readonly span: Span }

/** A row that fails. */
export const failed = (pointer: string, code: string, message: string): Plan => ({
  kind: 'failed',
  errors: [{ pointer, code, message }],
})

/** The rows that fit their schema, and the errors of the others. */
export const shapedRows = (rows: readonly unknown[]): (Row | Plan)[] =>
  rows.map(row =>
    checkOf(EnrollmentBatchRow).Check(row) ? (row as Row) : { kind: 'failed', errors: faults(EnrollmentBatchRow, row) },
  )

/** Whether a row was decided already. */
export const isPlan = (row: Row | Plan | Target): row is Plan => 'kind' in row

/** The ids, external ids and addresses in rows. */
export const namesIn = (rows: readonly (Row | Plan)[]) => {
  const shaped = rows.filter(row => !isPlan(row)) as Row[]
  return {
    ids: shaped.flatMap(row => (row.member_id === undefined ? [] : [fromId('mem', row.member_id) ?? ''])),
    externalIds: shaped.flatMap(row => row.external_id ?? []),
    emails: shaped.flatMap(row => (row.email === undefined ? [] : [foldEmail(row.email)])),
  }
}

/** Members by all that rows may name them by. */
export type KnownMembers = {
  readonly byId: ReadonlyMap<string, MemberRow>
  readonly byExternal: ReadonlyMap<string, MemberRow>
  readonly byEmail: ReadonlyMap<string, MemberRow>
}

/** Members by id, external id and address. */
export const knownOf = (members: readonly MemberRow[]): KnownMembers => ({
  byId: new Map(members.map(one => [one.id, one])),
  byExternal: new Map(members.flatMap(one => (one.external_id === null ? [] : [[one.external_id, one] as const]))),
  byEmail: new Map(members.map(one => [one.email_folded, one])),
})

/** The member of a row, if there is one: by id, else by external id, else by address. */
export const memberIn = (row: Row, { byId, byExternal, byEmail }: KnownMembers): MemberRow | undefined => {
  if (row.member_id !== undefined) return byId.get(fromId('mem', row.member_id) ?? '')
  const external = row.external_id === undefined ? undefined : byExternal.get(row.external_id)
  return external ?? (row.email === undefined ? undefined : byEmail.get(foldEmail(row.email)))
}

/** The members that a lecturer may name: students by id and external id, anybody by address. */
export const asLecturer = (
  { byId, byExternal, byEmail }: KnownMembers,
  students: ReadonlySet<string>,
): KnownMembers => ({
  byId: new Map([...byId].filter(([id]) => students.has(id))),
  byExternal: new Map([...byExternal].filter(([, { id }]) => students.has(id))),
  byEmail,
})

/** Whether a row is about somebody new, who can be invited. */
export const isNewcomer = (row: Row): row is Row & { email: string; name: string } =>
  row.member_id === undefined && row.email !== undefined && row.name !== undefined

/** Why a row names nobody. */
export const nobody = (row: Row): Plan => {
  if (row.member_id !== undefined) return failed('/member_id', 'unknown', 'is not a member you may enroll')
  if (row.email === undefined && row.external_id === undefined)
    return failed('', 'required', 'names nobody: member_id, external_id or email is needed')
  if (row.email === undefined) return failed('/external_id', 'unknown', 'is nobody, and there is no email')
  return failed('/name', 'required', 'is needed: nobody you look after has this external_id or address')
}

type BatchInput = { readonly body: Static<typeof EnrollmentBatch>; readonly now: Date }

/** The courses in which the caller may enroll, and the students they may name; undefined: everybody. */
export type Rights = { readonly courses: ReadonlySet<string>; readonly students: ReadonlySet<string> | undefined }

/** The course of a row, its own or that of the batch. */
export const courseIn = (row: Row, { body }: Pick<BatchInput, 'body'>): string | undefined =>
  fromId('crs', row.course_id ?? body.course_id ?? '')

/** The values of somebody new. */
export const newcomerValues = ({
  email,
  name,
  external_id,
}: Row & { readonly email: string; readonly name: string }) => ({
  email,
  name,
  ...(external_id === undefined ? {} : { external_id }),
})

const UNKNOWN_COURSE: FieldError = {
  pointer: '/course_id',
  code: 'unknown',
  message: 'is not a course you may enroll in',
}

/** The errors of a row about somebody new. */
export const errorsOfNewcomer = (
  row: Row & { readonly email: string; readonly name: string },
  context: BatchInput,
  courses: ReadonlySet<string>,
): FieldError[] => [
  ...faultsOfMember(newValues(newcomerValues(row))),
  ...(courses.has(courseIn(row, context) ?? '') ? [] : [UNKNOWN_COURSE]),
  ...faultsOfSpan(spanOf(row, context.now), context.now),
]

/** The member and the course of a row, or why it fails. */
export const targetOf = (
  row: Row,
  context: BatchInput,
  known: KnownMembers,
  { courses, students }: Rights,
): Target | Plan => {
  const member = memberIn(row, known)
  // Who is no student of the lecturer is treated as somebody new: a row that fails must not tell who has an account.
  if (member === undefined || students?.has(member.id) === false) {
    if (!isNewcomer(row)) return nobody(row)
    const errors = errorsOfNewcomer(row, context, courses)
    if (errors.length > 0) return { kind: 'failed', errors }
  }
  if (member === undefined) return nobody(row)
  const isKnown = students === undefined || students.has(member.id)
  // Nor does a lecturer learn that somebody was removed.
  if (member.status === 'deleted' && isKnown) return failed('', 'deleted', 'means a member who was removed')
  const courseId = courseIn(row, context)
  if (courseId === undefined) return failed('/course_id', 'required', 'is needed: neither row nor batch names a course')
  if (!courses.has(courseId)) return { kind: 'failed', errors: [UNKNOWN_COURSE] }
  return { member, courseId, row, isKnown }
}

const LAST = Number.POSITIVE_INFINITY
const endOf = ({ ends_at }: Pick<EntitlementRow, 'ends_at'>): number => ends_at?.getTime() ?? LAST

/** What a row asks for, beside the entitlements to the course that its member has. */
export const planRow = (
  target: Target,
  all: readonly EntitlementRow[],
  { now, source }: { readonly now: Date; readonly source: string },
): Plan => {
  const { row } = target
  const given = named(all).filter(isGiven)
  const living = given.filter(one => !isOver(one, now))
  const own = living.filter(one => one.source === source).at(-1)
  const span = spanOf(row, now)
  const wanted = span.endsAt?.getTime() ?? LAST
  if (own !== undefined && (row.ends_at === undefined || endOf(own) === wanted)) return { kind: 'unchanged', target }
  // A row that is sent again after its end has passed stays as it was.
  if (given.some(one => one.revoked_at === null && row.ends_at && endOf(one) === wanted))
    return { kind: 'unchanged', target }
  const errors = faultsOfSpan({ ...span, ...(own === undefined ? {} : { startsAt: own.starts_at }) }, now)
  if (errors.length > 0) return { kind: 'failed', errors }
  if (own !== undefined) return { kind: 'updated', target, entitlementId: own.id, endsAt: span.endsAt ?? null }
  if (covering(living, span, now) !== undefined) return { kind: 'unchanged', target }
  // A list that is sent again must not restore what staff revoked.
  if (living.length === 0 && given.at(-1)?.revoked_at)
    return failed('', 'revoked', 'was revoked; POST /enrollments gives access anew')
  return { kind: 'created', target, span }
}

/** Whether a plan is of a kind, as a type guard. */
export const kindIs =
  <Kind extends Plan['kind']>(kind: Kind) =>
  (plan: Plan): plan is Extract<Plan, { kind: Kind }> =>
    plan.kind === kind
