import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { groupJoined, groupLeft } from '../hooks.ts'
import { endGroupMembers, insertGroupMembers } from './queries.ts'
import { type CheckedRow, doable, type KnownMember, type RowResult, resultOf, those } from './rules.ts'

type Where = { readonly db: Db; readonly school: School; readonly now: Date }

/** Puts members into a group, and has later rooms know; gives those who were not in it. */
export const joinGroup = async (
  { db, school, now }: Where,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const added = await insertGroupMembers(db, school.id, groupId, memberIds)
  if (added.length > 0) await groupJoined.call({ groupId, memberIds: added, now }, { db, school })
  return added
}

/** Takes members from a group, and has later rooms know; gives those who were in it. */
export const leaveGroup = async (
  { db, school, now }: Where,
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

/** Puts the members of judged rows into a group or takes them from it. */
export const moveMembers = async (where: Where, groupId: string, rows: readonly CheckedRow[]): Promise<Moved> => {
  const [adding, removing] = [doable(rows, 'add'), doable(rows, 'remove')]
  const added = await joinGroup(where, groupId, [...adding.keys()])
  const removed = await leaveGroup(where, groupId, [...removing.keys()])
  const moved = new Set([...added, ...removed])
  const results = rows.map(row => resultOf(row, moved))
  return {
    added: those(adding, added),
    removed: those(removing, removed),
    results: results.map(row => ({ ...row, id: row.id === null ? null : toId('mem', row.id) })),
  }
}
