import type { Db, Recorded } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A note about a member with who wrote it. */
export type NoteRow = Recorded & {
  readonly id: string
  readonly body: string
  readonly author_id: string | null
  readonly author_name: string | null
}

const noted = sql`
  select n.id, n.body, n.author_id, a.name as author_name, n.revision, n.created_at, n.updated_at
  from member_notes n left join members a on a.school_id = n.school_id and a.id = n.author_id`

/** The notes about a member, newest first, before `before`. */
export const listNotes = (db: Db, schoolId: string, memberId: string, rows: number, before: string | undefined) =>
  db.all(sql<NoteRow>`
    ${noted} where ${joinConditions(
      sql`n.school_id = ${schoolId} and n.member_id = ${memberId}`,
      when(before, id => sql`n.id < ${id}::uuid`),
    )} order by n.id desc limit ${rows}`)

/** All notes about a member, the oldest first. */
export const listMemberNotes = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<NoteRow>`${noted} where n.school_id = ${schoolId} and n.member_id = ${memberId} order by n.id`)

/** How many notes there are about a member. */
export const countNotes = async (db: Db, schoolId: string, memberId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from member_notes where school_id = ${schoolId} and member_id = ${memberId}`)
  ).count

/** A note about a member. */
export const findNote = (db: Db, schoolId: string, memberId: string, id: string) =>
  db.first(sql<NoteRow>`
    ${noted} where n.school_id = ${schoolId} and n.member_id = ${memberId} and n.id = ${id}`)

/** The same, locked until the transaction ends. */
export const lockNote = (db: Db, schoolId: string, memberId: string, id: string) =>
  db.first(sql<NoteRow>`
    ${noted} where n.school_id = ${schoolId} and n.member_id = ${memberId} and n.id = ${id} for no key update of n`)

/** A new note. */
export type NewNote = {
  readonly id: string
  readonly memberId: string
  readonly authorId: string | undefined
  readonly body: string
}

/** Stores a new note about a member. */
export const insertNote = (db: Db, schoolId: string, note: NewNote) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into member_notes (school_id, id, member_id, author_id, body, created_at, updated_at)
    select ${schoolId}, ${note.id}, ${note.memberId}, ${note.authorId}, ${note.body}, now, now
    from clock`)

/** Stores new notes in one statement. */
export const insertNotes = (db: Db, schoolId: string, notes: readonly NewNote[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into member_notes (school_id, id, member_id, author_id, body, created_at, updated_at)
    select ${schoolId}::uuid, r.id, r."memberId", r."authorId", r.body, now, now
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as r (id uuid, "memberId" uuid, "authorId" uuid, body text), clock`)

/** The notes about some members that have one of some texts. */
export const listSameNotes = (db: Db, schoolId: string, memberIds: readonly string[], bodies: readonly string[]) =>
  db.all(sql<{ member_id: string; body: string }>`
    select member_id, body from member_notes
    where school_id = ${schoolId} and member_id = any (${memberIds}::uuid[]) and body = any (${bodies}::text[])`)

/** Stores a changed note as its next revision; returns the columns that changed. */
export const storeNote = (db: Db, schoolId: string, id: string, body: string) =>
  db.one(sql<Pick<NoteRow, 'body' | 'revision' | 'updated_at'>>`
    update member_notes set body = ${body}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}
    returning body, revision, updated_at`)

/** Deletes a note. */
export const deleteNote = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from member_notes where school_id = ${schoolId} and id = ${id}`)
