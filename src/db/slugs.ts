import type { Db, Statement } from '#src/contract/db.ts'
import { type Problem, Refusal } from '#src/contract/problem.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { isNamed, slugCandidates } from './ref.ts'
import { sql } from './sql.ts'

/**
 * The table of what has slugs and what one row is called, the table of former slugs with its column of the row, and which
 * rows `r` still have theirs.
 */
export type SlugTables = {
  readonly called: 'course' | 'event' | 'lecturer' | 'plan' | 'post' | 'product'
  readonly rows: Statement
  readonly former: Statement
  readonly owner: Statement
  readonly isLive: Statement
}

/**
 * Waits until no other transaction chooses a slug from the same candidates, and keeps others waiting until this one
 * ends. Slugs that differ only in their numbers share a lock: `rye-2` is a candidate for `rye`.
 */
export const lockSlug = async (
  db: Db,
  schoolId: string,
  { called }: Pick<SlugTables, 'called'>,
  slug: string,
): Promise<void> => {
  const key = `slug ${schoolId} ${called} ${slug.replace(/(?:-\d+)+$/, '')}`
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** The first of the wanted slug and its alternatives that no row has; the slug or the table is locked. */
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

/** The slug of a new row: the one in the request, which is checked later, or else the first free one for its name. */
export const chooseSlug = async (
  db: Db,
  schoolId: string,
  tables: SlugTables,
  id: string,
  { slug, wanted }: { readonly slug: string | undefined; readonly wanted: string },
): Promise<string> => {
  await lockSlug(db, schoolId, tables, slug ?? wanted)
  return slug ?? freeSlug(db, schoolId, tables, wanted, id)
}

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

type Names = { readonly slug: string; readonly external_id: string | null }

const takenNames = (
  db: Db,
  schoolId: string,
  { rows, isLive }: SlugTables,
  { slug, external_id: externalId }: Names,
  butId: string | undefined,
): Promise<{ slug: boolean; externalId: boolean }> =>
  db.one(sql<{ slug: boolean; externalId: boolean }>`
    select
      exists (select from ${rows} r where r.school_id = ${schoolId} and r.slug = ${slug} and ${isLive}
        and r.id is distinct from ${butId}::uuid) as slug,
      exists (select from ${rows} r where r.school_id = ${schoolId} and r.external_id = ${externalId} and ${isLive}
        and r.id is distinct from ${butId}::uuid) as "externalId"`)

/** Refuses values with the slug or the external id of another row; a slug that changes is locked. */
export const checkNames = async (
  db: Db,
  schoolId: string,
  tables: SlugTables,
  values: Names,
  {
    before,
    externalIdTaken,
    wayOut = '',
  }: {
    readonly before: { readonly id: string; readonly slug: string } | undefined
    readonly externalIdTaken: Problem
    readonly wayOut?: string
  },
): Promise<void> => {
  if (before !== undefined && values.slug !== before.slug) await lockSlug(db, schoolId, tables, values.slug)
  const taken = await takenNames(db, schoolId, tables, values, before?.id)
  if (taken.slug) throw new Refusal(slugTaken, `Another ${tables.called} has this slug.${wayOut}`)
  if (taken.externalId) throw new Refusal(externalIdTaken, `Another ${tables.called} has this external_id.`)
}

/**
 * Refuses to restore a row whose slug or external id another one has got meanwhile; the slug may be replaced. Returns the slug
 * that it comes back with, to which no former slug leads any more.
 */
export const reclaimNames = async (
  db: Db,
  schoolId: string,
  tables: SlugTables,
  row: Names & { readonly id: string },
  { slug = row.slug, externalIdTaken }: { readonly slug: string | undefined; readonly externalIdTaken: Problem },
): Promise<string> => {
  const wayOut = ` Restore this ${tables.called} with another one, in \`slug\`.`
  const before = { id: row.id, slug: '' }
  await checkNames(db, schoolId, tables, { slug, external_id: row.external_id }, { before, externalIdTaken, wayOut })
  await moveSlug(db, schoolId, tables, row.id, { to: slug })
  return slug
}

/** The id of the row that has a slug now, else of the row that had it. */
export const rowOfSlug = (
  schoolId: string,
  { rows, former, owner, isLive }: SlugTables,
  slug: string,
): Statement => sql`
  coalesce(
    (select r.id from ${rows} r where r.school_id = ${schoolId} and r.slug = ${slug} and ${isLive}),
    (select f.${owner} from ${former} f where f.school_id = ${schoolId} and f.slug = ${slug}))`

/** The condition that the row with an alias is the one in a reference: its UUID, `external:…`, or `slug:…` with a slug that it has or had. */
export const isAddressed = (schoolId: string, ref: string, tables: SlugTables, row: Statement): Statement => {
  const named = ref.startsWith('slug:')
    ? sql`${row}.id = ${rowOfSlug(schoolId, tables, ref.slice('slug:'.length))}`
    : isNamed(ref, { id: sql`${row}.id`, external: sql`${row}.external_id` })
  return sql`${row}.school_id = ${schoolId} and ${named}`
}
