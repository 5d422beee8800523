import { seatReservations } from '#src/areas/courses/index.ts'
import { accessState } from '#src/areas/learning/access/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** How many members without access to each of some courses, now or later, have a seat reserved in it. */
export const countReserved = async (
  db: Db,
  schoolId: string,
  courseIds: readonly string[],
  exceptFor: string | undefined,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    with clock as materialized (select stoa.now() as now)
    select r.course_id as id, count(distinct r.member_id)::integer as count from (${seatReservations(schoolId)}) r
    where ${joinConditions(
      sql`r.course_id = any (${courseIds}::uuid[])`,
      when(exceptFor, id => sql`r.member_id <> ${id}`),
      sql`${accessState(schoolId, sql`r.member_id`, { type: 'course', id: sql`r.course_id` })} in ('none', 'ended')`,
    )}
    group by r.course_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
