import type { Db, Recorded } from '#src/contract/db.ts'
import { keyset, type SortKey } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions } from '#src/db/where.ts'
import type { fieldTypes } from './rules.ts'

/** A custom field as it is stored. */
export type FieldRow = Recorded & {
  readonly id: string
  readonly key: string
  readonly label: string
  readonly type: (typeof fieldTypes)[number]
  readonly options: readonly string[]
  readonly position: number
}

const columns = sql`id, key, label, type, options, position, revision, created_at, updated_at`

/**
 * Every custom field of a school, in the school's order, for a write of members' values: no field is deleted and
 * no option is removed until the transaction ends.
 */
export const listFields = (db: Db, schoolId: string): Promise<FieldRow[]> =>
  // The caller has locked members for which a removal waits, so it must not wait for the removal.
  db.all(sql<FieldRow>`
    select ${columns} from member_fields where school_id = ${schoolId} order by position, id for key share nowait`)

const byPosition: SortKey = { column: sql`position`, cast: text => sql`${text}::integer` }

/** The custom fields of a school in its order, after `after`. */
export const listOrderedFields = (
  db: Db,
  schoolId: string,
  rows: number,
  after?: readonly string[] | undefined,
): Promise<FieldRow[]> => {
  const { order, behind } = keyset(sql`id`, { key: byPosition, isDescending: false }, after)
  return db.all(sql<FieldRow>`
    select ${columns} from member_fields where ${joinConditions(sql`school_id = ${schoolId}`, behind)}
    order by ${order} limit ${rows}`)
}

/** How many custom fields a school has. */
export const countFields = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from member_fields where school_id = ${schoolId}`)
  ).count

/** The custom field with this id, locked until the transaction ends; nobody gives a member a value of it meanwhile. */
export const lockField = (db: Db, schoolId: string, id: string) =>
  db.first(sql<FieldRow>`
    select ${columns} from member_fields where school_id = ${schoolId} and id = ${id} for update`)

/** The custom field with this id. */
export const findField = (db: Db, schoolId: string, id: string) =>
  db.first(sql<FieldRow>`select ${columns} from member_fields where school_id = ${schoolId} and id = ${id}`)

/** A new custom field. */
type NewFieldRow = Pick<FieldRow, 'id' | 'key' | 'label' | 'type' | 'options'>

/** Stores a new custom field as the last, unless its key is taken. */
export const insertField = (db: Db, schoolId: string, field: NewFieldRow) =>
  db.first(sql<FieldRow>`
    with clock as materialized (select stoa.now() as now)
    insert into member_fields (school_id, id, key, label, type, options, position, created_at, updated_at)
    select ${schoolId}, ${field.id}, ${field.key}, ${field.label}, ${field.type}, ${field.options},
      (select coalesce(max(position) + 1, 0) from member_fields where school_id = ${schoolId}), now, now
    from clock
    on conflict (school_id, key) do nothing
    returning ${columns}`)

/** Stores a changed custom field as its next revision. */
export const storeField = (db: Db, schoolId: string, id: string, field: Pick<FieldRow, 'label' | 'options'>) =>
  db.one(sql<FieldRow>`
    update member_fields set label = ${field.label}, options = ${field.options},
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}
    returning ${columns}`)

/** Puts the fields in the order of these ids; returns the ids of those that moved. */
export const storeOrder = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> => {
  const moved = await db.all(sql<{ id: string }>`
    update member_fields f set position = o.place - 1, revision = revision + 1, updated_at = (select stoa.now())
    from unnest(${ids}::uuid[]) with ordinality as o (id, place)
    where f.school_id = ${schoolId} and f.id = o.id and f.position <> o.place - 1
    returning f.id`)
  return moved.map(({ id }) => id)
}

/** Removes a custom field. */
export const deleteField = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from member_fields where school_id = ${schoolId} and id = ${id}`)

/** How many members have one of these values of a custom field. */
export const countHolders = async (db: Db, schoolId: string, key: string, values: readonly string[]): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from members
      where school_id = ${schoolId} and custom_fields ->> ${key}::text = any (${values}::text[])`)
  ).count

/** Deletes the values of a custom field of all members; returns how many had one. */
export const clearValues = (db: Db, schoolId: string, key: string) =>
  db.run(sql`
    update members set custom_fields = custom_fields - ${key}::text, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and custom_fields ? ${key}::text`)

/** Locks the school's row, so that two changes of its list of fields run one after the other. */
export const lockFieldList = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select id from schools where id = ${schoolId} for no key update`)
