import type { Db, Recorded } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { ZonedTime } from '#src/kit/local-time.ts'

/** The stored deadline extension of a student. */
export type ExtensionRow = Recorded & {
  readonly member_id: string
  readonly lesson_id: string
  readonly due_local: string
  readonly due_time_zone: string
  readonly note: string | null
}

/** A student and a lesson. */
type Pair = { readonly memberId: string; readonly lessonId: string }

const columns = sql`x.member_id, x.lesson_id, x.due_local, x.due_time_zone, x.note, x.revision, x.created_at,
  x.updated_at`

/** The extension of a student for a lesson. */
export const findExtension = (db: Db, schoolId: string, { memberId, lessonId }: Pair) =>
  db.first(sql<ExtensionRow>`
    select ${columns} from assignment_extensions x
    where x.school_id = ${schoolId} and x.member_id = ${memberId}::uuid and x.lesson_id = ${lessonId}::uuid`)

/** The same, locked until the transaction ends. */
export const lockExtension = (db: Db, schoolId: string, { memberId, lessonId }: Pair) =>
  db.first(sql<ExtensionRow>`
    select ${columns} from assignment_extensions x
    where x.school_id = ${schoolId} and x.member_id = ${memberId}::uuid and x.lesson_id = ${lessonId}::uuid
    for no key update`)

/** Every extension of a student, the oldest first. */
export const listMemberExtensions = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<ExtensionRow>`
    select ${columns} from assignment_extensions x
    where x.school_id = ${schoolId} and x.member_id = ${memberId} order by x.created_at, x.lesson_id`)

/** Stores the extension of a student for a lesson, as its first or next revision. */
export const setExtension = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: Pair,
  { due, note }: { readonly due: ZonedTime; readonly note: string | null },
) =>
  db.one(sql<ExtensionRow>`
    with clock as materialized (select stoa.now() as now)
    insert into assignment_extensions as x (school_id, member_id, lesson_id, due_local, due_time_zone,
      note, created_at, updated_at)
    select ${schoolId}, ${memberId}, ${lessonId}, ${due.local}, ${due.time_zone},
      ${note}, now, now
    from clock
    on conflict (school_id, member_id, lesson_id) do update set due_local = excluded.due_local,
      due_time_zone = excluded.due_time_zone,
      note = excluded.note, revision = x.revision + 1, updated_at = excluded.updated_at
    returning ${columns}`)

/** Deletes an extension. */
export const deleteExtension = (db: Db, schoolId: string, { memberId, lessonId }: Pair) =>
  db.run(sql`
    delete from assignment_extensions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId}`)

/** Forgets what was granted to a person. */
export const eraseExtensions = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from assignment_extensions where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves the extensions of one member to another, who keeps their own. */
export const moveExtensions = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update assignment_extensions x set member_id = ${intoId}
    where x.school_id = ${schoolId} and x.member_id = ${fromId} and not exists (
      select from assignment_extensions o
      where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.lesson_id = x.lesson_id)`)
  await eraseExtensions(db, schoolId, fromId)
}
