import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { defaults } from './rules.ts'
import type { FileField, Settings } from './schema.ts'

/** The draft of a school; without a change its revision is 1, and it is as old as the school. */
export type DraftRow = {
  readonly settings: Settings
  readonly missing: readonly FileField[]
  readonly revision: number
  readonly updated_at: Date
  /** The instant of the statement. */
  readonly now: Date
}

type Stored = Omit<DraftRow, 'settings'> & { readonly settings: unknown }

const parseInstant = (text: unknown): Date | null => (typeof text === 'string' ? new Date(text) : null)

/** Settings as they were stored; a field that was added afterwards has its default. */
export const settingsFrom = (stored: unknown): Settings => {
  // The column has what `storeDraft` and `insertVersion` write.
  const settings = { ...defaults, ...(stored as Partial<Settings> | null) }
  const { announcement } = settings
  if (announcement === null) return settings
  return {
    ...settings,
    announcement: { ...announcement, from: parseInstant(announcement.from), until: parseInstant(announcement.until) },
  }
}

/** The draft of a school, with the defaults of what it never changed. */
export const getDraft = async (db: Db, schoolId: string): Promise<DraftRow> => {
  const row = await db.one(sql<Stored>`
    select a.draft as settings, coalesce(a.missing, '{}') as missing, coalesce(a.revision, 1) as revision,
      coalesce(a.updated_at, s.created_at) as updated_at, (select stoa.now()) as now
    from schools s left join appearances a on a.school_id = ${schoolId} where s.id = ${schoolId}`)
  return { ...row, settings: settingsFrom(row.settings) }
}

/** The same, locked until the transaction ends; the row of the school is locked, since the draft may have none. */
export const lockDraft = async (db: Db, schoolId: string): Promise<DraftRow> => {
  await db.one(sql`select from schools where id = ${schoolId} for no key update`)
  return getDraft(db, schoolId)
}

/** Stores a locked draft as the next revision. */
export const storeDraft = async (
  db: Db,
  schoolId: string,
  { settings, missing }: Pick<DraftRow, 'settings' | 'missing'>,
): Promise<DraftRow> => {
  await db.run(sql`
    insert into appearances as a (school_id, draft, missing, revision, updated_at)
    values (${schoolId}, ${JSON.stringify(settings)}::jsonb, ${missing}::text[], 2, (select stoa.now()))
    on conflict (school_id) do update set draft = excluded.draft, missing = excluded.missing,
      revision = a.revision + 1, updated_at = excluded.updated_at`)
  return getDraft(db, schoolId)
}

/** Whether a school has changed its draft. */
export const hasAppearance = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select from appearances where school_id = ${schoolId}`)) !== undefined
