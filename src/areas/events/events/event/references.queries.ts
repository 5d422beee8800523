import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The name of an event that is not deleted; locks it, so that it is not deleted meanwhile. */
export const shareEvent = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ name: string }>`
      select ev.name from events ev where ev.school_id = ${schoolId} and ev.id = ${id} and ev.deleted_at is null
      for share`)
  )?.name

/** Those of some files that are images of events, and whether everybody may see them. */
export const listImages = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ file_id: string; event_id: string; name: string; is_public: boolean }[]> =>
  db.all(sql<{ file_id: string; event_id: string; name: string; is_public: boolean }>`
    select ev.image_file_id as file_id, ev.id as event_id, ev.name,
      ev.status <> 'draft' and ev.visibility = 'public' as is_public
    from events ev
    where ev.school_id = ${schoolId} and ev.image_file_id = any (${fileIds}::uuid[]) and ev.deleted_at is null`)

/** Forgets who created events. */
export const eraseAuthor = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`update events set author_id = null where school_id = ${schoolId} and author_id = ${memberId}`)

/** Gives the events that one member created to another. */
export const moveAuthor = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`update events set author_id = ${intoId} where school_id = ${schoolId} and author_id = ${fromId}`)

/** The events that a member created. */
export const listCreated = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ id: string; name: string; description: string; status: string; created_at: Date }[]> =>
  db.all(sql<{ id: string; name: string; description: string; status: string; created_at: Date }>`
    select ev.id, ev.name, ev.description, ev.status, ev.created_at from events ev
    where ev.school_id = ${schoolId} and ev.author_id = ${memberId} and ev.deleted_at is null order by ev.id`)
