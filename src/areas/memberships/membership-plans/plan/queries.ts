import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { buildAssignments, buildColumns, buildValues, columnNames } from '#src/db/columns.ts'
import { integerKey, type List, textKey } from '#src/db/list.ts'
import { isAddressed } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { bodyWords } from '#src/kit/search-words.ts'
import { fold } from '#src/kit/text.ts'
import { planSlugs } from './conditions.ts'
import { type PlanInput, storedColumns } from './schema.ts'

/** What is stored of a plan as its settings say. */
export type PlanValues = Readonly<Omit<PlanInput, 'seo' | 'length' | 'benefits'>> & {
  readonly benefits: readonly string[]
  readonly length_days: number | null
  readonly length_months: number | null
  readonly seo_title: string | null
  readonly seo_description: string | null
}

/** A plan as stored. */
export type PlanRow = Recorded<PlanValues> & {
  readonly id: string
  readonly name_folded: string
  readonly status: 'draft' | 'active' | 'archived'
  readonly position: number
  readonly primary_price_id: string | null
  /** When the access of a plan with a fixed end is over. */
  readonly ends_at: Date | null
  readonly published_at: Date | null
}

/** The columns of a plan `m`. */
const columnsFor = (
  schoolId: string,
): Statement => sql`m.id, ${buildColumns('m', storedColumns)}, m.name_folded, m.status,
  m.position, m.published_at, m.revision, m.created_at, m.updated_at,
  (select (m.ends_on + 1)::timestamp at time zone s.time_zone from schools s where s.id = ${schoolId}) as ends_at,
  (select p.id from plan_prices p
    where p.school_id = ${schoolId} and p.plan_id = m.id and p.is_primary) as primary_price_id`

/** Which plans are meant; what is undefined does not matter. */
type PlanFilter = {
  /** Only what is public and listed. */
  readonly isPublic: boolean
  readonly q?: string | undefined
  readonly status?: PlanRow['status'] | undefined
  readonly planType?: PlanRow['plan_type'] | undefined
  readonly ids?: readonly string[] | undefined
}

const matching = (schoolId: string, filter: PlanFilter): Statement =>
  joinConditions(
    sql`m.school_id = ${schoolId} and m.deleted_at is null`,
    filter.isPublic ? sql`m.status = 'active' and m.visibility = 'listed'` : undefined,
    when(filter.q, q => sql`m.id in (select stoa.search('membership_plan', ${fold(q)}, null, null))`),
    when(filter.status, status => sql`m.status = ${status}`),
    when(filter.planType, type => sql`m.plan_type = ${type}`),
    when(filter.ids, ids => sql`m.id = any (${ids}::uuid[])`),
  )

/** The plans of a filter, in the order of the school. */
export const planList = (schoolId: string, filter: PlanFilter): List<PlanRow> => ({
  columns: columnsFor(schoolId),
  from: sql`membership_plans m`,
  where: matching(schoolId, filter),
  id: sql`m.id`,
  keys: {
    position: integerKey(sql`m.position`, row => row.position),
    name: textKey(sql`m.name_folded`, row => row.name_folded),
  },
  sort: 'position',
})

/** The slugs of the plans that anybody finds in the list, the oldest first. */
export const listPublicPlans = (
  db: Db,
  schoolId: string,
  { from, rows }: { readonly from: number; readonly rows: number },
): Promise<{ slug: string; updated_at: Date }[]> =>
  db.all(sql<{ slug: string; updated_at: Date }>`
    select m.slug, m.updated_at from membership_plans m where ${matching(schoolId, { isPublic: true })}
    order by m.id limit ${rows} offset ${from}`)

/** How many plans anybody finds in the list. */
export const countPublicPlans = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from membership_plans m where ${matching(schoolId, { isPublic: true })}`)
  ).count

const named = (schoolId: string, ref: string): Statement => isAddressed(schoolId, ref, planSlugs, sql`m`)

/** The plan in a path, unless it is deleted; `isPublic`: only if anybody may see it. */
export const findPlanRow = (db: Db, schoolId: string, ref: string, isPublic: boolean) =>
  db.first(sql<PlanRow>`
    select ${columnsFor(schoolId)} from membership_plans m
    where ${joinConditions(
      sql`${named(schoolId, ref)} and m.deleted_at is null`,
      isPublic ? sql`m.status = 'active'` : undefined,
    )}`)

/** Locks the plan in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockPlanRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select m.id from membership_plans m where ${named(schoolId, ref)} and m.deleted_at is null
      for no key update of m`)
  )?.id

/**
 * The name of a plan that is not deleted, with a shared lock, so that it stays and nothing is opened or closed in it until
 * the transaction ends. Whoever entitles somebody to a plan takes it first.
 */
export const sharePlan = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ name: string }>`
      select name from membership_plans where school_id = ${schoolId} and id = ${id} and deleted_at is null for share`)
  )?.name

/** The names of some plans, deleted ones too. */
export const listPlanNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select id, name from membership_plans where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const joinWords = ({ name, description, benefits }: PlanValues): string =>
  bodyWords([name, ...benefits, description].join(' '))

/** Stores a new draft as the last plan. */
export const insertPlan = async (db: Db, schoolId: string, id: string, plan: PlanValues): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into membership_plans (school_id, id, ${columnNames(storedColumns)}, name_folded, words_folded, body_words, status,
      position, created_at, updated_at)
    values (${schoolId}, ${id}, ${buildValues(plan, storedColumns)}, ${fold(plan.name)}, ${fold(plan.name)},
      ${joinWords(plan)}, 'draft',
      (select coalesce(max(o.position) + 1, 0) from membership_plans o where o.school_id = ${schoolId} and o.deleted_at is null),
      (select now from clock), (select now from clock))`)
}

/** Stores a changed plan as its next revision. */
export const storePlan = (db: Db, schoolId: string, id: string, plan: PlanValues) =>
  db.one(sql<PlanRow>`
    update membership_plans m set ${buildAssignments(plan, storedColumns)}, name_folded = ${fold(plan.name)},
      words_folded = ${fold(plan.name)}, body_words = ${joinWords(plan)}, revision = revision + 1,
      updated_at = (select stoa.now())
    where m.school_id = ${schoolId} and m.id = ${id}
    returning ${columnsFor(schoolId)}`)

/** Raises the revision of a plan whose items changed. */
export const touchPlan = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update membership_plans set revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Marks a plan as deleted; its slug and external id are free again. */
export const markDeleted = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update membership_plans set deleted_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)

/** Locks every plan of a school, and returns their ids in the order of the school. */
export const lockOrder = async (db: Db, schoolId: string): Promise<string[]> => {
  await db.all(sql`
    select id from membership_plans where school_id = ${schoolId} and deleted_at is null order by id for no key update`)
  const rows = await db.all(sql<{ id: string }>`
    select id from membership_plans where school_id = ${schoolId} and deleted_at is null order by position, id`)
  return rows.map(({ id }) => id)
}

/** Stores the order of the plans; those that move get a new revision, and their ids are returned. */
export const storeOrder = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      update membership_plans m set position = place - 1, revision = revision + 1, updated_at = (select stoa.now())
      from unnest(${ids}::uuid[]) with ordinality as o (id, place)
      where m.school_id = ${schoolId} and m.id = o.id and m.position <> o.place - 1
      returning m.id`)
  ).map(({ id }) => id)
