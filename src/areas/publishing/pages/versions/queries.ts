import type { Db } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import type { PageContent } from '../page/queries.ts'

/** A version without its blocks. */
export type VersionLine = {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly is_newest: boolean
  readonly is_published: boolean
  readonly restores: number | null
  readonly created_at: Date
}

/** A version with its content. */
export type VersionRow = VersionLine & PageContent & { readonly files: readonly string[] }

const line = sql`v.id, v.number, v.title, v.restores, v.created_at, v.number = p.version as is_newest,
  v.number is not distinct from p.published_version as is_published`

const from = sql`page_versions v join pages p on p.school_id = v.school_id and p.id = v.page_id`

/** The versions of a page, the newest first. */
export const versionList = (schoolId: string, pageId: string): List<VersionLine> => ({
  columns: line,
  from,
  where: sql`v.school_id = ${schoolId} and v.page_id = ${pageId}`,
  id: sql`v.id`,
  keys: { number: integerKey(sql`v.number`, row => row.number) },
  sort: '-number',
})

/** A version of a page by its number. */
export const findVersion = (
  db: Db,
  schoolId: string,
  pageId: string,
  number: number,
): Promise<VersionRow | undefined> =>
  db.first(sql<VersionRow>`
    select ${line}, v.blocks, v.seo_title, v.seo_description, v.files from ${from}
    where v.school_id = ${schoolId} and v.page_id = ${pageId} and v.number = ${number}`)
