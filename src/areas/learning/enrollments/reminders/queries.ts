import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The kind of job that tells a person that their access is about to end. */
export const ENDING_JOB = 'access_ending'

/** Plans reminders, or moves them, in one statement. */
export const putReminders = (
  db: Db,
  schoolId: string,
  all: readonly { readonly id: string; readonly due_at: Date }[],
) =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at)
    select ${schoolId}::uuid, ${ENDING_JOB}, r.id, r.due_at
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r (id uuid, due_at timestamptz) order by r.id
    on conflict (school_id, kind, id) do update set due_at = excluded.due_at, attempt = j.attempt + 1`)

/** Drops reminders. */
export const dropReminders = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    delete from jobs where school_id = ${schoolId} and kind = ${ENDING_JOB} and id = any (${ids}::uuid[])`)
