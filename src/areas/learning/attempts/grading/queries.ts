import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type AttemptRow, attemptColumns } from '../attempts/queries.ts'
import type { ManualGrade } from '../attempts/rules.ts'
import type { Result } from '../closing/rules.ts'

/** Stores the grades and the result of a locked attempt that has ended; returns its new state. */
export const storeGrade = (
  db: Db,
  schoolId: string,
  id: string,
  { graderId, grades, result }: { graderId: string; grades: readonly ManualGrade[]; result: Result },
) =>
  db.one(sql<AttemptRow>`
    with clock as materialized (select stoa.now() as now), marked as (
      update attempt_marks k set points = p.points, feedback = p.feedback, graded_by = ${graderId}
      from jsonb_to_recordset(${JSON.stringify(grades)}::jsonb) as p (question_id uuid, points numeric, feedback text)
      where k.school_id = ${schoolId} and k.attempt_id = ${id} and k.question_id = p.question_id
    )
    update quiz_attempts a set status = 'graded', graded_at = (select now from clock), points = ${result.points}::numeric,
      percentage = ${result.percentage}::numeric, passed = ${result.passed}::boolean, revision = a.revision + 1,
      updated_at = (select now from clock)
    where a.school_id = ${schoolId} and a.id = ${id} and a.status in ('submitted', 'timed_out', 'graded')
    returning ${attemptColumns(schoolId)}`)
