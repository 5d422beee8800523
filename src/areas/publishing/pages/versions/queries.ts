import { sql } from '#src/db/sql.ts'
import { defineVersions } from '#src/db/versions.ts'
import type { PageContent } from '../page/queries.ts'

/** A version of a page. */
export type VersionRow = PageContent & {
  readonly id: string
  readonly number: number
  readonly is_newest: boolean
  readonly is_published: boolean
  readonly restores: number | null
  readonly created_at: Date
  readonly files: readonly string[]
}

/** How the versions of pages are stored. */
export const pageVersions = defineVersions<VersionRow>({
  from: sql`page_versions v join pages p on p.school_id = v.school_id and p.id = v.page_id`,
  of: sql`v.page_id`,
  line: () => sql`v.title, v.restores, v.created_at, v.number = p.version as is_newest,
    v.number is not distinct from p.published_version as is_published`,
  content: () => sql`v.blocks, v.seo_title, v.seo_description, v.files`,
})
