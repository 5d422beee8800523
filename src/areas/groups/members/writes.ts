import type { WriteContext } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { groupJoined, groupLeft } from '../hooks.ts'
import { endGroupMembers, insertGroupMembers } from './queries.ts'
import { applicableMembers, type CheckedRow, type KnownMember, membersOf, type RowResult, resultOf } from './rules.ts'

type MovePlace = Pick<WriteContext, 'db' | 'school' | 'now'>

/** Puts members into a group, and tells later areas; gives those who were not in it. */
export const joinGroup = async (
  { db, school, now }: MovePlace,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const added = await insertGroupMembers(db, school.id, groupId, memberIds)
  if (added.length > 0) await groupJoined.call({ groupId, memberIds: added, now }, { db, school })
  return added
}

/** Takes members from a group, and tells later areas; gives those who were in it. */
export const leaveGroup = async (
  { db, school, now }: MovePlace,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const removed = await endGroupMembers(db, school.id, groupId, memberIds)
  if (removed.length > 0) await groupLeft.call({ groupId, memberIds: removed, now }, { db, school })
  return removed
}

/** What a batch did: who came, who went, and what became of each row. */
export type Moved = {
  readonly added: readonly KnownMember[]
  readonly removed: readonly KnownMember[]
  readonly results: readonly RowResult[]
}

/** Puts the members of checked rows into a group or takes them from it. */
export const moveMembers = async (where: MovePlace, groupId: string, rows: readonly CheckedRow[]): Promise<Moved> => {
  const [adding, removing] = [applicableMembers(rows, 'add'), applicableMembers(rows, 'remove')]
  const added = await joinGroup(where, groupId, [...adding.keys()])
  const removed = await leaveGroup(where, groupId, [...removing.keys()])
  const moved = new Set([...added, ...removed])
  const results = rows.map(row => resultOf(row, moved))
  return {
    added: membersOf(adding, added),
    removed: membersOf(removing, removed),
    results: results.map(row => ({ ...row, id: row.id === null ? null : toId('mem', row.id) })),
  }
}
