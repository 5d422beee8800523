import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Adds some views of the posts and forms that are published, for each of the last 90 days, and more from week to week. */
export const addViews = (db: Db, schoolId: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), item as (
      select 'post' as type, id from posts where school_id = ${schoolId} and status = 'published'
      union all select 'form', id from forms where school_id = ${schoolId} and status = 'published'
    )
    insert into view_counts (school_id, at, item_type, item_id, views)
    select ${schoolId}, stoa.quarter((select now from clock) - make_interval(days => d.day, hours => 3)), i.type, i.id,
      1 + abs(hashtext(i.id::text || d.day)) % (14 - d.day / 8)
    from item i cross join generate_series(0, 89) as d (day)
    on conflict do nothing`)
