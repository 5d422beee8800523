import type { EnrollmentUndo, GroupUndo, ProgressUndo } from '#src/areas/learning/index.ts'
import type { MemberUndo } from '#src/areas/people/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { TableRow } from '#src/kit/tabular/index.ts'

/** What undoing a row needs, as the functions that wrote it returned it. */
export type RowUndo = {
  readonly member?: MemberUndo | undefined
  readonly enrollment?: EnrollmentUndo | undefined
  readonly progress?: ProgressUndo | undefined
  readonly groups?: readonly GroupUndo[] | undefined
}

/** The result of a row. */
export type RowStatus = 'created' | 'updated' | 'unchanged' | 'failed' | 'skipped' | 'undone' | 'kept'

/** A row of an import as it is stored. */
export type StoredRow = {
  readonly number: number
  readonly status: RowStatus | null
  readonly cells: TableRow['cells'] | null
  readonly fault: TableRow['fault'] | null
  readonly duplicate_of: number | null
  readonly member_id: string | null
  readonly enrollment_id: string | null
  readonly errors: readonly FieldError[]
  readonly notices: readonly FieldError[]
  readonly reason: string | null
  readonly undo: RowUndo | null
  /** Whether lecturers may know who the member is. */
  readonly is_disclosed: boolean
  readonly is_to_invite: boolean
}

const columns = sql`r.number, r.status, r.cells, r.fault, r.duplicate_of, r.member_id, r.enrollment_id, r.errors, r.notices,
  r.reason, r.undo, r.is_disclosed, r.is_to_invite`

const ofImport = (schoolId: string, importId: string): Statement =>
  sql`r.school_id = ${schoolId} and r.import_id = ${importId}`

/** Which rows of an import are listed. */
export type RowFilter = { readonly status: RowStatus | undefined; readonly notice: string | undefined }

const isListed = (schoolId: string, importId: string, { status, notice }: RowFilter): Statement =>
  joinConditions(
    ofImport(schoolId, importId),
    sql`r.status is not null`,
    when(status, one => sql`r.status = ${one}`),
    when(notice, code => sql`r.notices @> ${JSON.stringify([{ code }])}::jsonb`),
  )

/** The rows of an import that have a result, in the order of the file. */
export const rowsStatement = (schoolId: string, importId: string, filter: RowFilter): Statement<StoredRow> =>
  sql<StoredRow>`select ${columns} from import_rows r where ${isListed(schoolId, importId, filter)} order by r.number`

/** At most `rows` of them, after the one with a number. */
export const listRows = (
  db: Db,
  schoolId: string,
  importId: string,
  { filter, rows, after }: { readonly filter: RowFilter; readonly rows: number; readonly after: number },
) =>
  db.all(sql<StoredRow>`
    select ${columns} from import_rows r
    where ${isListed(schoolId, importId, filter)} and r.number > ${after} order by r.number limit ${rows}`)

/** How many of them there are. */
export const countRows = async (db: Db, schoolId: string, importId: string, filter: RowFilter): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from import_rows r where ${isListed(schoolId, importId, filter)}`)
  ).count

/** The next rows of an import after a number, in the order of the file, whatever became of them. */
export const listNext = (db: Db, schoolId: string, importId: string, after: number, most: number) =>
  db.all(sql<StoredRow>`
    select ${columns} from import_rows r
    where ${ofImport(schoolId, importId)} and r.number > ${after} order by r.number limit ${most}`)

/** The last rows of an import that changed something and are not undone yet, the last first. */
export const listUndoable = (db: Db, schoolId: string, importId: string, most: number) =>
  db.all(sql<StoredRow>`
    select ${columns} from import_rows r
    where ${ofImport(schoolId, importId)} and r.undo is not null
    order by r.number desc limit ${most}`)

const BATCH = 200

/** The rows of an import as they are in the file, 200 at a time. */
export async function* readStoredRows(db: Db, schoolId: string, importId: string): AsyncGenerator<TableRow> {
  for (let after = -1; ; ) {
    const rows = await listNext(db, schoolId, importId, after, BATCH)
    yield* rows.map(toTableRow)
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last.number
  }
}

/** A row as it is in the file. */
export const toTableRow = ({ number, cells, fault }: StoredRow): TableRow => ({
  number,
  cells: cells ?? [],
  ...(fault === null || fault === undefined ? {} : { fault }),
})

/** Stores rows of the file of an import that is being read in this revision; returns whether it still is. */
export const insertRows = async (
  db: Db,
  schoolId: string,
  at: { readonly id: string; readonly revision: number },
  rows: readonly TableRow[],
): Promise<boolean> => {
  const stored = await db.run(sql`
    with read as (
      select i.school_id, i.id from imports i
      where i.school_id = ${schoolId} and i.id = ${at.id} and i.revision = ${at.revision} and i.status = 'reading' for share
    )
    insert into import_rows (school_id, import_id, number, cells, fault)
    select read.school_id, read.id, t.number, t.cells, t.fault
    from read cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (number integer, cells jsonb, fault text)
    on conflict (school_id, import_id, number) do update set cells = excluded.cells`)
  return stored > 0
}

/** Deletes the rows of an import. */
export const deleteRows = (db: Db, schoolId: string, importId: string) =>
  db.run(sql`delete from import_rows where school_id = ${schoolId} and import_id = ${importId}`)

/** Forgets what became of the rows of an import, so that it can be checked again. */
export const resetRows = (db: Db, schoolId: string, importId: string) =>
  db.run(sql`
    update import_rows set status = null, duplicate_of = null, member_id = null, enrollment_id = null, errors = '[]',
      notices = '[]', reason = null, undo = null, is_to_invite = false
    where school_id = ${schoolId} and import_id = ${importId}
      and (status is not null or duplicate_of is not null)`)

/** Stores which rows name somebody whom a row before them names. */
export const storeDuplicates = (
  db: Db,
  schoolId: string,
  importId: string,
  pairs: readonly { readonly number: number; readonly first: number }[],
) =>
  db.run(sql`
    update import_rows r set duplicate_of = p.first
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (number integer, first integer)
    where r.school_id = ${schoolId} and r.import_id = ${importId} and r.number = p.number`)

/** What became of a row. */
export type RowResult = Pick<StoredRow, 'number' | 'status' | 'errors' | 'notices'> &
  Partial<Pick<StoredRow, 'member_id' | 'enrollment_id' | 'undo' | 'is_disclosed' | 'is_to_invite'>>

/** Stores what became of rows. */
export const storeResults = (db: Db, schoolId: string, importId: string, results: readonly RowResult[]) =>
  db.run(sql`
    update import_rows r set status = t.status, member_id = t.member_id, enrollment_id = t.enrollment_id,
      errors = t.errors, notices = t.notices, undo = t.undo,
      is_disclosed = coalesce(t.is_disclosed, true), is_to_invite = coalesce(t.is_to_invite, false)
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as t (number integer, status text, member_id uuid,
      enrollment_id uuid, errors jsonb, notices jsonb, undo jsonb, is_disclosed boolean, is_to_invite boolean)
    where r.school_id = ${schoolId} and r.import_id = ${importId} and r.number = t.number`)

/** Stores which rows were undone, and why the others were not. */
export const storeUndone = (
  db: Db,
  schoolId: string,
  importId: string,
  results: readonly { readonly number: number; readonly status: RowStatus; readonly reason: string | null }[],
) =>
  db.run(sql`
    update import_rows r set status = t.status, reason = t.reason, undo = null, is_to_invite = false
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as t (number integer, status text, reason text)
    where r.school_id = ${schoolId} and r.import_id = ${importId} and r.number = t.number`)

/** Deletes the values of the rows of an import; what became of them stays. */
export const emptyRows = (db: Db, schoolId: string, importId: string) =>
  db.run(sql`
    update import_rows set cells = null, undo = null, errors = '[]', is_to_invite = false
    where school_id = ${schoolId} and import_id = ${importId}`)

/** Deletes what the rows about some members, and those that repeat them, say of them. */
export const blankMemberRows = (db: Db, schoolId: string, memberIds: readonly string[]) =>
  db.run(sql`
    with own as materialized (
      select import_id, number from import_rows where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[])
    ), found as (
      select import_id, number from own
      union
      select r.import_id, r.number from own join import_rows r
        on r.school_id = ${schoolId} and r.import_id = own.import_id and r.duplicate_of = own.number
    )
    update import_rows r set cells = null, undo = null, errors = '[]', notices = '[]', member_id = null, is_to_invite = false
    from found f where r.school_id = ${schoolId} and r.import_id = f.import_id and r.number = f.number`)

/** Makes the rows about one member rows about another. */
export const moveRows = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update import_rows set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)

/** The rows about a member, with the files that they are from. */
export const listMemberRows = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<{ import_id: string; file_name: string; number: number; status: RowStatus | null; ended_at: Date | null }>`
    select r.import_id, i.file_name, r.number, r.status, i.ended_at
    from import_rows r join imports i on i.school_id = r.school_id and i.id = r.import_id
    where r.school_id = ${schoolId} and r.member_id = ${memberId} order by r.import_id, r.number`)
