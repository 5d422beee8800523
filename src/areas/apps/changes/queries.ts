import type { Db } from '#src/contract/db.ts'
import type { StoredFact } from '#src/contract/fact.ts'
import { sql } from '#src/db/sql.ts'

/** The ends of the feed: its era, the number after which it begins, and the last one that was given. */
export const readFeed = (db: Db, schoolId: string) =>
  db.one(sql<{ era: string; opens_after: number; last: number }>`
    select e.id as era, s.facts_open_after::double precision as opens_after,
      coalesce((select max(sequence) from facts where school_id = ${schoolId} and sequence is not null),
        0)::double precision as last
    from schools s cross join stoa.era e where s.id = ${schoolId}`)

/** A fact of the feed. */
type FeedRow = StoredFact & { readonly recorded_at: Date; readonly is_withheld: boolean }

/** The facts of some types after a number up to another one, in their order, at most `most`. */
export const listFacts = (
  db: Db,
  schoolId: string,
  { after, until, types }: { readonly after: number; readonly until: number; readonly types: readonly string[] },
  most: number,
) =>
  db.all(sql<FeedRow>`
    select f.id, f.type, f.payload, f.sequence::text as sequence, f.recorded_at, f.is_withheld from facts f
    where f.school_id = ${schoolId} and f.sequence > ${after} and f.sequence <= ${until} and f.type = any (${types}::text[])
      and not f.is_withheld
    order by f.sequence limit ${most}`)
