import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { isUuid } from '#src/kit/ids.ts'
import { lockMembers } from './queries.ts'
import type { RequestedRow, ResolvedRow } from './rules.ts'

const EXTERNAL = 'external:'

/** The rows of a batch with the members they mean, who are locked until the transaction ends. */
export const resolveRows = async (db: Db, school: School, rows: readonly RequestedRow[]): Promise<ResolvedRow[]> => {
  const refs = rows.map(({ ref }) => ref)
  const ids = refs.filter(isUuid)
  const external = refs.filter(ref => ref.startsWith(EXTERNAL)).map(ref => ref.slice(EXTERNAL.length))
  const members = await lockMembers(db, school.id, ids, external)
  const byId = new Map(members.map(one => [one.id, one]))
  const byExternal = new Map(
    members.flatMap(one => (one.external_id === null ? [] : [[`${EXTERNAL}${one.external_id}`, one]])),
  )
  return rows.map(row => ({ ...row, member: byId.get(row.ref) ?? byExternal.get(row.ref) }))
}
