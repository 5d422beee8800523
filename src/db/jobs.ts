import type { Db, Statement } from '#src/contract/db.ts'
import type { Job } from '#src/contract/job.ts'
import { sql } from './sql.ts'

/** The channel on which a commit that made work says so. */
export const JOBS_CHANNEL = 'stoa_jobs'

/** The rest of a statement `with … made as (…)` whose rows (school_id, id, due_at) become work of a kind. */
export const jobsFromMade = (kind: string): Statement => sql`
  , job as (
    insert into jobs (school_id, kind, id, due_at) select school_id, ${kind}, id, due_at from made returning id
  )
  select pg_notify(${JOBS_CHANNEL}, '') from job`

/** Makes work of a kind that a school has always and once; it is named for the school and due in so many seconds. */
export const scheduleJob = (db: Db, schoolId: string, kind: string, seconds: number): Promise<number> =>
  db.run(sql`
    insert into jobs (school_id, kind, id, due_at)
    values (${schoolId}, ${kind}, ${schoolId}, (select stoa.now()) + make_interval(secs => ${seconds}))`)

/**
 * Makes a piece of work due at an instant, or moves it there; one that is under way for the earlier instant is not
 * settled any more.
 */
export const putJob = (
  db: Db,
  schoolId: string,
  { kind, id, dueAt }: { readonly kind: string; readonly id: string; readonly dueAt: string },
): Promise<number> =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at) values (${schoolId}, ${kind}, ${id}, ${dueAt})
    on conflict (school_id, kind, id) do update set due_at = excluded.due_at, attempt = j.attempt + 1`)

/** Takes a piece of work back; one that is under way is not settled any more. */
export const dropJob = (db: Db, schoolId: string, kind: string, id: string): Promise<number> =>
  db.run(sql`delete from jobs where school_id = ${schoolId} and kind = ${kind} and id = ${id}`)

/** Whose work is not to be claimed now: schools and kinds of which enough is under way. */
export type Busy = { readonly schools: readonly string[]; readonly kinds: readonly string[] }

/**
 * Claims the piece of work that is due first and not among the busy. The claim holds for `seconds`; should the process
 * die, another one takes the work up after that.
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

/** Ends a claimed piece of work, or puts it off; nothing happens when somebody else has claimed it since. */
export const settleJob = (db: Db, job: Job, againIn: number | undefined): Promise<number> =>
  againIn === undefined
    ? db.run(sql`
        delete from jobs
        where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)
    : db.run(sql`
        update jobs set due_at = (select stoa.now()) + make_interval(secs => ${againIn})
        where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)

/** Puts a claimed piece of work off as if it had not been claimed. */
export const postponeJob = (db: Db, job: Job, seconds: number): Promise<number> =>
  db.run(sql`
    update jobs set due_at = (select stoa.now()) + make_interval(secs => ${seconds}), attempt = attempt - 1
    where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)
