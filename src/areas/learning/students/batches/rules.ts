import type { EntitlementRow, Source } from '#src/areas/learning/access/index.ts'
import {
  covering,
  errorsOfSpan,
  isGrantedByStaff,
  isOver,
  named,
  readSpan,
  type Span,
} from '#src/areas/learning/enrollments/index.ts'
import { errorsOfMember, type MemberRow, newValues } from '#src/areas/people/index.ts'
import { type FailedRow, failed, isFailed } from '#src/contract/batch.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { Row } from './schema.ts'

/** The member and the course of a row. */
export type Target = {
  readonly member: MemberRow
  readonly courseId: string
  readonly row: Row
  /** Whether whoever sent the row may know who the member is. */
  readonly isDisclosed: boolean
}

/** What to do with one row. */
export type Plan =
  | FailedRow
  | { readonly status: 'unchanged'; readonly target: Target }
  | {
      readonly status: 'updated'
      readonly target: Target
      readonly entitlementId: string
      readonly endsAt: Date | null
      /** The end before. */
      readonly endedAt: Date | null
    }
  | { readonly status: 'created'; readonly target: Target; readonly span: Span }

/** The members and courses of the rows that did not fail. */
export const listTargets = (plans: readonly Plan[]): Target[] =>
  plans.flatMap(plan => (plan.status === 'failed' ? [] : [plan.target]))

/** The ids, external ids and addresses in rows. */
export const namesIn = (rows: readonly (Row | FailedRow)[]) => {
  const decoded = rows.flatMap(row => (isFailed(row) ? [] : [row]))
  return {
    ids: decoded.flatMap(row => (row.member_id === undefined ? [] : [row.member_id])),
    externalIds: decoded.flatMap(row => row.external_id ?? []),
    emails: decoded.flatMap(row => (row.email === undefined ? [] : [foldEmail(row.email)])),
  }
}

/** Members by all that rows may name them by. */
export type MemberLookup = {
  readonly byId: ReadonlyMap<string, MemberRow>
  readonly byExternal: ReadonlyMap<string, MemberRow>
  readonly byEmail: ReadonlyMap<string, MemberRow>
}

/** Members by id, external id and address. */
export const buildLookup = (members: readonly MemberRow[]): MemberLookup => ({
  byId: new Map(members.map(one => [one.id, one])),
  byExternal: new Map(members.flatMap(one => (one.external_id === null ? [] : [[one.external_id, one] as const]))),
  byEmail: new Map(members.map(one => [one.email_folded, one])),
})

/** The member of a row, if there is one: by id, else by external id, else by address. */
export const memberIn = (row: Row, { byId, byExternal, byEmail }: MemberLookup): MemberRow | undefined => {
  if (row.member_id !== undefined) return byId.get(row.member_id)
  const external = row.external_id === undefined ? undefined : byExternal.get(row.external_id)
  return external ?? (row.email === undefined ? undefined : byEmail.get(foldEmail(row.email)))
}

/** The members that a lecturer may name: students by id and external id, anybody by address. */
export const asLecturer = (
  { byId, byExternal, byEmail }: MemberLookup,
  students: ReadonlySet<string>,
): MemberLookup => ({
  byId: new Map([...byId].filter(([id]) => students.has(id))),
  byExternal: new Map([...byExternal].filter(([, { id }]) => students.has(id))),
  byEmail,
})

/** Whether a row is about somebody new, who can be invited. */
export const isNewcomer = (row: Row): row is Row & { email: string; name: string } =>
  row.member_id === undefined && row.email !== undefined && row.name !== undefined

/** Why a row names nobody. */
const nobody = (row: Row): FailedRow => {
  if (row.member_id !== undefined) return failed('/member_id', 'unknown', 'is not a member you may enroll')
  if (row.email === undefined && row.external_id === undefined)
    return failed('', 'required', 'names nobody: member_id, external_id or email is required')
  if (row.email === undefined) return failed('/external_id', 'unknown', 'is unknown, and there is no email')
  return failed('/name', 'required', 'is required: none of your students has this external_id or address')
}

/** What is the same for every row. */
export type EnrollmentDefaults = {
  /** The course of the rows that name none. */
  readonly courseId?: string | undefined
  readonly source: Source
  /** Whether a start in the past is stored, as an import of what was learned elsewhere needs it; else it counts as now. */
  readonly keepsStart?: boolean
}

type Planning = { readonly defaults: EnrollmentDefaults; readonly now: Date }

/** The courses in which the caller may enroll, and the students they may name; undefined: everybody. */
export type Rights = { readonly courses: ReadonlySet<string>; readonly students: ReadonlySet<string> | undefined }

/** The course of a row, its own or that of the batch. */
export const courseIn = (row: Row, { defaults }: Pick<Planning, 'defaults'>): string | undefined =>
  row.course_id ?? defaults.courseId

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

const readRowSpan = (row: Row, { defaults, now }: Planning): Span => {
  const isKept = defaults.keepsStart === true && row.starts_at != null
  return { ...readSpan(row, now), ...(isKept ? { startsAt: row.starts_at ?? undefined } : {}) }
}

/** The errors of a row about somebody new. */
export const errorsOfNewcomer = (
  row: Row & { readonly email: string; readonly name: string },
  context: Planning,
  courses: ReadonlySet<string>,
): FieldError[] => [
  ...errorsOfMember(newValues(newcomerValues(row)), context.now),
  ...(courses.has(courseIn(row, context) ?? '') ? [] : [UNKNOWN_COURSE]),
  ...errorsOfSpan(readRowSpan(row, context), context.now),
]

/** The member and the course of a row, or why it fails. */
export const resolveTarget = (
  row: Row,
  context: Planning,
  lookup: MemberLookup,
  { courses, students }: Rights,
): Target | FailedRow => {
  const member = memberIn(row, lookup)
  // A member who is not a student of the lecturer is treated like a new person: a failed row must not reveal who has an
  // account.
  if (member === undefined || students?.has(member.id) === false) {
    if (!isNewcomer(row)) return nobody(row)
    const errors = errorsOfNewcomer(row, context, courses)
    if (errors.length > 0) return { status: 'failed', errors }
  }
  if (member === undefined) return nobody(row)
  const isDisclosed = students === undefined || students.has(member.id)
  // Nor may a lecturer learn that a member was removed.
  if (member.status === 'deleted' && isDisclosed)
    return failed('', 'deleted', 'refers to a member who was removed; invite them with PUT /members/{id}/invitation')
  const courseId = courseIn(row, context)
  if (courseId === undefined)
    return failed('/course_id', 'required', 'is required: neither row nor batch names a course')
  if (!courses.has(courseId)) return { status: 'failed', errors: [UNKNOWN_COURSE] }
  return { member, courseId, row, isDisclosed }
}

const LAST = Number.POSITIVE_INFINITY
const computeEnd = ({ ends_at }: Pick<EntitlementRow, 'ends_at'>): number => ends_at?.getTime() ?? LAST

/** What a row asks for, beside the entitlements to the course that its member has. */
export const planRow = (target: Target, all: readonly EntitlementRow[], context: Planning): Plan => {
  const { row } = target
  const { now, defaults } = context
  const granted = named(all).filter(isGrantedByStaff)
  const living = granted.filter(one => !isOver(one, now))
  const own = living.filter(one => one.source === defaults.source).at(-1)
  const span = readRowSpan(row, context)
  const requestedEnd = span.endsAt?.getTime() ?? LAST
  if (own !== undefined && (row.ends_at === undefined || computeEnd(own) === requestedEnd))
    return { status: 'unchanged', target }
  // A row that is sent again after its end has passed stays as it was.
  if (granted.some(one => one.revoked_at === null && row.ends_at && computeEnd(one) === requestedEnd))
    return { status: 'unchanged', target }
  const errors = errorsOfSpan({ ...span, ...(own === undefined ? {} : { startsAt: own.starts_at }) }, now)
  if (errors.length > 0) return { status: 'failed', errors }
  if (own !== undefined)
    return { status: 'updated', target, entitlementId: own.id, endsAt: span.endsAt ?? null, endedAt: own.ends_at }
  if (covering(living, span, now) !== undefined) return { status: 'unchanged', target }
  // A list that is sent again must not restore what staff revoked; after an undo it is imported again.
  const last = granted.at(-1)
  if (living.length === 0 && last?.revoked_at && last.revoked_by !== 'undo')
    return failed('', 'revoked', 'was revoked; give access again with POST /enrollments')
  return { status: 'created', target, span }
}
