import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Waits until no other transaction changes the paths, the order or the home page of a school. */
export const lockSite = async (db: Db, schoolId: string): Promise<void> => {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`pages ${schoolId}`}, 0))`)
}

/** Which of some paths lead to other pages, as their own path or as a redirect; call it under `lockSite`. */
export const pathsElsewhere = (
  db: Db,
  schoolId: string,
  paths: readonly string[],
  pageId: string | undefined,
): Promise<{ path: string; page_id: string; is_redirect: boolean }[]> =>
  db.all(sql<{ path: string; page_id: string; is_redirect: boolean }>`
    select p.path, p.id as page_id, false as is_redirect from pages p
    where p.school_id = ${schoolId} and p.path = any (${paths}::text[]) and p.id is distinct from ${pageId}::uuid
    union all
    select r.path, r.page_id, true from page_paths r
    where r.school_id = ${schoolId} and r.path = any (${paths}::text[]) and r.page_id is distinct from ${pageId}::uuid
    order by path`)

/** The first of some paths that leads to no page; call it under `lockSite`. */
export const firstFreePath = async (db: Db, schoolId: string, candidates: readonly string[]): Promise<string> =>
  (
    await db.one(sql<{ path: string }>`
      select path from unnest(${candidates}::text[]) with ordinality as w (path, place)
      where not exists (select from pages p where p.school_id = ${schoolId} and p.path = w.path)
        and not exists (select from page_paths r where r.school_id = ${schoolId} and r.path = w.path)
      order by place limit 1`)
  ).path

/** Replaces the redirects of a page. */
export const putRedirects = (db: Db, schoolId: string, pageId: string, paths: readonly string[]) =>
  db.run(sql`
    with gone as (
      delete from page_paths where school_id = ${schoolId} and page_id = ${pageId} and path <> all (${paths}::text[])
    )
    insert into page_paths (school_id, path, page_id)
    select ${schoolId}::uuid, path, ${pageId}::uuid from unnest(${paths}::text[]) as path
    on conflict (school_id, path) do nothing`)

/** Where a published page is, as the site needs to know before it shows or redirects. */
export type PublishedPage = {
  readonly id: string
  readonly path: string
  readonly kind: 'content' | 'static'
  readonly visibility: 'listed' | 'unlisted' | 'members'
  readonly is_home: boolean
  readonly live_deployment_id: string | null
}

const publishedColumns = sql`p.id, p.path, p.kind, p.visibility, p.is_home, p.live_deployment_id`

/** The published page that has a path, or to which the path leads. */
export const findPublishedPage = (db: Db, schoolId: string, path: string) =>
  db.first(sql<PublishedPage>`
    select ${publishedColumns} from pages p
    where p.school_id = ${schoolId} and p.status = 'published' and p.id = coalesce(
      (select o.id from pages o where o.school_id = ${schoolId} and o.path = ${path}),
      (select r.page_id from page_paths r where r.school_id = ${schoolId} and r.path = ${path}))`)

/** The published page with an id. */
export const findPublishedById = (db: Db, schoolId: string, id: string) =>
  db.first(sql<PublishedPage>`
    select ${publishedColumns} from pages p
    where p.school_id = ${schoolId} and p.status = 'published' and p.id = ${id}`)

/** The published page that is the home page. */
export const findHomePage = (db: Db, schoolId: string) =>
  db.first(sql<PublishedPage>`
    select ${publishedColumns} from pages p
    where p.school_id = ${schoolId} and p.status = 'published' and p.is_home`)
