import type { EntitlementRow } from '#src/areas/access/index.ts'
import { covering, faultsOfSpan, isGiven, isOver, named, type Span, spanOf } from '#src/areas/enrollments/index.ts'
import type { MemberRow } from '#src/areas/members/index.ts'
import { checkOf, faults } from '#src/contract/check.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { fromId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { EnrollmentBatchRow, type Row } from './schema.ts'

/** Whom and what a row means. */
export type Meant = {
  readonly member: MemberRow
  readonly courseId: string
  readonly row: Row
  /** Whether whoever sent the row may know who the member is. */
  readonly isKnown: boolean
}

/** What is to be done with one row. */
export type Plan =
  | { readonly kind: 'failed'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'unchanged'; readonly meant: Meant }
  | { readonly kind: 'updated'; readonly meant: Meant; readonly entitlementId: string; readonly endsAt: Date | null }
  | { readonly kind: 'created'; readonly meant: Meant; readonly span: Span }

/** A row that cannot be done. */
export const failed = (pointer: string, code: string, message: string): Plan => ({
  kind: 'failed',
  errors: [{ pointer, code, message }],
})

/** The rows that fit their shape, and what is wrong with the others. */
export const shapedRows = (rows: readonly unknown[]): (Row | Plan)[] =>
  rows.map(row =>
    checkOf(EnrollmentBatchRow).Check(row) ? (row as Row) : { kind: 'failed', errors: faults(EnrollmentBatchRow, row) },
  )

/** Whether a row was judged already. */
export const isPlan = (row: Row | Plan | Meant): row is Plan => 'kind' in row

/** What rows call the members they mean. */
export const namesIn = (rows: readonly (Row | Plan)[]) => {
  const said = rows.filter(row => !isPlan(row)) as Row[]
  return {
    ids: said.flatMap(row => (row.member_id === undefined ? [] : [fromId('mem', row.member_id) ?? ''])),
    externalIds: said.flatMap(row => row.external_id ?? []),
    emails: said.flatMap(row => (row.email === undefined ? [] : [foldEmail(row.email)])),
  }
}

/** Members by all that rows may call them. */
export type Known = {
  readonly byId: ReadonlyMap<string, MemberRow>
  readonly byExternal: ReadonlyMap<string, MemberRow>
  readonly byEmail: ReadonlyMap<string, MemberRow>
}

/** Members, to be found by what they are called. */
export const knownOf = (members: readonly MemberRow[]): Known => ({
  byId: new Map(members.map(one => [one.id, one])),
  byExternal: new Map(members.flatMap(one => (one.external_id === null ? [] : [[one.external_id, one] as const]))),
  byEmail: new Map(members.map(one => [one.email_folded, one])),
})

/** The member a row means, if there is one: by id, else by external id, else by address. */
export const memberIn = (row: Row, { byId, byExternal, byEmail }: Known): MemberRow | undefined => {
  if (row.member_id !== undefined) return byId.get(fromId('mem', row.member_id) ?? '')
  const external = row.external_id === undefined ? undefined : byExternal.get(row.external_id)
  return external ?? (row.email === undefined ? undefined : byEmail.get(foldEmail(row.email)))
}

/** The same as a lecturer may name them: by id and external id students alone, by address anybody. */
export const asLecturer = ({ byId, byExternal, byEmail }: Known, students: ReadonlySet<string>): Known => ({
  byId: new Map([...byId].filter(([id]) => students.has(id))),
  byExternal: new Map([...byExternal].filter(([, { id }]) => students.has(id))),
  byEmail,
})

/** Whether a row is about somebody new, who can be invited. */
export const isNewcomer = (row: Row): row is Row & { email: string; name: string } =>
  row.member_id === undefined && row.email !== undefined && row.name !== undefined

/** Why nobody is meant by a row. */
export const nobody = (row: Row): Plan => {
  if (row.member_id !== undefined) return failed('/member_id', 'unknown', 'is not a member you may enroll')
  if (row.email === undefined && row.external_id === undefined)
    return failed('', 'required', 'names nobody: member_id, external_id or email is needed')
  if (row.email === undefined) return failed('/external_id', 'unknown', 'is nobody, and there is no email')
  return failed('/name', 'required', 'is needed: nobody you look after has this external_id or address')
}

const LAST = Number.POSITIVE_INFINITY
const endOf = ({ ends_at }: Pick<EntitlementRow, 'ends_at'>): number => ends_at?.getTime() ?? LAST

/** What a row asks for, beside the entitlements to the course that its member has. */
export const planRow = (
  meant: Meant,
  all: readonly EntitlementRow[],
  { now, source }: { readonly now: Date; readonly source: string },
): Plan => {
  const { row } = meant
  const given = named(all).filter(isGiven)
  const living = given.filter(one => !isOver(one, now))
  const own = living.filter(one => one.source === source).at(-1)
  const span = spanOf(row, now)
  const wanted = span.endsAt?.getTime() ?? LAST
  if (own !== undefined && (row.ends_at === undefined || endOf(own) === wanted)) return { kind: 'unchanged', meant }
  // Sent again after it has run out, a row is as it was.
  if (given.some(one => one.revoked_at === null && row.ends_at && endOf(one) === wanted))
    return { kind: 'unchanged', meant }
  const errors = faultsOfSpan({ ...span, ...(own === undefined ? {} : { startsAt: own.starts_at }) }, now)
  if (errors.length > 0) return { kind: 'failed', errors }
  if (own !== undefined) return { kind: 'updated', meant, entitlementId: own.id, endsAt: span.endsAt ?? null }
  if (covering(living, span, now) !== undefined) return { kind: 'unchanged', meant }
  // A list that is sent again must not bring back what staff took away.
  if (living.length === 0 && given.at(-1)?.revoked_at)
    return failed('', 'revoked', 'was revoked; POST /enrollments gives access anew')
  return { kind: 'created', meant, span }
}
