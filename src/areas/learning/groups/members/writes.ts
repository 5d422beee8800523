import { entitleAll, revokeSourceAccess } from '#src/areas/learning/access/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { endGroupMembers, insertGroupMembers } from './queries.ts'
import {
  applicableMembers,
  type CheckedRow,
  computeResult,
  listMembers,
  type ResolvedMember,
  type RowResult,
} from './rules.ts'

/** Adds members to a group, which entitles them to its items; returns those who were not in it. */
export const joinGroup = async (
  context: TransactionContext,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const added = await insertGroupMembers(context.db, context.school.id, groupId, memberIds)
  const named = { type: 'group', id: groupId } as const
  if (added.length > 0)
    await entitleAll(
      context,
      added.map(memberId => ({ memberId, named, source: 'group', sourceId: groupId })),
    )
  return added
}

/** Removes members from a group, also where an import is undone, which ends the access that it gave them; returns those who were in it. */
export const leaveGroup = async (
  context: TransactionContext,
  groupId: string,
  memberIds: readonly string[],
  by?: 'undo',
): Promise<string[]> => {
  const removed = await endGroupMembers(context.db, context.school.id, groupId, memberIds)
  const of = { source: 'group', sourceId: groupId, memberIds: removed } as const
  if (removed.length > 0) await revokeSourceAccess(context, of, undefined, by)
  return removed
}

/** The result of a batch: members that were added and removed, and the result of each row. */
type Moved = {
  readonly added: readonly ResolvedMember[]
  readonly removed: readonly ResolvedMember[]
  readonly results: readonly RowResult[]
}

/** Adds the members of checked rows to a group or removes them. */
export const moveMembers = async (
  context: TransactionContext,
  groupId: string,
  rows: readonly CheckedRow[],
): Promise<Moved> => {
  const [adding, removing] = [applicableMembers(rows, 'add'), applicableMembers(rows, 'remove')]
  const added = await joinGroup(context, groupId, [...adding.keys()])
  const removed = await leaveGroup(context, groupId, [...removing.keys()])
  const moved = new Set([...added, ...removed])
  const results = rows.map(row => computeResult(row, moved))
  return {
    added: listMembers(adding, added),
    removed: listMembers(removing, removed),
    results,
  }
}
