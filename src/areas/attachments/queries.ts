import type { Db } from '#src/contract/db.ts'
import { byInteger, keyset } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { allOf } from '#src/db/where.ts'

/** A file that goes with a lesson. */
export type AttachmentRow = {
  readonly id: string
  readonly lesson_id: string
  readonly file_id: string
  readonly name: string
  readonly position: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`a.id, a.lesson_id, a.file_id, a.name, a.position, a.revision, a.created_at, a.updated_at`

/** The attachments of some lessons, each lesson's in their order. */
export const listAttachments = (db: Db, schoolId: string, lessonIds: readonly string[]): Promise<AttachmentRow[]> =>
  db.all(sql<AttachmentRow>`
    select ${columns} from lesson_attachments a
    where a.school_id = ${schoolId} and a.lesson_id = any (${lessonIds}::uuid[]) order by a.position, a.id`)

/** The attachments of a lesson in their order, behind a position. */
export const listSomeAttachments = (
  db: Db,
  schoolId: string,
  lessonId: string,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<AttachmentRow[]> => {
  const { order, behind } = keyset(sql`a.id`, { key: byInteger(sql`a.position`), isDescending: false }, after)
  return db.all(sql<AttachmentRow>`
    select ${columns} from lesson_attachments a
    where ${allOf(sql`a.school_id = ${schoolId} and a.lesson_id = ${lessonId}`, behind)}
    order by ${order} limit ${rows}`)
}

/** One attachment. */
export const findAttachment = (db: Db, schoolId: string, id: string | undefined): Promise<AttachmentRow | undefined> =>
  db.first(sql<AttachmentRow>`
    select ${columns} from lesson_attachments a where a.school_id = ${schoolId} and a.id = ${id}::uuid`)

/** An attachment that is to be stored. */
export type NewAttachment = {
  readonly id: string
  readonly lesson_id: string
  readonly file_id: string
  readonly name: string
  readonly position: number
}

/** Stores attachments; the courses of their lessons are held. */
export const insertAttachments = (db: Db, schoolId: string, rows: readonly NewAttachment[]): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into lesson_attachments (school_id, id, lesson_id, file_id, name, position, created_at, updated_at)
    select ${schoolId}, r.id, r.lesson_id, r.file_id, r.name, r.position, now, now
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id uuid, lesson_id uuid, file_id uuid, name text, position integer),
      clock`)

/** Gives lessons the attachments of those they are copies of. */
export const copyAttachments = async (
  db: Db,
  schoolId: string,
  pairs: readonly { readonly from: string; readonly into: string }[],
  newId: () => string,
): Promise<void> => {
  const intoOf = new Map(pairs.map(({ from, into }) => [from, into]))
  const rows = await listAttachments(db, schoolId, [...intoOf.keys()])
  const copies = rows.map(({ lesson_id: from, file_id, name, position }) => ({
    ...{ id: newId(), lesson_id: intoOf.get(from) ?? '', file_id, name, position },
  }))
  if (copies.length > 0) await insertAttachments(db, schoolId, copies)
}

/** Gives an attachment another name. */
export const renameAttachment = (db: Db, schoolId: string, id: string, name: string): Promise<number> =>
  db.run(sql`
    update lesson_attachments set name = ${name}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Takes an attachment away. */
export const removeAttachmentRow = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`delete from lesson_attachments where school_id = ${schoolId} and id = ${id}`)

/** Puts the attachments of a lesson, whose course is held, in an order. */
export const storeOrder = (db: Db, schoolId: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`
    update lesson_attachments a set position = o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where a.school_id = ${schoolId} and a.id = o.id and a.position <> o.place - 1`)
