import { addToGroups, type GroupUndo } from '#src/areas/learning/index.ts'
import {
  decodeMemberRows,
  importMembers,
  type MemberOutcome,
  suspendedUndo,
  suspendNamed,
} from '#src/areas/people/index.ts'
import { fill, toLanguage } from '#src/contract/language.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'
import type { ImportRow } from '../import/queries.ts'
import type { MappedRow } from '../mapping/index.ts'
import type { RowResult } from '../rows/queries.ts'
import { failRow, toMemberRow } from './rules.ts'

// An import may create so many groups.
const MAX_GROUPS = 200

/** What a piece writes with. */
export type Writing = Pick<WriteContext, 'db' | 'school' | 'caller' | 'now' | 'changed' | 'record'>

/** The notices of a row of which a member was or was not made: a guessed name is that of new members alone. */
export const listNotices = ({ notices }: MappedRow, outcome: Pick<MemberOutcome, 'status' | 'notices'>) => [
  ...(outcome.status === 'created' ? notices : notices.filter(({ code }) => code !== 'name_from_address')),
  ...(outcome.notices ?? []),
]

/** Stores the people of rows as members. Mails to them wait for their turn. */
export const storePeople = (
  context: Writing,
  { options }: Pick<ImportRow, 'options'>,
  rows: readonly MappedRow[],
): Promise<MemberOutcome[]> =>
  importMembers(context, decodeMemberRows(rows.map(toMemberRow)), {
    existing: options.existing,
    restores: options.restore_deleted,
    invites: false,
  })

/** Whether a member is invited when their turn comes. */
export const isToInvite = ({ options }: Pick<ImportRow, 'options'>, { status, undo }: MemberOutcome): boolean =>
  options.send_invitations && (status === 'created' || undo?.isBack === true)

const listPairs = (rows: readonly MappedRow[], outcomes: readonly MemberOutcome[]) =>
  rows.flatMap(({ number, person: { groups = [] } }, at) => {
    const { id, status } = outcomes[at] ?? {}
    if (id === undefined || status === 'failed' || status === 'skipped') return []
    return groups.map(name => ({ number, memberId: id, name }))
  })

/** The groups that the member of a row was put into, and why not into others. */
export type Joined = { readonly undos: readonly GroupUndo[]; readonly notices: readonly FieldError[] }

/** Puts the members of rows into the groups that the rows name; returns what was done, by the numbers of the rows. */
export const storeGroups = async (
  context: Writing,
  { group_count: count }: Pick<ImportRow, 'group_count'>,
  rows: readonly MappedRow[],
  outcomes: readonly MemberOutcome[],
): Promise<ReadonlyMap<number, Joined>> => {
  const pairs = listPairs(rows, outcomes)
  if (pairs.length === 0) return new Map()
  const results = await addToGroups(context, pairs, { maxNew: Math.max(0, MAX_GROUPS - count) })
  const joined = new Map<number, Joined>()
  for (const [at, { number }] of pairs.entries()) {
    const result = results[at]
    const { undos, notices } = joined.get(number) ?? { undos: [], notices: [] }
    joined.set(number, {
      undos: [...undos, ...(result && 'undo' in result && result.undo ? [result.undo] : [])],
      notices: [...notices, ...(result?.status === 'failed' ? result.errors : [])],
    })
  }
  return joined
}

/** No groups. */
export const NOTHING: Joined = { undos: [], notices: [] }

/** Imports rows of people; returns their results in order. */
export const importPeople = async (
  context: Writing,
  row: ImportRow,
  rows: readonly MappedRow[],
): Promise<RowResult[]> => {
  const outcomes = await storePeople(context, row, rows)
  const joined = await storeGroups(context, row, rows, outcomes)
  return rows.map((mapped, at): RowResult => {
    const outcome = outcomes[at]
    if (outcome === undefined) throw new Error('a row has no result')
    if (outcome.status === 'failed') return failRow(mapped.number, outcome.errors ?? [])
    const { undos, notices } = joined.get(mapped.number) ?? NOTHING
    return {
      number: mapped.number,
      status: outcome.status === 'unchanged' && undos.length > 0 ? 'updated' : outcome.status,
      errors: [],
      notices: [...listNotices(mapped, outcome), ...notices],
      member_id: outcome.id ?? null,
      undo: outcome.undo === undefined && undos.length === 0 ? null : { member: outcome.undo, groups: undos },
      is_to_invite: isToInvite(row, outcome),
    }
  })
}

const INACTIVE: FieldError = {
  pointer: '/status',
  code: 'inactive',
  message: 'says that the person is no longer there, so nothing was done',
}

const skipInactive = ({ number }: MappedRow): RowResult => ({
  number,
  status: 'skipped',
  errors: [],
  notices: [INACTIVE],
})

/** Suspends the members whom rows call inactive, where the import is to; nobody is created. Returns their results in order. */
export const handleInactive = async (
  context: Writing,
  { options, file_name: file }: Pick<ImportRow, 'options' | 'file_name'>,
  rows: readonly MappedRow[],
): Promise<RowResult[]> => {
  if (options.inactive === 'report' || rows.length === 0) return rows.map(skipInactive)
  // Staff read it beside what they write themselves, in the language of the school.
  const reason = fill(texts.moving.imports.suspendedFor, toLanguage(context.school.locale), { file })
  const outcomes = await suspendNamed(
    context,
    rows.map(({ person }) => person),
    reason,
  )
  return rows.map((mapped, at) => {
    const { status = 'skipped', id = '' } = outcomes[at] ?? {}
    if (status === 'skipped') return skipInactive(mapped)
    const undo = status === 'updated' ? { member: suspendedUndo(id, reason) } : null
    return { number: mapped.number, status, errors: [], notices: [], member_id: id, undo }
  })
}
