import { isKept } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The instant of a read, from the database's clock. */
export const readInstant = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now

/** Files of the blocks that visitors of a school, or its staff, see, and the pages that have them. */
type PageFile = { readonly file_id: string; readonly page_id: string; readonly is_public: boolean }

/** The pages, those in the bin too, whose newest or published version names some of these files; a superseded version does not keep its files. */
export const listPageFiles = (db: Db, schoolId: string, fileIds: readonly string[]) =>
  db.all(sql<PageFile>`
    select f.id as file_id, p.id as page_id,
      bool_or(p.status = 'published' and p.visibility <> 'members' and p.deleted_at is null
        and v.number = p.published_version) as is_public
    from all_pages p
    join page_versions v on v.school_id = p.school_id and v.page_id = p.id
      and v.number in (p.version, p.published_version)
    join unnest(${fileIds}::uuid[]) as f (id) on f.id = any (v.files)
    where p.school_id = ${schoolId} and p.${isKept}
    group by f.id, p.id`)
