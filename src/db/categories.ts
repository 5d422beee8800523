import type { CategoryRow, StoredCategories } from '#src/contract/category.ts'
import type { Statement } from '#src/contract/db.ts'
import { isNamed } from './ref.ts'
import { freeSlug } from './slugs.ts'
import { sql } from './sql.ts'

type CategoryTable = {
  readonly table: Statement
  /** Names the lock of the categories of a school. */
  readonly lock: string
  /** Whether the table has `parent_id`. */
  readonly isTree: boolean
}

/** Declares how categories are stored: in the columns of `CategoryRow`, with a position among those of one parent. */
export const defineCategories = ({ table, lock, isTree }: CategoryTable): StoredCategories => {
  const ifTree = (part: Statement): Statement => (isTree ? part : sql``)
  const columns = sql`k.id, k.name, k.slug, k.description, ${ifTree(sql`k.parent_id,`)} k.position, k.revision,
    k.created_at, k.updated_at`
  const lastPlace = (schoolId: string, parentId: string | null = null): Statement => sql`(
    select coalesce(max(o.position) + 1, 0) from ${table} o
    where o.school_id = ${schoolId} ${ifTree(sql`and o.parent_id is not distinct from ${parentId}::uuid`)})`

  return {
    columns,
    find: (db, schoolId, ref) =>
      db.first(sql<CategoryRow>`
        select ${columns} from ${table} k
        where k.school_id = ${schoolId} and ${isNamed(ref, { id: sql`k.id`, slug: sql`k.slug` })}`),
    listById: (db, schoolId, ids) =>
      db.all(sql<CategoryRow>`
        select ${columns} from ${table} k
        where k.school_id = ${schoolId} and k.id = any (${ids}::uuid[]) order by k.name, k.id`),
    keep: (db, schoolId, ids) =>
      db.all(sql<Pick<CategoryRow, 'id' | 'name'>>`
        select id, name from ${table}
        where school_id = ${schoolId} and id = any (${ids}::uuid[]) order by id for key share`),
    async lock(db, schoolId) {
      await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${lock} ${schoolId}`}, 0))`)
      return db.all(sql<CategoryRow>`
        select ${columns} from ${table} k where k.school_id = ${schoolId} order by k.position, k.id`)
    },
    freeSlug: (db, schoolId, wanted, id) => freeSlug(db, schoolId, { rows: table, isLive: sql`true` }, wanted, id),
    insert: (db, schoolId, id, { name, slug, description, parent_id: parent }) =>
      db.one(sql<CategoryRow>`
        with clock as materialized (select stoa.now() as now)
        insert into ${table} as k (school_id, id, name, slug, description, ${ifTree(sql`parent_id,`)} position, created_at,
          updated_at)
        select ${schoolId}, ${id}, ${name}, ${slug}, ${description}, ${ifTree(sql`${parent}::uuid,`)}
          ${lastPlace(schoolId, parent)}, now, now
        from clock
        returning ${columns}`),
    store: (db, schoolId, id, { name, slug, description, parent_id: parent }) =>
      db.one(sql<CategoryRow>`
        update ${table} k set name = ${name}, slug = ${slug}, description = ${description},
          ${ifTree(sql`
            position = case when k.parent_id is not distinct from ${parent}::uuid then k.position
              else ${lastPlace(schoolId, parent)} end,
            parent_id = ${parent},`)}
          revision = revision + 1, updated_at = (select stoa.now())
        where k.school_id = ${schoolId} and k.id = ${id}
        returning ${columns}`),
    delete: (db, schoolId, id) => db.run(sql`delete from ${table} where school_id = ${schoolId} and id = ${id}`),
    storeOrder: async (db, schoolId, ids) =>
      (
        await db.all(sql<{ id: string }>`
          update ${table} k set position = place - 1, revision = revision + 1, updated_at = (select stoa.now())
          from unnest(${ids}::uuid[]) with ordinality as o (id, place)
          where k.school_id = ${schoolId} and k.id = o.id and k.position <> o.place - 1
          returning k.id`)
      ).map(({ id }) => id),
  }
}
