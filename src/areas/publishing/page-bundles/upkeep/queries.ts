import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The kind of job that removes the objects of a school that no deployment has, with the id of the school. */
export const OBJECTS_JOB = 'page_objects'

/** Has the objects of a school swept in so many seconds, or earlier where that was planned. */
export const scheduleObjects = (db: Db, schoolId: string, seconds: number) =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at)
    values (${schoolId}, ${OBJECTS_JOB}, ${schoolId}, (select stoa.now()) + make_interval(secs => ${seconds}))
    on conflict (school_id, kind, id) do update
      set due_at = least(j.due_at, excluded.due_at), attempt = j.attempt + 1`)

/**
 * Locks the objects of a school until the transaction ends, so that none is marked as unused while a deployment takes it.
 * The statement that follows sees everything that was committed before.
 */
export const lockObjects = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select id from schools where id = ${schoolId} for no key update`)

/** Marks the objects that no deployment has, so that none takes them any more; the objects are locked. */
export const markUnused = (db: Db, schoolId: string) =>
  db.run(sql`
    update page_objects o set removing_since = (select stoa.now())
    where o.school_id = ${schoolId} and o.removing_since is null and not exists (
      select from page_deployment_files f where f.school_id = ${schoolId} and f.sha256 = o.sha256)`)

/** Objects that are being removed, at most `most`. */
export const listRemoving = async (db: Db, schoolId: string, most: number): Promise<Buffer[]> =>
  (
    await db.all(sql<{ sha256: Buffer }>`
      select sha256 from page_objects where school_id = ${schoolId} and removing_since is not null
      order by sha256 limit ${most}`)
  ).map(({ sha256 }) => sha256)

const toHex = (hashes: readonly Buffer[]): string[] => hashes.map(hash => hash.toString('hex'))

/** Deletes the rows of objects that were removed; returns how many bytes they had. */
export const deleteObjects = async (db: Db, schoolId: string, hashes: readonly Buffer[]): Promise<number> => {
  const { bytes } = await db.one(sql<{ bytes: string }>`
    with gone as (
      delete from page_objects where school_id = ${schoolId} and removing_since is not null and sha256 in (
        select decode(h, 'hex') from unnest(${toHex(hashes)}::text[]) as h)
      returning byte_size
    )
    select coalesce(sum(byte_size), 0)::text as bytes from gone`)
  return Number(bytes)
}

/**
 * Marks objects without rows as being removed, so that no deployment takes them meanwhile; those that have a row stay as
 * they are. They never counted towards the quota.
 */
export const markUnknown = (db: Db, schoolId: string, hashes: readonly Buffer[]) =>
  db.run(sql`
    insert into page_objects (school_id, sha256, byte_size, removing_since)
    select ${schoolId}, decode(h, 'hex'), 0, (select stoa.now()) from unnest(${toHex(hashes)}::text[]) as h
    order by h
    on conflict (school_id, sha256) do nothing`)
