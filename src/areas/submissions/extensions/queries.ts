import type { Db } from '#src/contract/db.ts'
import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { sql } from '#src/db/sql.ts'
import { type ResolvedTime, resolveAgain, type StoredTime, zonesEdition } from '#src/kit/local-time.ts'

/** More time for one student, as it is stored. */
export type ExtensionRow = {
  readonly member_id: string
  readonly lesson_id: string
  readonly due_local: string
  readonly due_time_zone: string
  readonly due_at: Date
  readonly note: string | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** A student and a lesson. */
export type Pair = { readonly memberId: string; readonly lessonId: string }

const columns = sql`x.member_id, x.lesson_id, x.due_local, x.due_time_zone, x.due_at, x.note, x.revision, x.created_at,
  x.updated_at`

/** The extension of a student for a lesson. */
export const findExtension = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: Pair,
): Promise<ExtensionRow | undefined> =>
  db.first(sql<ExtensionRow>`
    select ${columns} from assignment_extensions x
    where x.school_id = ${schoolId} and x.member_id = ${memberId}::uuid and x.lesson_id = ${lessonId}::uuid`)

/** The same, held until the transaction ends. */
export const lockExtension = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: Pair,
): Promise<ExtensionRow | undefined> =>
  db.first(sql<ExtensionRow>`
    select ${columns} from assignment_extensions x
    where x.school_id = ${schoolId} and x.member_id = ${memberId}::uuid and x.lesson_id = ${lessonId}::uuid
    for no key update`)

/** Every extension of a student, what was granted first before the rest. */
export const listExtensionsOf = (db: Db, schoolId: string, memberId: string): Promise<ExtensionRow[]> =>
  db.all(sql<ExtensionRow>`
    select ${columns} from assignment_extensions x
    where x.school_id = ${schoolId} and x.member_id = ${memberId} order by x.created_at, x.lesson_id`)

/** Stores the extension of a student for a lesson, as its first or next revision. */
export const setExtension = (
  db: Db,
  schoolId: string,
  { memberId, lessonId }: Pair,
  { due, note }: { readonly due: ResolvedTime; readonly note: string | null },
): Promise<ExtensionRow> =>
  db.one(sql<ExtensionRow>`
    with clock as materialized (select stoa.now() as now)
    insert into assignment_extensions as x (school_id, member_id, lesson_id, due_local, due_time_zone, due_at, due_zones,
      note, created_at, updated_at)
    select ${schoolId}, ${memberId}, ${lessonId}, ${due.local}, ${due.time_zone}, ${due.at}::timestamptz, ${due.zones},
      ${note}, now, now
    from clock
    on conflict (school_id, member_id, lesson_id) do update set due_local = excluded.due_local,
      due_time_zone = excluded.due_time_zone, due_at = excluded.due_at, due_zones = excluded.due_zones,
      note = excluded.note, revision = x.revision + 1, updated_at = excluded.updated_at
    returning ${columns}`)

/** Takes an extension away. */
export const deleteExtension = (db: Db, schoolId: string, { memberId, lessonId }: Pair): Promise<number> =>
  db.run(sql`
    delete from assignment_extensions
    where school_id = ${schoolId} and member_id = ${memberId} and lesson_id = ${lessonId}`)

/** Forgets what was granted to a person. */
export const forgetExtensions = (db: Db, schoolId: string, memberId: string): Promise<number> =>
  db.run(sql`delete from assignment_extensions where school_id = ${schoolId} and member_id = ${memberId}`)

/** Gives one member's extensions to another, who keeps those of their own. */
export const moveExtensions = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update assignment_extensions x set member_id = ${intoId}
    where x.school_id = ${schoolId} and x.member_id = ${fromId} and not exists (
      select from assignment_extensions o
      where o.school_id = ${schoolId} and o.member_id = ${intoId} and o.lesson_id = x.lesson_id)`)
  await forgetExtensions(db, schoolId, fromId)
}

/** Finds the instants of extensions to come again, where an older edition of the time zones found them. */
export const resolveExtensionsAgain: Sweep = async (db, schoolId, { most }) => {
  type Stored = StoredTime & { readonly lesson_id: string }
  const rows = await db.all(sql<Stored>`
    select member_id as id, lesson_id, due_local as local, due_time_zone as time_zone from assignment_extensions
    where school_id = ${schoolId} and due_at > (select stoa.now()) and due_zones <> ${zonesEdition}
    order by member_id, lesson_id limit ${most}`)
  if (rows.length === 0) return undefined
  // What somebody has moved meanwhile was found by this edition.
  await db.run(sql`
    update assignment_extensions x set due_at = coalesce(r.at, x.due_at), due_zones = ${zonesEdition}
    from jsonb_to_recordset(${JSON.stringify(resolveAgain(rows))}::jsonb)
      as r (id uuid, lesson_id uuid, local text, time_zone text, at timestamptz)
    where x.school_id = ${schoolId} and x.member_id = r.id and x.lesson_id = r.lesson_id
      and x.due_local = r.local and x.due_time_zone = r.time_zone`)
  return hasMore(rows.length, most)
}
