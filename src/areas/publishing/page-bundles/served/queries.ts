import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A file that an address may mean, of the page at a path. */
type Wanted = { readonly page: string; readonly file: string; readonly is: string }

/** What was found at an address: the page, and its file where it has one. */
export type FoundFile = {
  readonly page: string
  readonly is: string | null
  readonly file: string | null
  readonly sha256: Buffer | null
  readonly byte_size: string | null
  /** Whether search engines may not list it. */
  readonly is_unlisted: boolean
}

const wantedRows = (wanted: readonly Wanted[]) => sql`
  jsonb_to_recordset(${JSON.stringify(wanted.map((one, place) => ({ ...one, place })))}::jsonb)
    as w (page text, file text, "is" text, place integer)`

/** The first of these files that a page has which visitors may see, of the page with the longest path. */
export const findLiveFile = (db: Db, schoolId: string, wanted: readonly Wanted[]) =>
  db.first(sql<FoundFile>`
    select p.path as page, case when f.path is not null then w."is" end as "is", f.path as file, f.sha256, o.byte_size,
      p.visibility <> 'listed' as is_unlisted
    from ${wantedRows(wanted)}
    join pages p on p.school_id = ${schoolId} and p.path = w.page and p.kind = 'static' and p.status = 'published'
      and p.visibility <> 'members' and p.live_deployment_id is not null
    left join page_deployment_files f on f.school_id = ${schoolId} and f.deployment_id = p.live_deployment_id
      and f.path = w.file
    left join page_objects o on o.school_id = ${schoolId} and o.sha256 = f.sha256
    order by length(p.path) desc, f.path is null, w.place limit 1`)

/** The path that the page now has to which one of these former paths leads, the longest first. */
export const findMovedPage = (
  db: Db,
  schoolId: string,
  paths: readonly string[],
): Promise<{ old_path: string; new_path: string } | undefined> =>
  db.first(sql<{ old_path: string; new_path: string }>`
    select r.path as old_path, p.path as new_path
    from page_paths r join pages p on p.school_id = r.school_id and p.id = r.page_id
    where r.school_id = ${schoolId} and r.path = any (${paths}::text[]) and p.kind = 'static' and p.status = 'published'
      and p.visibility <> 'members' and p.live_deployment_id is not null
    order by length(r.path) desc limit 1`)

/** The path of the home page of a school, where that is a static page which is shown. */
export const findStaticHome = async (db: Db, schoolId: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ path: string }>`
      select p.path from pages p
      where p.school_id = ${schoolId} and p.is_home and p.kind = 'static' and p.status = 'published'
        and p.live_deployment_id is not null`)
  )?.path

/** The first of these files that a deployment has, and the instant of the statement; without a file where it has none. */
export const findPreviewFile = (
  db: Db,
  schoolId: string,
  id: string,
  wanted: readonly Wanted[],
): Promise<(FoundFile & { readonly now: Date }) | undefined> =>
  db.first(sql<FoundFile & { readonly now: Date }>`
    select w.page, case when f.path is not null then w."is" end as "is", f.path as file, f.sha256, o.byte_size,
      true as is_unlisted, (select stoa.now()) as now
    from ${wantedRows(wanted)}
    join page_deployments d on d.school_id = ${schoolId} and d.id = ${id} and d.status = 'checked'
    left join page_deployment_files f on f.school_id = ${schoolId} and f.deployment_id = d.id and f.path = w.file
    left join page_objects o on o.school_id = ${schoolId} and o.sha256 = f.sha256
    order by f.path is null, w.place limit 1`)

/** How many pages of a school show a deployment to visitors, where there is a host for them. */
export const countShown = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from pages p
      where p.school_id = ${schoolId} and p.kind = 'static' and p.status = 'published' and p.live_deployment_id is not null`)
  ).count
