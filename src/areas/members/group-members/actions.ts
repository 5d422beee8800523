import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { endGroupMembers, insertGroupMembers, lockMembers } from './queries.ts'
import { type AskedRow, type JudgedRow, type KnownMember, type MeantRow, type RowResult, resultOf } from './rules.ts'

const EXTERNAL = 'external:'

/** The rows of a batch with the members they mean, who are held until the transaction ends. */
export const meantBy = async (db: Db, school: School, rows: readonly AskedRow[]): Promise<MeantRow[]> => {
  const refs = rows.map(({ ref }) => ref)
  const ids = refs.flatMap(ref => fromId('mem', ref) ?? [])
  const external = refs.filter(ref => ref.startsWith(EXTERNAL)).map(ref => ref.slice(EXTERNAL.length))
  const members = await lockMembers(db, school.id, ids, external)
  const byId = new Map(members.map(one => [toId('mem', one.id), one]))
  const byExternal = new Map(
    members.flatMap(one => (one.external_id === null ? [] : [[`${EXTERNAL}${one.external_id}`, one]])),
  )
  return rows.map(row => ({ ...row, member: byId.get(row.ref) ?? byExternal.get(row.ref) }))
}

const doable = (rows: readonly JudgedRow[], wish: AskedRow['wish']): ReadonlyMap<string, KnownMember> =>
  new Map(
    rows.flatMap(row =>
      row.wish === wish && row.code === undefined && row.member !== undefined ? [[row.member.id, row.member]] : [],
    ),
  )

const those = (members: ReadonlyMap<string, KnownMember>, ids: readonly string[]): KnownMember[] =>
  ids.flatMap(id => members.get(id) ?? [])

/** What a batch did: who came, who went, and what became of each row. */
export type Moved = {
  readonly added: readonly KnownMember[]
  readonly removed: readonly KnownMember[]
  readonly results: readonly RowResult[]
}

/** Puts the members of judged rows into a group or takes them from it. */
export const moveMembers = async (
  db: Db,
  school: School,
  groupId: string,
  rows: readonly JudgedRow[],
): Promise<Moved> => {
  const [adding, removing] = [doable(rows, 'add'), doable(rows, 'remove')]
  const added = await insertGroupMembers(db, school.id, groupId, [...adding.keys()])
  const removed = await endGroupMembers(db, school.id, groupId, [...removing.keys()])
  const moved = new Set([...added, ...removed])
  const results = rows.map(row => resultOf(row, moved))
  return {
    added: those(adding, added),
    removed: those(removing, removed),
    results: results.map(row => ({ ...row, id: row.id === null ? null : toId('mem', row.id) })),
  }
}
