import type { Db, Statement } from '#src/contract/db.ts'
import { instantKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { BinKind } from './rules.ts'

/** Something that is in the bin. */
type BinRow = {
  readonly id: string
  readonly kind: BinKind
  readonly name: string
  readonly course_id: string | null
  readonly deleted_at: Date
  readonly until: Date
  readonly deleted_by: string | null
  readonly deleter: string | null
}

/** What is put into the bin. */
type Binned = {
  readonly kind: BinKind
  readonly id: string
  readonly name: string
  /** The course of a lesson. */
  readonly courseId?: string
  /** The other paths that led to a page. */
  readonly paths?: readonly string[]
}

const DAYS = sql`interval '30 days'`

/** Puts things that were just deleted into the bin. */
export const putInBin = async (
  db: Db,
  schoolId: string,
  memberId: string,
  things: readonly Binned[],
): Promise<void> => {
  await db.run(sql`
    insert into bin (school_id, kind, id, name, course_id, paths, deleted_by, deleted_at)
    select ${schoolId}::uuid, t.kind, t.id, t.name, t."courseId", coalesce(t.paths, '{}'), ${memberId}::uuid,
      date_trunc('milliseconds', (select stoa.now()))
    from jsonb_to_recordset(${JSON.stringify(things)}::jsonb)
      as t (kind text, id uuid, name text, "courseId" uuid, paths text[])
    on conflict (school_id, id) do update
      set name = excluded.name, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at`)
}

/** Takes something out of the bin to restore it; undefined when it is not there, or no longer. */
export const takeFromBin = (
  db: Db,
  schoolId: string,
  kind: BinKind,
  id: string,
): Promise<{ paths: string[] } | undefined> =>
  db.first(sql<{ paths: string[] }>`
    delete from bin
    where school_id = ${schoolId} and id = ${id} and kind = ${kind} and deleted_at > (select stoa.now()) - ${DAYS}
    returning paths`)

/** Takes something out of the bin for good, a course with its lessons; returns how many there were. */
export const dropFromBin = (db: Db, schoolId: string, kind: BinKind, id: string): Promise<number> =>
  db.run(sql`
    with lessons as (
      delete from bin where school_id = ${schoolId} and course_id = ${id} and ${kind} = 'course'
    )
    delete from bin where school_id = ${schoolId} and id = ${id} and kind = ${kind}`)

/** Ends what has been in the bin for 30 days; returns how many there were. */
export const dropOld = (db: Db, schoolId: string, most: number): Promise<number> =>
  db.run(sql`
    delete from bin where school_id = ${schoolId} and ctid = any (array(
      select ctid from bin where school_id = ${schoolId} and deleted_at <= (select stoa.now()) - ${DAYS}
      order by deleted_at limit ${most} for update skip locked))`)

/** Which things are meant; what is undefined does not matter. */
type BinFilter = {
  readonly kinds: readonly BinKind[]
  readonly id?: string | undefined
  /** Statements of the ids that the reader may know. */
  readonly among?: readonly Statement[] | undefined
}

const isAmong = (statements: readonly Statement[]): Statement =>
  statements.reduce((all, ids) => sql`${all} or b.id in (${ids})`, sql`false`)

/** What is in the bin, the newest first; a lesson is in it with its course while that is in the bin itself. */
export const binList = (schoolId: string, { kinds, id, among }: BinFilter): List<BinRow> => ({
  columns: sql`b.id, b.kind, b.name, b.course_id, b.deleted_at, b.deleted_at + ${DAYS} as until, b.deleted_by,
    m.name as deleter`,
  from: sql`bin b left join members m on m.school_id = b.school_id and m.id = b.deleted_by`,
  where: joinConditions(
    sql`b.school_id = ${schoolId} and b.deleted_at > (select now from clock) - ${DAYS}
      and b.kind = any (${kinds}::text[])
      and not exists (select from bin c where c.school_id = ${schoolId} and c.id = b.course_id)`,
    when(id, one => sql`b.id = ${one}::uuid`),
    when(among, statements => sql`(${isAmong(statements)})`),
  ),
  id: sql`b.id`,
  keys: { deleted_at: instantKey(sql`b.deleted_at`, row => row.deleted_at) },
  sort: '-deleted_at',
  hasClock: true,
})

/** Removes a member from what they deleted. */
export const eraseDeleter = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`update bin set deleted_by = null where school_id = ${schoolId} and deleted_by = ${memberId}`)

/** Moves what one member deleted to another. */
export const moveDeleter = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`update bin set deleted_by = ${intoId} where school_id = ${schoolId} and deleted_by = ${fromId}`)

/** What a member deleted and is in the bin. */
export const listDeletedBy = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<Pick<BinRow, 'id' | 'kind' | 'name' | 'deleted_at'>[]> =>
  db.all(sql<Pick<BinRow, 'id' | 'kind' | 'name' | 'deleted_at'>>`
    select id, kind, name, deleted_at from bin
    where school_id = ${schoolId} and deleted_by = ${memberId} order by deleted_at, id`)
