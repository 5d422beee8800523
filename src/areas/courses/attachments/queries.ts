import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { byInteger, keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions } from '#src/db/where.ts'

/** A file that is attached to a lesson. */
export type AttachmentRow = Recorded & {
  readonly id: string
  readonly lesson_id: string
  readonly file_id: string
  readonly name: string
  readonly position: number
}

const columns = sql`a.id, a.lesson_id, a.file_id, a.name, a.position, a.revision, a.created_at, a.updated_at`

/** The attachments of some lessons, each lesson's in their order. */
export const listAttachments = (db: Db, schoolId: string, lessonIds: readonly string[]) =>
  db.all(sql<AttachmentRow>`
    select ${columns} from lesson_attachments a
    where a.school_id = ${schoolId} and a.lesson_id = any (${lessonIds}::uuid[]) order by a.position, a.id`)

/** The attachments of a lesson in their order, after a position. */
export const listSomeAttachments = (
  db: Db,
  schoolId: string,
  lessonId: string,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<AttachmentRow[]> => {
  const { order, behind } = keyset(sql`a.id`, { key: byInteger(sql`a.position`), isDescending: false }, after)
  return db.all(sql<AttachmentRow>`
    select ${columns} from lesson_attachments a
    where ${joinConditions(sql`a.school_id = ${schoolId} and a.lesson_id = ${lessonId}`, behind)}
    order by ${order} limit ${rows}`)
}

/** The id of the lesson of an attachment, which never changes. */
export const findLessonId = async (db: Db, schoolId: string, id: string | undefined): Promise<string | undefined> =>
  (
    await db.first(sql<{ lesson_id: string }>`
      select lesson_id from lesson_attachments where school_id = ${schoolId} and id = ${id}::uuid`)
  )?.lesson_id

/** One attachment. */
export const findAttachment = (db: Db, schoolId: string, id: string | undefined) =>
  db.first(sql<AttachmentRow>`
    select ${columns} from lesson_attachments a where a.school_id = ${schoolId} and a.id = ${id}::uuid`)

/** An attachment to be stored. */
type NewAttachment = {
  readonly id: string
  readonly lesson_id: string
  readonly file_id: string
  readonly name: string
  readonly position: number
}

const inserted = (schoolId: string, rows: readonly NewAttachment[]): Statement<AttachmentRow> => sql`
    with clock as materialized (select stoa.now() as now)
    insert into lesson_attachments as a (school_id, id, lesson_id, file_id, name, position, created_at, updated_at)
    select ${schoolId}, r.id, r.lesson_id, r.file_id, r.name, r.position, now, now
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id uuid, lesson_id uuid, file_id uuid, name text, position integer),
      clock
    returning ${columns}`

/** Stores an attachment; the course of its lesson is locked. */
export const insertAttachment = (db: Db, schoolId: string, row: NewAttachment): Promise<AttachmentRow> =>
  db.one(inserted(schoolId, [row]))

/** Stores attachments; the courses of their lessons are locked. */
export const insertAttachments = (db: Db, schoolId: string, rows: readonly NewAttachment[]) =>
  db.run(inserted(schoolId, rows))

/** Stores another name of an attachment as its next revision. */
export const renameAttachment = (db: Db, schoolId: string, id: string, name: string) =>
  db.one(sql<AttachmentRow>`
    update lesson_attachments a set name = ${name}, revision = revision + 1, updated_at = (select stoa.now())
    where a.school_id = ${schoolId} and a.id = ${id}
    returning ${columns}`)

/** Deletes an attachment. */
export const removeAttachmentRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from lesson_attachments where school_id = ${schoolId} and id = ${id}`)

/** Stores the order of the attachments of a lesson whose course is locked. */
export const storeOrder = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    update lesson_attachments a set position = o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where a.school_id = ${schoolId} and a.id = o.id and a.position <> o.place - 1`)
