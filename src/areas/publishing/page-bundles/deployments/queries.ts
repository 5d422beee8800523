import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import type { ProblemCode } from '../archive/schema.ts'

/** A deployment as it is stored, and whether its page shows it. */
export type DeploymentRow = Recorded & {
  readonly id: string
  readonly page_id: string
  readonly page_path: string
  readonly file_id: string
  readonly status: 'uploaded' | 'checked' | 'refused'
  readonly problems: readonly { readonly code: ProblemCode; readonly entry: string | null }[]
  readonly file_count: number | null
  readonly byte_size: string | null
  readonly ignored_count: number | null
  readonly root_folder: string | null
  readonly checked_at: Date | null
  readonly promoted_at: Date | null
  readonly superseded_at: Date | null
  readonly is_live: boolean
  /** The host for the pages of the school. */
  readonly pages_host: string | null
  /** The instant of the statement. */
  readonly asked_at: Date
}

const columns = sql`d.id, d.page_id, p.path as page_path, d.file_id, d.status, d.problems, d.file_count, d.byte_size,
  d.ignored_count, d.root_folder, d.checked_at, d.promoted_at, d.superseded_at, d.revision, d.created_at, d.updated_at,
  p.live_deployment_id is not distinct from d.id as is_live, h.host as pages_host, (select now from clock) as asked_at`

const tables = sql`page_deployments d
  join pages p on p.school_id = d.school_id and p.id = d.page_id
  left join hosts h on h.school_id = d.school_id and h.purpose = 'pages'`

const ofPage = (schoolId: string, pageId: string): Statement => sql`d.school_id = ${schoolId} and d.page_id = ${pageId}`

/** The deployments of a page, the newest first. */
export const deploymentList = (schoolId: string, pageId: string): List<DeploymentRow> => ({
  columns,
  from: tables,
  where: ofPage(schoolId, pageId),
  id: sql`d.id`,
  sort: '-created_at',
  hasClock: true,
})

/** A deployment of a page. */
export const findDeployment = (db: Db, schoolId: string, pageId: string, id: string) =>
  db.first(sql<DeploymentRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from ${tables} where ${ofPage(schoolId, pageId)} and d.id = ${id}`)

/** How many deployments a page has. */
export const countDeployments = async (db: Db, schoolId: string, pageId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from page_deployments d where ${ofPage(schoolId, pageId)}`)
  ).count

/** Stores an archive that is to be checked. */
export const insertDeployment = (
  db: Db,
  schoolId: string,
  { id, pageId, fileId }: { readonly id: string; readonly pageId: string; readonly fileId: string },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into page_deployments (school_id, id, page_id, file_id, status, created_at, updated_at)
    select ${schoolId}, ${id}, ${pageId}, ${fileId}, 'uploaded', now, now from clock`)

/** Makes a deployment of a locked page the live one; the one before is superseded. */
export const storeLive = async (db: Db, schoolId: string, pageId: string, id: string): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update page_deployments d set revision = d.revision + 1, updated_at = (select now from clock),
      promoted_at = case when d.id = ${id} then (select now from clock) else d.promoted_at end,
      superseded_at = case when d.id = ${id} then d.superseded_at else (select now from clock) end
    from pages p
    where ${ofPage(schoolId, pageId)} and p.school_id = d.school_id and p.id = d.page_id
      and (d.id = ${id} or d.id = p.live_deployment_id)`)
  await db.run(sql`
    update pages set live_deployment_id = ${id}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${pageId}`)
}

/** Deletes a deployment that is not live, with its list of files; the worker removes what nothing else has. */
export const deleteDeploymentRow = async (db: Db, schoolId: string, id: string): Promise<void> => {
  await db.run(sql`delete from page_deployment_files where school_id = ${schoolId} and deployment_id = ${id}`)
  await db.run(sql`delete from page_deployments where school_id = ${schoolId} and id = ${id}`)
}

/** Deletes all deployments of a page, the live one too; returns how many there were. */
export const deleteOfPage = async (db: Db, schoolId: string, pageId: string): Promise<number> => {
  await db.run(sql`
    update all_pages set live_deployment_id = null
    where school_id = ${schoolId} and id = ${pageId} and live_deployment_id is not null`)
  await db.run(sql`
    delete from page_deployment_files f using page_deployments d
    where f.school_id = ${schoolId} and ${ofPage(schoolId, pageId)} and d.id = f.deployment_id`)
  return db.run(sql`delete from page_deployments d where ${ofPage(schoolId, pageId)}`)
}

/** A file of a deployment. */
export type DeployedFile = { readonly path: string; readonly sha256: Buffer; readonly byte_size: string }

/** The files of a deployment in the order of their paths. */
export const listDeployedFiles = (db: Db, schoolId: string, id: string) =>
  db.all(sql<DeployedFile>`
    select f.path, f.sha256, o.byte_size
    from page_deployment_files f join page_objects o on o.school_id = f.school_id and o.sha256 = f.sha256
    where f.school_id = ${schoolId} and f.deployment_id = ${id} order by f.path`)

/** Which of these uploads are the archives of deployments. */
export const listArchives = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; file_id: string }[]> =>
  db.all(sql<{ id: string; file_id: string }>`
    select d.id, d.file_id from page_deployments d where d.school_id = ${schoolId} and d.file_id = any (${fileIds}::uuid[])`)

/** The path of a page and the host for the pages of the school; undefined where it has none. */
export const findStaticAddress = (
  db: Db,
  schoolId: string,
  pageId: string,
): Promise<{ path: string; host: string } | undefined> =>
  db.first(sql<{ path: string; host: string }>`
    select p.path, h.host from pages p join hosts h on h.school_id = p.school_id and h.purpose = 'pages'
    where p.school_id = ${schoolId} and p.id = ${pageId}`)
