import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { AssignmentRow, AssignmentValues } from './rules.ts'

export type { AssignmentRow } from './rules.ts'

const columns = sql`a.id, a.lesson_id, a.instructions, a.instructions_html,
  a.instructions_allowed, a.due_local, a.due_time_zone, a.due_days,
  a.late, a.max_points, a.passing_points, a.kinds, a.max_files, a.max_resubmissions, a.required, a.revision,
  a.created_at, a.updated_at`

/** The assignment of a lesson; undefined before it was written. */
export const findAssignment = (db: Db, schoolId: string, lessonId: string) =>
  db.first(sql<AssignmentRow>`
    select ${columns} from assignments a where a.school_id = ${schoolId} and a.lesson_id = ${lessonId}::uuid`)

/** Stores the assignment of a lesson whose course is locked, as its first or next revision. */
export const setAssignment = (
  db: Db,
  schoolId: string,
  { id, lessonId }: { readonly id: string; readonly lessonId: string },
  one: AssignmentValues,
) =>
  db.one(sql<AssignmentRow>`
    with clock as materialized (select stoa.now() as now)
    insert into assignments as a (school_id, id, lesson_id, instructions, instructions_html,
      instructions_allowed, due_local, due_time_zone,
      due_days, late, max_points, passing_points, kinds, max_files, max_resubmissions, required, created_at, updated_at)
    select ${schoolId}, ${id}, ${lessonId}, ${one.instructions}, ${one.instructions_html},
      ${one.instructions_allowed}::integer, ${one.due?.local}, ${one.due?.time_zone},
      ${one.due_days}::integer, ${one.late}, ${one.max_points}::integer,
      ${one.passing_points}::integer, ${one.kinds}::text[], ${one.max_files}::integer,
      ${one.max_resubmissions}::integer, ${one.required}::boolean, now, now
    from clock
    on conflict (school_id, lesson_id) do update set instructions = excluded.instructions,
      instructions_html = excluded.instructions_html, instructions_allowed = excluded.instructions_allowed,
      due_local = excluded.due_local, due_time_zone = excluded.due_time_zone,
      due_days = excluded.due_days, late = excluded.late,
      max_points = excluded.max_points, passing_points = excluded.passing_points, kinds = excluded.kinds,
      max_files = excluded.max_files, max_resubmissions = excluded.max_resubmissions, required = excluded.required,
      revision = a.revision + 1, updated_at = excluded.updated_at
    returning ${columns}`)

/** Copies assignments to the copies of their lessons; each gets its own id. */
export const copyAssignments = (
  db: Db,
  schoolId: string,
  copies: readonly { readonly id: string; readonly from: string; readonly into: string }[],
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into assignments (school_id, id, lesson_id, instructions, instructions_html,
      instructions_allowed, due_local, due_time_zone,
      due_days, late, max_points, passing_points, kinds, max_files, max_resubmissions, required, created_at, updated_at)
    select ${schoolId}, p.id, p."into", a.instructions, a.instructions_html, a.instructions_allowed, a.due_local,
      a.due_time_zone, a.due_days, a.late, a.max_points, a.passing_points, a.kinds, a.max_files,
      a.max_resubmissions, a.required, now, now
    from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as p (id uuid, "from" uuid, "into" uuid)
      join assignments a on a.school_id = ${schoolId} and a.lesson_id = p."from",
      clock`)
