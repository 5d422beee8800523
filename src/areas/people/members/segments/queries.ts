import type { Static } from 'typebox'
import type { Db, Recorded } from '#src/contract/db.ts'
import { type List, textKey } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { fold } from '#src/kit/text.ts'
import type { NewSegment } from './schema.ts'

/** A stored segment; the ids in its filter are UUIDs. */
export type SegmentRow = Recorded & Static<typeof NewSegment> & { readonly id: string; readonly name_folded: string }

const columns = sql`s.id, s.name, s.name_folded, s.filter, s.revision, s.created_at, s.updated_at`

/** The segments of a school, by name. */
export const segmentList = (schoolId: string): List<SegmentRow> => ({
  columns,
  from: sql`member_segments s`,
  where: sql`s.school_id = ${schoolId}`,
  id: sql`s.id`,
  keys: { name: textKey(sql`s.name_folded`, row => row.name_folded) },
  sort: 'name',
})

/** A segment of a school. */
export const findSegment = (db: Db, schoolId: string, id: string) =>
  db.first(sql<SegmentRow>`select ${columns} from member_segments s where s.school_id = ${schoolId} and s.id = ${id}`)

/** The same, locked until the transaction ends. */
export const lockSegment = (db: Db, schoolId: string, id: string) =>
  db.first(sql<SegmentRow>`
    select ${columns} from member_segments s where s.school_id = ${schoolId} and s.id = ${id} for no key update of s`)

/** How many segments a school has. */
export const countSegments = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from member_segments where school_id = ${schoolId}`)
  ).count

/** What is stored of a segment. */
export type SegmentValues = Pick<SegmentRow, 'name' | 'filter'>

/** Stores a new segment. */
export const insertSegment = (db: Db, schoolId: string, id: string, { name, filter }: SegmentValues) =>
  db.one(sql<SegmentRow>`
    with clock as materialized (select stoa.now() as now)
    insert into member_segments as s (school_id, id, name, name_folded, filter, created_at, updated_at)
    select ${schoolId}, ${id}, ${name}, ${fold(name)}, ${JSON.stringify(filter)}, now, now from clock
    returning ${columns}`)

/** Stores a changed segment as its next revision. */
export const storeSegment = (db: Db, schoolId: string, id: string, { name, filter }: SegmentValues) =>
  db.one(sql<SegmentRow>`
    update member_segments s set name = ${name}, name_folded = ${fold(name)}, filter = ${JSON.stringify(filter)},
      revision = revision + 1, updated_at = (select stoa.now())
    where s.school_id = ${schoolId} and s.id = ${id}
    returning ${columns}`)

/** Deletes a segment. */
export const deleteSegmentRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from member_segments where school_id = ${schoolId} and id = ${id}`)
