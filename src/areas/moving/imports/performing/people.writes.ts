import { decodeMemberRows, importMembers, type MemberOutcome } from '#src/areas/people/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import type { ImportRow } from '../import/queries.ts'
import type { MappedRow } from '../mapping/index.ts'
import type { RowResult } from '../rows/queries.ts'
import { failRow, toMemberRow } from './rules.ts'

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

/** Imports rows of people; returns their results in order. */
export const importPeople = async (
  context: Writing,
  row: ImportRow,
  rows: readonly MappedRow[],
): Promise<RowResult[]> => {
  const outcomes = await storePeople(context, row, rows)
  return rows.map((mapped, at): RowResult => {
    const outcome = outcomes[at]
    if (outcome === undefined) throw new Error('a row has no result')
    if (outcome.status === 'failed') return failRow(mapped.number, outcome.errors ?? [])
    return {
      number: mapped.number,
      status: outcome.status,
      errors: [],
      notices: listNotices(mapped, outcome),
      member_id: outcome.id ?? null,
      undo: outcome.undo === undefined ? null : { member: outcome.undo },
      is_to_invite: isToInvite(row, outcome),
    }
  })
}
