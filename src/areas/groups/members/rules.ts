import type { Role } from '#src/contract/caller.ts'

/** How many members one batch can name. */
export const MAX_ROWS = 1000

/** What can become of a member of a batch. */
export const results = ['added', 'removed', 'unchanged', 'failed'] as const

/** What a batch requests for one member. */
export type RequestedRow = { readonly pointer: string; readonly wish: 'add' | 'remove'; readonly ref: string }

/** A member as far as a batch must know them. */
export type KnownMember = {
  readonly id: string
  readonly external_id: string | null
  readonly name: string
  readonly role: Role
}

/** What became of one member of a batch. */
export type RowResult = {
  readonly pointer: string
  readonly status: (typeof results)[number]
  readonly id: string | null
  readonly code?: 'unknown' | 'owner'
}

/** A row with the member it means; none when there is no such member. */
export type ResolvedRow = RequestedRow & { readonly member: KnownMember | undefined }

/** The first row that wishes the opposite of an earlier one. */
export const contradictionIn = (rows: readonly ResolvedRow[]): ResolvedRow | undefined => {
  const added = new Set(rows.flatMap(({ wish, member }) => (wish === 'add' && member ? [member.id] : [])))
  return rows.find(({ wish, member }) => wish === 'remove' && member !== undefined && added.has(member.id))
}

const whyNot = ({ member }: ResolvedRow, callerRole: Role): RowResult['code'] => {
  if (member === undefined) return 'unknown'
  return member.role === 'owner' && callerRole !== 'owner' ? 'owner' : undefined
}

/** A row of a batch with why it cannot be done, and whether an earlier one says the same. */
export type CheckedRow = ResolvedRow & { readonly code: RowResult['code']; readonly isRepeated: boolean }

/** The rows of a batch with why this role may not apply them. */
export const checkedRow = (rows: readonly ResolvedRow[], callerRole: Role): CheckedRow[] => {
  const seen = new Set<string>()
  return rows.map(row => {
    const isRepeated = row.member !== undefined && seen.has(row.member.id)
    if (row.member !== undefined) seen.add(row.member.id)
    return { ...row, code: whyNot(row, callerRole), isRepeated }
  })
}

const DONE = { add: 'added', remove: 'removed' } as const

/** What became of a row, when these members came or went. */
export const resultOf = (
  { pointer, wish, member, code, isRepeated }: CheckedRow,
  moved: ReadonlySet<string>,
): RowResult => {
  const id = member?.id ?? null
  if (code !== undefined) return { pointer, status: 'failed', id, code }
  const hasMoved = member !== undefined && !isRepeated && moved.has(member.id)
  return { pointer, status: hasMoved ? DONE[wish] : 'unchanged', id }
}

/** The members of the rows of one wish that can be applied, by id. */
export const applicableMembers = (
  rows: readonly CheckedRow[],
  wish: RequestedRow['wish'],
): ReadonlyMap<string, KnownMember> =>
  new Map(
    rows.flatMap(row =>
      row.wish === wish && row.code === undefined && row.member !== undefined ? [[row.member.id, row.member]] : [],
    ),
  )

/** Those of some members whose ids are given. */
export const membersOf = (members: ReadonlyMap<string, KnownMember>, ids: readonly string[]): KnownMember[] =>
  ids.flatMap(id => members.get(id) ?? [])
