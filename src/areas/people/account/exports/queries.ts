import type { Db, Recorded } from '#src/contract/db.ts'
import { putJob } from '#src/db/jobs.ts'
import { keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions } from '#src/db/where.ts'

/** The kind of job that generates an export and deletes it after a week. */
export const EXPORT_JOB = 'account_export'

/** An export as it is stored. */
export type ExportRow = Recorded & {
  readonly id: string
  readonly member_id: string
  readonly status: 'pending' | 'ready' | 'failed'
  readonly file_id: string | null
  readonly expires_at: Date | null
}

const columns = sql`x.id, x.member_id, x.status, x.file_id, x.expires_at, x.revision, x.created_at, x.updated_at`

/** The exports of a member, the newest first, after `after`. */
export const listAccountExports = (
  db: Db,
  schoolId: string,
  memberId: string,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<ExportRow[]> => {
  const { order, behind } = keyset(sql`x.id`, { isDescending: true }, after)
  return db.all(sql<ExportRow>`
    select ${columns} from exports x
    where ${joinConditions(sql`x.school_id = ${schoolId} and x.member_id = ${memberId}`, behind)} order by ${order} limit ${rows}`)
}

/** How many exports a member has. */
export const countExports = async (db: Db, schoolId: string, memberId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from exports where school_id = ${schoolId} and member_id = ${memberId}`)
  ).count

/** An export by the id of its row. */
export const findExport = (db: Db, schoolId: string, id: string | undefined) =>
  db.first(sql<ExportRow>`select ${columns} from exports x where x.school_id = ${schoolId} and x.id = ${id}::uuid`)

/** The newest export of a member that was requested within this many seconds and did not fail. */
export const findRecent = (
  db: Db,
  schoolId: string,
  memberId: string,
  seconds: number,
): Promise<(ExportRow & { readonly wait: number }) | undefined> =>
  db.first(sql<ExportRow & { readonly wait: number }>`
    with clock as materialized (select stoa.now() as now)
    select ${columns},
      ceil(extract(epoch from x.created_at - (select now from clock)) + ${seconds}::integer)::integer as wait
    from exports x
    where x.school_id = ${schoolId} and x.member_id = ${memberId} and x.status <> 'failed'
      and (x.status = 'pending' or x.created_at > (select now from clock) - make_interval(secs => ${seconds}))
    order by x.id desc limit 1`)

/** Stores the request of an export, with the job that generates it. */
export const insertExport = async (
  db: Db,
  schoolId: string,
  ids: { readonly id: string; readonly memberId: string },
): Promise<ExportRow> => {
  const row = await db.one(sql<ExportRow>`
    with clock as materialized (select stoa.now() as now)
    insert into exports as x (school_id, id, member_id, status, created_at, updated_at)
    select ${schoolId}, ${ids.id}, ${ids.memberId}, 'pending', now, now from clock
    returning ${columns}`)
  await putJob(db, schoolId, { kind: EXPORT_JOB, id: ids.id, dueAt: row.created_at })
  return row
}

/** Stores the file of an export; nothing when the export was deleted meanwhile. */
export const storeReadyExport = (
  db: Db,
  schoolId: string,
  id: string,
  file: { readonly fileId: string; readonly seconds: number },
) =>
  db.first(sql<ExportRow>`
    with clock as materialized (select stoa.now() as now)
    update exports x set status = 'ready', file_id = ${file.fileId}, revision = revision + 1,
      updated_at = (select now from clock),
      expires_at = (select now from clock) + make_interval(secs => ${file.seconds})
    where x.school_id = ${schoolId} and x.id = ${id} and x.status = 'pending'
    returning ${columns}`)

/** Stores that generating an export failed. */
export const storeFailedExport = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update exports set status = 'failed', revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and status = 'pending'`)

/** Deletes an export; returns its file, which the caller discards. */
export const deleteExport = (db: Db, schoolId: string, id: string) =>
  db.first(sql<{ file_id: string | null }>`
    delete from exports where school_id = ${schoolId} and id = ${id} returning file_id`)

/** Deletes all exports of a member; returns their files. */
export const deleteStoredExports = async (db: Db, schoolId: string, memberId: string): Promise<string[]> => {
  const rows = await db.all(sql<{ file_id: string | null }>`
    delete from exports where school_id = ${schoolId} and member_id = ${memberId} returning file_id`)
  return rows.flatMap(({ file_id }) => (file_id === null ? [] : [file_id]))
}

/** The files among these that are exports. */
export const exportsWith = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; file_id: string }[]> =>
  db.all(sql<{ id: string; file_id: string }>`
    select id, file_id from exports where school_id = ${schoolId} and file_id = any (${fileIds}::uuid[])`)
