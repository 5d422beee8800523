import { type FailedRow, failed, rowResult } from '#src/contract/batch.ts'
import type { Role } from '#src/contract/caller.ts'

/** The possible statuses of a row of a batch. */
export const rowStatuses = ['added', 'removed', 'unchanged', 'failed'] as const

/** What a batch requests for one member. */
export type RequestedRow = { readonly pointer: string; readonly action: 'add' | 'remove'; readonly ref: string }

/** The fields of a member that a batch needs. */
export type ResolvedMember = {
  readonly id: string
  readonly external_id: string | null
  readonly name: string
  readonly role: Role
}

/** A row with its member, undefined when there is no such member. */
export type ResolvedRow = RequestedRow & { readonly member: ResolvedMember | undefined }

/** The first row that contradicts an earlier one. */
export const contradictionIn = (rows: readonly ResolvedRow[]): ResolvedRow | undefined => {
  const added = new Set(rows.flatMap(({ action, member }) => (action === 'add' && member ? [member.id] : [])))
  return rows.find(({ action, member }) => action === 'remove' && member !== undefined && added.has(member.id))
}

const findFailure = ({ member }: ResolvedRow, callerRole: Role): FailedRow | undefined => {
  if (member === undefined) return failed('', 'unknown', 'is not a member of the school')
  if (member.role !== 'owner' || callerRole === 'owner') return undefined
  return failed('', 'owner', 'refers to an owner, whom only an owner can change')
}

/** A row of a batch with the reason why it fails, and whether an earlier row is the same. */
export type CheckedRow = ResolvedRow & { readonly failure: FailedRow | undefined; readonly isRepeated: boolean }

/** Checks the rows of a batch for a caller with this role. */
export const checkedRow = (rows: readonly ResolvedRow[], callerRole: Role): CheckedRow[] => {
  const seen = new Set<string>()
  return rows.map(row => {
    const isRepeated = row.member !== undefined && seen.has(row.member.id)
    if (row.member !== undefined) seen.add(row.member.id)
    return { ...row, failure: findFailure(row, callerRole), isRepeated }
  })
}

const STATUSES = { add: 'added', remove: 'removed' } as const

const computeStatus = ({ action, member, isRepeated }: CheckedRow, moved: ReadonlySet<string>) =>
  member !== undefined && !isRepeated && moved.has(member.id) ? STATUSES[action] : 'unchanged'

/** The result of a row, given the members that were added or removed. */
export const computeResult = (row: CheckedRow, moved: ReadonlySet<string>) => {
  const { pointer, member, failure } = row
  return rowResult(pointer, failure ?? { status: computeStatus(row, moved) }, { id: member?.id ?? null })
}

/** The result of one row of a batch. */
export type RowResult = ReturnType<typeof computeResult>

/** The members of the applicable rows of one action, by id. */
export const applicableMembers = (
  rows: readonly CheckedRow[],
  action: RequestedRow['action'],
): ReadonlyMap<string, ResolvedMember> =>
  new Map(
    rows.flatMap(row =>
      row.action === action && row.failure === undefined && row.member !== undefined
        ? [[row.member.id, row.member]]
        : [],
    ),
  )

/** Those of some members whose ids are given. */
export const listMembers = (members: ReadonlyMap<string, ResolvedMember>, ids: readonly string[]): ResolvedMember[] =>
  ids.flatMap(id => members.get(id) ?? [])
