import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { buildAssignments } from '#src/db/columns.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { AmbiguousColumn, ColumnMapping } from '../mapping/index.ts'
import type { Chosen, Counts, Kind, Options, Status, StoredFormat } from './schema.ts'

/** The kind of job that reads, checks, runs and undoes imports, and deletes what is no longer needed of them. */
export const IMPORT_JOB = 'import'

/** Why an import is unreadable or was stopped. */
type ImportProblem = { readonly code: string; readonly message: string }

/** What changes in an import, as it is stored. */
export type ImportValues = {
  readonly status: Status
  readonly file_id: string | null
  readonly chosen: Chosen
  readonly format: StoredFormat | null
  readonly source: string
  readonly mapping: readonly ColumnMapping[]
  readonly is_mapping_guessed: boolean
  readonly ambiguous: readonly AmbiguousColumn[]
  readonly options: Options
  readonly counts: Counts
  readonly position: number | null
  readonly handled_count: number
  readonly group_count: number
  readonly is_fully_checked: boolean
  readonly problem: ImportProblem | null
  readonly started_by: string | null
  readonly checked_at: Date | null
  readonly started_at: Date | null
  readonly ended_at: Date | null
  readonly emptied_at: Date | null
}

/** An import as it is stored. */
export type ImportRow = Recorded<ImportValues> & {
  readonly id: string
  readonly kind: Kind
  readonly file_name: string
  readonly byte_size: string
  readonly sha256: Buffer
  readonly starter_name: string | null
  readonly undo_until: Date | null
  /** In how many seconds the import, or the values of its rows, are deleted. */
  readonly expires_in: number
}

/** How long an import can be undone, and its rows have values. */
const DAYS = sql`interval '30 days'`

const columns = sql`i.id, i.kind, i.status, i.file_id, i.file_name, i.byte_size, i.sha256, i.chosen, i.format, i.source,
  i.mapping, i.is_mapping_guessed, i.ambiguous, i.options, i.counts, i.position, i.handled_count, i.group_count,
  i.is_fully_checked, i.problem, i.started_by, i.checked_at, i.started_at, i.ended_at, i.emptied_at, i.revision, i.created_at, i.updated_at,
  m.name as starter_name, i.ended_at + ${DAYS} as undo_until,
  ceil(extract(epoch from coalesce(i.ended_at, i.updated_at) + ${DAYS} - (select stoa.now())))::integer as expires_in`

const tables = sql`imports i left join members m on m.school_id = i.school_id and m.id = i.started_by`

/** Which imports somebody may see: those of a kind, of one starter or of all. */
export type Visible = { readonly kind: Kind; readonly starterId: string | undefined }

const isVisible = (schoolId: string, { kind, starterId }: Visible): Statement =>
  joinConditions(
    sql`i.school_id = ${schoolId} and i.kind = ${kind}`,
    when(starterId, id => sql`i.started_by = ${id}`),
  )

/** The imports that somebody may see, the newest first. */
export const importList = (schoolId: string, visible: Visible, status: Status | undefined): List<ImportRow> => ({
  columns,
  from: tables,
  where: joinConditions(
    isVisible(schoolId, visible),
    when(status, one => sql`i.status = ${one}`),
  ),
  id: sql`i.id`,
  sort: '-created_at',
})

/** An import that somebody may see. */
export const findVisible = (db: Db, schoolId: string, visible: Visible, id: string) =>
  db.first(sql<ImportRow>`select ${columns} from ${tables} where ${isVisible(schoolId, visible)} and i.id = ${id}`)

/** An import. */
export const findImport = (db: Db, schoolId: string, id: string) =>
  db.first(sql<ImportRow>`select ${columns} from ${tables} where i.school_id = ${schoolId} and i.id = ${id}`)

/** Locks an import until the transaction ends. */
export const lockImport = async (db: Db, schoolId: string, id: string): Promise<ImportRow | undefined> => {
  await db.run(sql`select from imports where school_id = ${schoolId} and id = ${id} for update`)
  return findImport(db, schoolId, id)
}

type NewImport = Pick<ImportRow, 'id' | 'kind' | 'file_name' | 'sha256' | 'options' | 'counts'> & {
  readonly fileId: string
  readonly byteSize: number
  readonly starterId: string
}

/** Stores an import whose file is to be read. */
export const insertImport = (db: Db, schoolId: string, one: NewImport) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into imports (school_id, id, kind, status, file_id, file_name, byte_size, sha256, options, counts, started_by,
      created_at, updated_at)
    select ${schoolId}, ${one.id}, ${one.kind}, 'reading', ${one.fileId}, ${one.file_name}, ${one.byteSize}::bigint, ${one.sha256},
      ${JSON.stringify(one.options)}::jsonb, ${JSON.stringify(one.counts)}::jsonb, ${one.starterId}, now, now from clock`)

const JSON_COLUMNS = ['chosen', 'format', 'mapping', 'ambiguous', 'options', 'counts', 'problem']

// The driver would send a list as an array of PostgreSQL.
const encodeValue = ([name, value]: [string, unknown]): [string, unknown] =>
  JSON_COLUMNS.includes(name) && value !== null ? [name, JSON.stringify(value)] : [name, value]

/** Stores values of a locked import as its next revision, and returns it. */
export const storeImport = async (
  db: Db,
  schoolId: string,
  id: string,
  values: Partial<ImportValues>,
): Promise<ImportRow> => {
  const encoded: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(values).map(encodeValue))
  await db.run(sql`
    update imports set ${buildAssignments(encoded, Object.keys(encoded))}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
  return db.one(sql<ImportRow>`select ${columns} from ${tables} where i.school_id = ${schoolId} and i.id = ${id}`)
}

/** Deletes an import with its rows. */
export const deleteImportRow = async (db: Db, schoolId: string, id: string): Promise<void> => {
  await db.run(sql`delete from import_rows where school_id = ${schoolId} and import_id = ${id}`)
  await db.run(sql`delete from imports where school_id = ${schoolId} and id = ${id}`)
}

/** The imports that refer to these files. */
export const listImportsWith = (db: Db, schoolId: string, fileIds: readonly string[]) =>
  db.all(sql<{ id: string; file_id: string; file_name: string }>`
    select id, file_id, file_name from imports where school_id = ${schoolId} and file_id = any (${fileIds}::uuid[])`)

/** The imports that a member started. */
export const listStartedBy = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<{ id: string; file_name: string; created_at: Date }>`
    select id, file_name, created_at from imports where school_id = ${schoolId} and started_by = ${memberId} order by id`)

/** Leaves nobody, or somebody else, as the one who started the imports of a member. */
export const moveStarted = (db: Db, schoolId: string, memberId: string, intoId: string | null) =>
  db.run(sql`
    update imports set started_by = ${intoId}::uuid where school_id = ${schoolId} and started_by = ${memberId}`)
