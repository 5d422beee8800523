import type { Db } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { isUuid } from '#src/kit/ids.ts'
import { settingsFrom } from '../settings/queries.ts'
import type { FileField, Settings } from '../settings/schema.ts'

/** A version without its settings. */
export type VersionLine = {
  readonly id: string
  readonly number: number
  readonly is_published: boolean
  readonly missing: readonly FileField[]
  /** The hash of the style sheet of the site. */
  readonly sheet: string
  readonly published_at: Date
}

/** A version as it was published. */
export type VersionRow = VersionLine & { readonly settings: Settings }

const line = sql`v.id, v.number, v.missing, v.sheet, v.published_at`

const isNewest = (schoolId: string) => sql`not exists (
  select from appearance_versions n where n.school_id = ${schoolId} and n.number > v.number) as is_published`

type Stored = VersionLine & { readonly settings: unknown }

const fromStored = <Row extends Stored>(row: Row | undefined): (Row & { readonly settings: Settings }) | undefined =>
  row && { ...row, settings: settingsFrom(row.settings) }

// With the instant of the statement.
type PublishedRow = VersionRow & { readonly now: Date }

/** The published version of a school, if it has one. */
export const findPublished = async (db: Db, schoolId: string): Promise<PublishedRow | undefined> =>
  fromStored(
    await db.first(sql<Stored & { now: Date }>`
      select ${line}, v.settings, true as is_published, (select stoa.now()) as now from appearance_versions v
      where v.school_id = ${schoolId} order by v.number desc limit 1`),
  )

/** A version by its number or the id of its row. */
export const findVersion = async (db: Db, schoolId: string, ref: string): Promise<VersionRow | undefined> =>
  fromStored(
    await db.first(sql<Stored>`
      select ${line}, v.settings, ${isNewest(schoolId)} from appearance_versions v
      where v.school_id = ${schoolId} and ${isUuid(ref) ? sql`v.id = ${ref}` : sql`v.number = ${Number(ref)}`}`),
  )

/** The versions of a school, the newest first. */
export const versionList = (schoolId: string): List<VersionLine> => ({
  columns: sql`${line}, ${isNewest(schoolId)}`,
  from: sql`appearance_versions v`,
  where: sql`v.school_id = ${schoolId}`,
  id: sql`v.id`,
  keys: { number: integerKey(sql`v.number`, row => row.number) },
  sort: '-number',
})

/** Stores the next version; the draft is locked. */
export const insertVersion = (
  db: Db,
  schoolId: string,
  version: Pick<VersionRow, 'id' | 'number' | 'settings' | 'missing' | 'sheet'> & { readonly files: readonly string[] },
) =>
  db.run(sql`
    insert into appearance_versions (school_id, number, id, settings, missing, files, sheet, published_at)
    values (${schoolId}, ${version.number}, ${version.id}, ${JSON.stringify(version.settings)}::jsonb,
      ${version.missing}::text[], ${version.files}::uuid[], ${version.sheet}, (select stoa.now()))`)

/** Stores a style sheet by its hash; one that is there already has the same text. */
export const insertSheet = (db: Db, schoolId: string, hash: string, css: string) =>
  db.run(sql`
    insert into appearance_sheets (school_id, hash, css) values (${schoolId}, ${hash}, ${css})
    on conflict (school_id, hash) do nothing`)

/** The style sheet with a hash. */
export const findSheet = async (db: Db, schoolId: string, hash: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ css: string }>`
      select css from appearance_sheets where school_id = ${schoolId} and hash = ${hash}`)
  )?.css

/** Whether a version that was published refers to a file. */
export const wasPublished = async (db: Db, schoolId: string, fileId: string): Promise<boolean> =>
  (await db.first(sql`
    select from appearance_versions where school_id = ${schoolId} and files @> array[${fileId}]::uuid[] limit 1`)) !==
  undefined
