import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A custom field as it is stored. */
export type FieldRow = {
  readonly id: string
  readonly key: string
  readonly label: string
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'choice'
  readonly options: readonly string[]
  readonly position: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`id, key, label, type, options, position, revision, created_at, updated_at`

/** Every custom field of a school, in the school's order. */
export const listFields = (db: Db, schoolId: string): Promise<FieldRow[]> =>
  db.all(sql<FieldRow>`
    select ${columns} from member_fields where school_id = ${schoolId} order by position, id`)

/** The custom field with this id, held until the transaction ends. */
export const lockField = (db: Db, schoolId: string, id: string | undefined): Promise<FieldRow | undefined> =>
  db.first(sql<FieldRow>`
    select ${columns} from member_fields where school_id = ${schoolId} and id = ${id} for update`)

/** The custom field with this id. */
export const findField = (db: Db, schoolId: string, id: string | undefined): Promise<FieldRow | undefined> =>
  db.first(sql<FieldRow>`select ${columns} from member_fields where school_id = ${schoolId} and id = ${id}`)

/** What is stored of a custom field. */
export type FieldValues = Pick<FieldRow, 'label' | 'options' | 'position'>

/** Stores a new custom field, unless there are too many or its key is taken. */
export const insertField = (
  db: Db,
  schoolId: string,
  field: FieldValues & Pick<FieldRow, 'id' | 'key' | 'type'>,
): Promise<FieldRow | undefined> =>
  db.first(sql<FieldRow>`
    insert into member_fields (school_id, id, key, label, type, options, position, created_at, updated_at)
    select ${schoolId}, ${field.id}, ${field.key}, ${field.label}, ${field.type}, ${field.options}, ${field.position}, t, t
    from (select stoa.now() as t) as moment
    on conflict (school_id, key) do nothing
    returning ${columns}`)

/** Stores a changed custom field as its next revision. */
export const storeField = (db: Db, schoolId: string, id: string, field: FieldValues): Promise<FieldRow> =>
  db.one(sql<FieldRow>`
    update member_fields set label = ${field.label}, options = ${field.options}, position = ${field.position},
      revision = revision + 1, updated_at = stoa.now()
    where school_id = ${schoolId} and id = ${id}
    returning ${columns}`)

/** Removes a custom field. */
export const deleteField = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`delete from member_fields where school_id = ${schoolId} and id = ${id}`)

/** Takes every value of a custom field from the members; gives how many had one. */
export const clearValues = (db: Db, schoolId: string, key: string): Promise<number> =>
  db.run(sql`
    update members set custom_fields = custom_fields - ${key}::text, revision = revision + 1, updated_at = stoa.now()
    where school_id = ${schoolId} and custom_fields ? ${key}::text`)

/** Holds the school's row, so that two changes of its fields come one after the other. */
export const holdFields = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select id from schools where id = ${schoolId} for no key update`)
