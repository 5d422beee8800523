import type { Db, Statement } from '#src/contract/db.ts'
import type { Job } from '#src/contract/job.ts'
import { sql } from './sql.ts'

/** The channel on which a commit that created jobs sends a notification. */
export const JOBS_CHANNEL = 'stoa_jobs'

/** The rest of a statement `with … made as (…)` whose rows (school_id, id, due_at) become jobs of a kind. */
export const insertJobsFrom = (kind: string): Statement => sql`
  , job as (
    insert into jobs (school_id, kind, id, due_at) select school_id, ${kind}, id, due_at from made returning id
  )
  select pg_notify(${JOBS_CHANNEL}, '') from job`

/** Creates the one permanent job of a kind of a school, with the school's id, due in this many seconds. */
export const scheduleJob = (db: Db, schoolId: string, kind: string, seconds: number): Promise<number> =>
  db.run(sql`
    insert into jobs (school_id, kind, id, due_at)
    values (${schoolId}, ${kind}, ${schoolId}, (select stoa.now()) + make_interval(secs => ${seconds}))`)

/**
 * Creates a job that is due at an instant, or moves it there; a run that started for the earlier instant is not
 * settled any more.
 */
export const putJob = (
  db: Db,
  schoolId: string,
  { kind, id, dueAt }: { readonly kind: string; readonly id: string; readonly dueAt: Date },
): Promise<number> =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at) values (${schoolId}, ${kind}, ${id}, ${dueAt})
    on conflict (school_id, kind, id) do update set due_at = excluded.due_at, attempt = j.attempt + 1`)

/** Deletes a job; a run that has started is not settled any more. */
export const dropJob = (db: Db, schoolId: string, kind: string, id: string): Promise<number> =>
  db.run(sql`delete from jobs where school_id = ${schoolId} and kind = ${kind} and id = ${id}`)

/** The schools and kinds whose jobs are not claimed now, since enough of them are running. */
export type Busy = { readonly schools: readonly string[]; readonly kinds: readonly string[] }

/**
 * Claims the job that is due first and not among the busy ones. The claim is valid for `seconds`; if the process
 * dies, another one claims the job after that.
 */
export const claimJob = (shared: Db, busy: Busy, seconds: number): Promise<Job | undefined> =>
  shared.first(sql<Job>`
    with clock as materialized (select stoa.now() as now)
    update jobs set due_at = (select now from clock) + make_interval(secs => ${seconds}), attempt = attempt + 1
    where (school_id, kind, id) in (
      select school_id, kind, id from jobs
      where due_at <= (select now from clock) and school_id <> all (${busy.schools}::uuid[])
        and kind <> all (${busy.kinds}::text[])
      order by due_at limit 1 for update skip locked)
    returning kind, school_id as "schoolId", id, attempt`)

/** Ends a claimed job, or reschedules it; does nothing if another worker has claimed it since. */
export const settleJob = (db: Db, job: Job, againIn: number | undefined): Promise<number> =>
  againIn === undefined
    ? db.run(sql`
        delete from jobs
        where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)
    : db.run(sql`
        update jobs set due_at = (select stoa.now()) + make_interval(secs => ${againIn})
        where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)

/** Reschedules a claimed job as if it had not been claimed. */
export const postponeJob = (db: Db, job: Job, seconds: number): Promise<number> =>
  db.run(sql`
    update jobs set due_at = (select stoa.now()) + make_interval(secs => ${seconds}), attempt = attempt - 1
    where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)
