import type { Caller } from '#src/contract/caller.ts'
import type { Statement } from '#src/contract/db.ts'
import type { StoredTags } from '#src/contract/tagged.ts'
import { sql } from './sql.ts'
import { joinConditions, when } from './where.ts'

/** The tables of tags `t` and of what has them, and the condition that a caller is shown a row in lists. */
type TagTables = { readonly from: Statement; listedFor(schoolId: string, caller: Caller): Statement }

/** Declares how the tags of resources are read. */
export const defineTags = ({ from, listedFor }: TagTables): StoredTags => ({
  list: (db, schoolId, caller, { rows, after }) =>
    db.all(sql<{ tag: string; count: number }>`
      select t.tag, count(*)::integer as count from ${from}
      where ${joinConditions(
        sql`t.school_id = ${schoolId} and ${listedFor(schoolId, caller)}`,
        when(after?.[0], tag => sql`t.tag > ${tag}`),
      )}
      group by t.tag order by t.tag limit ${rows}`),
  count: async (db, schoolId, caller) =>
    (
      await db.one(sql<{ count: number }>`
        select count(distinct t.tag)::integer as count from ${from}
        where t.school_id = ${schoolId} and ${listedFor(schoolId, caller)}`)
    ).count,
})
