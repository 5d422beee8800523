import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { StoredRow } from '../rows/queries.ts'

/** A row with something that was found of it, and how many rows have the same. */
export type FoundRow = Pick<StoredRow, 'number' | 'member_id' | 'is_disclosed' | 'duplicate_of' | 'cells'> & {
  readonly kind: 'error' | 'notice' | 'reason'
  readonly code: string
  readonly pointer: string
  readonly rows: number
}

const MAX_FINDINGS = 30
const MAX_ROWS = 10

/** The first rows of each finding of an import, the most frequent finding first. */
export const listFound = (db: Db, schoolId: string, importId: string) =>
  db.all(sql<FoundRow>`
    with found as (
      select r.number, f.kind, f.code, f.pointer, count(*) over finding as rows,
        row_number() over (finding order by r.number) as place
      from import_rows r
      cross join lateral (
        select 'error' as kind, e ->> 'code' as code, e ->> 'pointer' as pointer from jsonb_array_elements(r.errors) as e
        union
        select 'notice', n ->> 'code', n ->> 'pointer' from jsonb_array_elements(r.notices) as n
        union
        select 'reason', r.reason, '' where r.reason is not null
      ) as f
      where r.school_id = ${schoolId} and r.import_id = ${importId} and r.status is not null
      window finding as (partition by f.kind, f.code, f.pointer)
    ), ranked as (
      select *, dense_rank() over (order by rows desc, kind, code, pointer) as rank from found where place <= ${MAX_ROWS}
    )
    select k.kind, k.code, k.pointer, k.rows::integer, r.number, r.member_id, r.is_disclosed, r.duplicate_of,
      r.cells
    from ranked k join import_rows r on r.school_id = ${schoolId} and r.import_id = ${importId} and r.number = k.number
    where k.rank <= ${MAX_FINDINGS}
    order by k.rank, r.number`)
