import type { Statement } from '#src/contract/db.ts'
import type { StoredVersions } from '#src/contract/versioned.ts'
import { isUuid } from '#src/kit/ids.ts'
import { integerKey, type List, readList } from './list.ts'
import { sql } from './sql.ts'

/** What is declared of the table of versions, whose alias is `v`. */
type VersionTable = {
  readonly from: Statement
  /** The column that names the resource. */
  readonly of: Statement
  /** The columns of a version in lists beside its id and number. */
  line(schoolId: string): Statement
  /** Its other columns. */
  content(schoolId: string): Statement
}

type Line = { readonly id: string; readonly number: number }

/** Declares how the versions of a resource are stored: as rows with a `number`, which counts up from 1. */
export const defineVersions = <Version extends Line>({
  from,
  of,
  line,
  content,
}: VersionTable): StoredVersions<Version> => {
  const columns = (schoolId: string) => sql`v.id, v.number, ${line(schoolId)}`
  const list = (schoolId: string, ofId: string): List<Line> => ({
    columns: columns(schoolId),
    from,
    where: sql`v.school_id = ${schoolId} and ${of} = ${ofId}`,
    id: sql`v.id`,
    keys: { number: integerKey(sql`v.number`, row => row.number) },
    sort: '-number',
  })
  return {
    readPage: (request, ofId, renderViews) => readList(request, list(request.school.id, ofId), renderViews),
    find: (db, schoolId, ofId, ref) =>
      db.first(sql<Version>`
        select ${columns(schoolId)}, ${content(schoolId)} from ${from}
        where v.school_id = ${schoolId} and ${of} = ${ofId}
          and ${isUuid(ref) ? sql`v.id = ${ref}` : sql`v.number = ${Number(ref)}`}`),
  }
}
