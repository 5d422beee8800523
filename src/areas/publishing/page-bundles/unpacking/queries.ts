import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { ProblemCode } from '../archive/schema.ts'

/** The kind of job that checks and unpacks a deployment. */
export const DEPLOYMENT_JOB = 'deployment'

/** Where the content with a hash is in the store. */
export const objectKey = (schoolId: string, sha256: Buffer): string => `sites/${schoolId}/${sha256.toString('hex')}`

/** A deployment that is to be checked; undefined when it is checked or deleted. */
export const findUnchecked = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ page_id: string; file_id: string } | undefined> =>
  db.first(sql<{ page_id: string; file_id: string }>`
    select page_id, file_id from page_deployments
    where school_id = ${schoolId} and id = ${id} and status = 'uploaded'`)

/** Whether a deployment is still to be checked; it is not deleted until the transaction ends. */
export const lockUnchecked = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select from page_deployments where school_id = ${schoolId} and id = ${id} and status = 'uploaded' for update`)) !==
  undefined

type NewObject = { readonly sha256: Buffer; readonly size: number }

const asRows = (objects: readonly NewObject[]): string =>
  JSON.stringify(objects.map(({ sha256, size }) => ({ sha256: sha256.toString('hex'), size })))

/** Adds the objects that a school does not have; returns how many bytes they are. */
export const insertObjects = async (db: Db, schoolId: string, objects: readonly NewObject[]): Promise<number> => {
  const { bytes } = await db.one(sql<{ bytes: string }>`
    with added as (
      insert into page_objects (school_id, sha256, byte_size)
      select ${schoolId}, decode(o.sha256, 'hex'), o.size
      from jsonb_to_recordset(${asRows(objects)}::jsonb) as o (sha256 text, size bigint)
      order by o.sha256
      on conflict (school_id, sha256) do nothing
      returning byte_size
    )
    select coalesce(sum(byte_size), 0)::text as bytes from added`)
  return Number(bytes)
}

/** An object that a deployment needs. */
type NeededObject = { readonly sha256: Buffer; readonly is_stored: boolean; readonly is_removing: boolean }

/** What of these objects is in the store, and what is being removed. */
export const listNeeded = (db: Db, schoolId: string, objects: readonly NewObject[]) =>
  db.all(sql<NeededObject>`
    select sha256, stored_at is not null as is_stored, removing_since is not null as is_removing
    from page_objects
    where school_id = ${schoolId} and sha256 in (
      select decode(o.sha256, 'hex') from jsonb_to_recordset(${asRows(objects)}::jsonb) as o (sha256 text))
    order by sha256`)

/** Stores which content a deployment has at which path; what an interrupted run stored is replaced. */
export const putDeployedFiles = async (
  db: Db,
  schoolId: string,
  id: string,
  files: readonly { readonly path: string; readonly sha256: Buffer }[],
): Promise<void> => {
  const rows = files.map(({ path, sha256 }) => ({ path, sha256: sha256.toString('hex') }))
  await db.run(sql`delete from page_deployment_files where school_id = ${schoolId} and deployment_id = ${id}`)
  await db.run(sql`
    insert into page_deployment_files (school_id, deployment_id, path, sha256)
    select ${schoolId}, ${id}, f.path, decode(f.sha256, 'hex')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f (path text, sha256 text)`)
}

/** Records that objects are in the store. */
export const storeStored = (db: Db, schoolId: string, hashes: readonly Buffer[]) =>
  db.run(sql`
    update page_objects set stored_at = (select stoa.now())
    where school_id = ${schoolId} and removing_since is null and sha256 in (
      select decode(h, 'hex') from unnest(${hashes.map(hash => hash.toString('hex'))}::text[]) as h)`)

/** What an archive contains. */
type Contents = {
  readonly fileCount: number
  readonly bytes: number
  readonly ignored: number
  readonly rootFolder: string | null
}

type Settled = { readonly page_id: string; readonly updated_at: Date; readonly revision: number }

/** Makes an unpacked deployment one that can be promoted; undefined when it was deleted meanwhile. */
export const storeChecked = (
  db: Db,
  schoolId: string,
  id: string,
  { fileCount, bytes, ignored, rootFolder }: Contents,
) =>
  db.first(sql<Settled>`
    with clock as materialized (select stoa.now() as now)
    update page_deployments set status = 'checked', file_count = ${fileCount}, byte_size = ${bytes}::bigint,
      ignored_count = ${ignored}, root_folder = ${rootFolder}, checked_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'uploaded'
    returning page_id, updated_at, revision`)

/** Refuses a deployment, which then has no files; undefined when it was deleted meanwhile. */
export const storeRefused = async (
  db: Db,
  schoolId: string,
  id: string,
  problems: readonly { readonly code: ProblemCode; readonly entry: string | null }[],
): Promise<Settled | undefined> => {
  await db.run(sql`
    delete from page_deployment_files f using page_deployments d
    where f.school_id = ${schoolId} and f.deployment_id = ${id} and d.school_id = f.school_id
      and d.id = f.deployment_id and d.status = 'uploaded'`)
  const stored = JSON.stringify(problems.map(({ code, entry }) => ({ code, entry })))
  return db.first(sql<Settled>`
    with clock as materialized (select stoa.now() as now)
    update page_deployments set status = 'refused', problems = ${stored}::jsonb, checked_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and status = 'uploaded'
    returning page_id, updated_at, revision`)
}
