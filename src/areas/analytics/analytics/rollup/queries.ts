import type { Db } from '#src/contract/db.ts'
import type { Metric } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'
import type { Chunk } from './rules.ts'

/** A quarter of a source whose rows have changed. */
type DirtyQuarter = { readonly source: string; readonly at: Date }

/** Locks the state of a school, so that its quarters are rolled up by one process at a time; returns the instant. */
export const lockState = async (db: Db, schoolId: string): Promise<Date> =>
  (
    await db.one(sql<{ now: Date }>`
      with clock as materialized (select stoa.now() as now)
      insert into metric_states as s (school_id, as_of) values (${schoolId}, (select now from clock))
      on conflict (school_id) do update set as_of = s.as_of returning (select now from clock) as now`)
  ).now

/** Records up to when everything was rolled up. */
export const storeState = (db: Db, schoolId: string, asOf: Date) =>
  db.run(sql`update metric_states set as_of = ${asOf} where school_id = ${schoolId}`)

/** Takes the marks of the first quarters that are dirty, and returns these. */
export const takeDirty = (db: Db, schoolId: string, most: number) =>
  db.all(sql<DirtyQuarter>`
    with first as (
      select distinct d.source, d.at from metric_dirty d where d.school_id = ${schoolId} order by d.source, d.at limit ${most}
    ), taken as (
      delete from metric_dirty d using first f where d.school_id = ${schoolId} and d.source = f.source and d.at = f.at
    )
    select source, at from first`)

/** Whether any quarter of a school is dirty. */
export const hasDirty = async (db: Db, schoolId: string): Promise<boolean> =>
  (
    await db.one(sql<{ has: boolean }>`
      select exists (select from metric_dirty where school_id = ${schoolId}) as has`)
  ).has

/** Rolls up a metric in some quarters, from its rows as they are now. */
export const rollUp = async (
  db: Db,
  schoolId: string,
  metric: Metric,
  { quarters, ...range }: Chunk,
): Promise<void> => {
  const list = quarters.map(at => at.toISOString())
  await db.run(sql`
    delete from metric_buckets
    where school_id = ${schoolId} and metric = ${metric.name} and at = any (${list}::timestamptz[])`)
  await db.run(sql`
    insert into metric_buckets (school_id, metric, at, dims, value)
    select ${schoolId}::uuid, ${metric.name}::text, stoa.quarter(r.at), r.dims, sum(r.value)
    from (${metric.rows(schoolId, range)}) as r
    where stoa.quarter(r.at) = any (${list}::timestamptz[])
    group by 3, 4`)
}
