import type { Db, Statement } from '#src/contract/db.ts'
import { slugCandidates } from './ref.ts'
import { sql } from './sql.ts'

/** The table of what has slugs, the table of former slugs with its column of the row, and which rows `r` still have theirs. */
export type SlugTables = {
  readonly rows: Statement
  readonly former: Statement
  readonly owner: Statement
  readonly isLive: Statement
}

/** The first of the wanted slug and its alternatives that no row has; call it under `lockSlug`. */
export const freeSlug = async (
  db: Db,
  schoolId: string,
  { rows, isLive }: Pick<SlugTables, 'rows' | 'isLive'>,
  wanted: string,
  id: string,
): Promise<string> =>
  (
    await db.one(sql<{ slug: string }>`
      select slug from unnest(${slugCandidates(wanted, id)}::text[]) with ordinality as w (slug, place)
      where not exists (
        select from ${rows} r where r.school_id = ${schoolId} and r.slug = w.slug and ${isLive})
      order by place limit 1`)
  ).slug

/** Records that an old slug leads to a row, and that the new one leads to nothing else. */
export const moveSlug = async (
  db: Db,
  schoolId: string,
  { former, owner }: SlugTables,
  id: string,
  { from, to }: { readonly from?: string; readonly to: string },
): Promise<void> => {
  await db.run(sql`delete from ${former} where school_id = ${schoolId} and slug = ${to}`)
  if (from === undefined || from === to) return
  await db.run(sql`
    insert into ${former} (school_id, slug, ${owner}) values (${schoolId}, ${from}, ${id})
    on conflict (school_id, slug) do update set ${owner} = excluded.${owner}`)
}

/** Whether another row has a slug or an external id. */
export const takenNames = (
  db: Db,
  schoolId: string,
  { rows, isLive }: SlugTables,
  { slug, external_id: externalId }: { readonly slug: string; readonly external_id: string | null },
  butId: string | undefined,
): Promise<{ slug: boolean; externalId: boolean }> =>
  db.one(sql<{ slug: boolean; externalId: boolean }>`
    select
      exists (select from ${rows} r where r.school_id = ${schoolId} and r.slug = ${slug} and ${isLive}
        and r.id is distinct from ${butId}::uuid) as slug,
      exists (select from ${rows} r where r.school_id = ${schoolId} and r.external_id = ${externalId} and ${isLive}
        and r.id is distinct from ${butId}::uuid) as "externalId"`)

/** The id of the row that has a slug now, else of the row that had it. */
export const rowOfSlug = (
  schoolId: string,
  { rows, former, owner, isLive }: SlugTables,
  slug: string,
): Statement => sql`
  coalesce(
    (select r.id from ${rows} r where r.school_id = ${schoolId} and r.slug = ${slug} and ${isLive}),
    (select f.${owner} from ${former} f where f.school_id = ${schoolId} and f.slug = ${slug}))`
