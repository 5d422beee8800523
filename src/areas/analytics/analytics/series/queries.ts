import { coursesTaughtBy } from '#src/areas/courses/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import type { Metric, MetricRange } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** What every answer needs to know of a school and of what was rolled up. */
export type SchoolState = {
  readonly now: Date
  readonly time_zone: string
  readonly currency: string
  /** When the school was created, or what it imported began. */
  readonly begins_at: Date
  readonly as_of: Date
  /** The first quarter that is dirty. */
  readonly dirty_at: Date | null
}

/** The state of a school for some metrics, whose rows come from these sources. */
export const getState = (
  db: Db,
  schoolId: string,
  { names, sources }: { readonly names: readonly string[]; readonly sources: readonly string[] },
) =>
  db.one(sql<SchoolState>`
    with clock as materialized (select stoa.now() as now), dirty as materialized (
      select min(d.at) as at from unnest(${sources}::text[]) as s (name) cross join lateral (
        select m.at from metric_dirty m where m.school_id = ${schoolId} and m.source = s.name order by m.at limit 1) as d
    )
    select (select now from clock) as now, s.time_zone, s.currency, d.at as dirty_at,
      case when d.at is null then (select now from clock) else coalesce(t.as_of, s.created_at) end as as_of,
      least(s.created_at, (
        select a.hour from activity_hours a where a.school_id = ${schoolId} order by a.hour limit 1
      ), (
        select min(b.at) from unnest(${names}::text[]) as n (name) cross join lateral (
          select m.at from metric_buckets m where m.school_id = ${schoolId} and m.metric = n.name order by m.at limit 1) as b
      )) as begins_at
    from schools s cross join dirty d left join metric_states t on t.school_id = s.id
    where s.id = ${schoolId}`)

/** Which rows of a metric are read, and how they are divided. */
export type SeriesFilter = {
  /** The instants at which points begin, and the end of the last one. */
  readonly bounds: readonly Date[]
  readonly breakdown: string | undefined
  /** The value of a dimension. */
  readonly only: { readonly dimension: string; readonly value: string } | undefined
  /** The values of the dimension `course` that the caller may see. */
  readonly courses: readonly string[] | undefined
}

/** The value of a metric in a point, counted from 1; 0 is all before. Without a point it is that of a whole period. */
export type PointRow = {
  readonly point: number | null
  readonly part: string | null
  readonly currency: string
  readonly value: string
  readonly is_previous: boolean
}

const buildBounds = ({ bounds }: SeriesFilter): Statement => sql`${bounds.map(at => at.toISOString())}::timestamptz[]`

const computeEnds = ({ bounds: [first = new Date(0), ...others] }: SeriesFilter): MetricRange => ({
  from: first,
  until: others.at(-1) ?? first,
})

const buildPart = ({ breakdown }: SeriesFilter, dims: Statement): Statement =>
  breakdown === undefined ? sql`null::text` : sql`coalesce(${dims} ->> ${breakdown}::text, '')`

const visible = ({ only, courses }: SeriesFilter, dims: Statement): Statement =>
  joinConditions(
    sql`true`,
    when(only, ({ dimension, value }) => sql`${dims} ->> ${dimension}::text = ${value}`),
    when(courses, values => sql`${dims} ->> 'course' = any (${values}::text[])`),
  )

/** The values of a metric that adds up, from what was rolled up; of a gauge also what was before. */
export const sumPoints = (schoolId: string, metric: Metric, filter: SeriesFilter): Statement<PointRow> => {
  const { from, until } = computeEnds(filter)
  const dims = sql`b.dims`
  return sql<PointRow>`
    select width_bucket(b.at, ${buildBounds(filter)}) as point, ${buildPart(filter, dims)} as part,
      coalesce(b.dims ->> 'currency', '') as currency, sum(b.value)::text as value, false as is_previous
    from metric_buckets b
    where b.school_id = ${schoolId} and b.metric = ${metric.name} and b.at < ${until}
      ${metric.kind === 'gauge' ? sql`` : sql`and b.at >= ${from}`} and ${visible(filter, dims)}
    group by 1, 2, 3`
}

/** The values of a metric that counts people: in each point, and in each period, the first of which has these many points. */
export const countPeople = (
  schoolId: string,
  metric: Metric,
  filter: SeriesFilter,
  previous: number,
): Statement<PointRow> => {
  const dims = sql`r.dims`
  return sql<PointRow>`
    select c.point, ${filter.breakdown === undefined ? sql`null::text` : sql`c.part`} as part, '' as currency, count(distinct c.person)::text as value, c.is_previous
    from (
      select p.point, p.point <= ${previous} as is_previous, p.person, p.part
      from (
        select width_bucket(r.at, ${buildBounds(filter)}) as point, r.person, ${buildPart(filter, dims)} as part
        from (${metric.rows(schoolId, computeEnds(filter))}) as r where ${visible(filter, dims)}) as p) as c
    group by grouping sets (${filter.breakdown === undefined ? sql`` : sql`(c.is_previous, c.point, c.part),`}
      (c.is_previous, c.point), (c.is_previous))`
}

/** The parts of points that have fewer people than this behind them. */
export const smallParts = (
  rows: Statement,
  filter: SeriesFilter,
  fewest: number,
): Statement<{ point: number; part: string }> => sql<{ point: number; part: string }>`
  select width_bucket(p.at, ${buildBounds(filter)}) as point, p.part from (${rows}) as p
  group by 1, 2 having count(distinct p.person) < ${fewest}`

/** The rows of an answer for a CSV file. */
export const rowsOfJson = <Row>(rows: readonly unknown[]): Statement<Row> => sql<Row>`
  select cells from unnest(${rows.map(row => JSON.stringify(row))}::jsonb[]) as cells`

/** The courses that a member teaches. */
export const listTaughtCourses = async (db: Db, schoolId: string, memberId: string): Promise<string[]> =>
  (await db.all(sql<{ course_id: string }>`${coursesTaughtBy(schoolId, memberId)}`)).map(({ course_id }) => course_id)

/** The course of a lesson. */
export const courseOfLesson = async (db: Db, schoolId: string, lessonId: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ course_id: string }>`
      select course_id from lessons where school_id = ${schoolId} and id = ${lessonId}`)
  )?.course_id

/** When some metrics first had a value. */
export const listFirstQuarters = async (
  db: Db,
  schoolId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Date>> => {
  const rows = await db.all(sql<{ name: string; at: Date }>`
    select n.name, b.at from unnest(${names}::text[]) as n (name) cross join lateral (
      select m.at from metric_buckets m where m.school_id = ${schoolId} and m.metric = n.name order by m.at limit 1) as b`)
  return new Map(rows.map(({ name, at }) => [name, at]))
}
