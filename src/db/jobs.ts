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
export const scheduleJob = (db: Db, schoolId: string, kind: string, seconds: number) =>
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
) =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at) values (${schoolId}, ${kind}, ${id}, ${dueAt})
    on conflict (school_id, kind, id) do update set due_at = excluded.due_at, attempt = j.attempt + 1`)

/** The same, but one that is due earlier stays as it is. */
export const hastenJob = (
  db: Db,
  schoolId: string,
  { kind, id, dueAt }: { readonly kind: string; readonly id: string; readonly dueAt: Date },
) =>
  db.run(sql`
    insert into jobs as j (school_id, kind, id, due_at) values (${schoolId}, ${kind}, ${id}, ${dueAt})
    on conflict (school_id, kind, id) do update set due_at = excluded.due_at, attempt = j.attempt + 1
    where j.due_at > excluded.due_at`)

/**
 * Creates jobs of a kind that are due at instants, or has them be due then if they are due later. One that runs stays as it is: its
 * handler looks again at the end, in the transaction that settles it, which waits for this one.
 */
export const wakeJobs = (
  db: Db,
  schoolId: string,
  kind: string,
  jobs: readonly { readonly id: string; readonly due_at: Date }[],
) =>
  db.run(sql`
    with woken as (
      insert into jobs as j (school_id, kind, id, due_at)
      select ${schoolId}, ${kind}, r.id, r.due_at
      from unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(job => job.due_at)}::timestamptz[]) as r (id, due_at)
      order by r.id
      on conflict (school_id, kind, id) do update set
        due_at = case when j.claimed_until is null then least(j.due_at, excluded.due_at) else j.due_at end
      returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from (select from woken limit 1) as one`)

/** Creates a job that is due in so many seconds, unless it is there already, whenever that one is due. */
export const ensureJob = (
  db: Db,
  schoolId: string,
  { kind, id, seconds }: { readonly kind: string; readonly id: string; readonly seconds: number },
) =>
  db.run(sql`
    insert into jobs (school_id, kind, id, due_at)
    values (${schoolId}, ${kind}, ${id}, (select stoa.now()) + make_interval(secs => ${seconds}))
    on conflict (school_id, kind, id) do nothing`)

/**
 * Creates a job that is due now, unless it is there already; where a run has started, which is not settled any more, it is due
 * in so many seconds.
 */
export const repeatJob = (
  db: Db,
  schoolId: string,
  { kind, id, seconds }: { readonly kind: string; readonly id: string; readonly seconds: number },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into jobs as j (school_id, kind, id, due_at) select ${schoolId}, ${kind}, ${id}, now from clock
    on conflict (school_id, kind, id) do update
      set due_at = (select now from clock) + make_interval(secs => ${seconds}), attempt = j.attempt + 1
      where j.due_at = j.claimed_until`)

/** Deletes a job; a run that has started is not settled any more. */
export const dropJob = (db: Db, schoolId: string, kind: string, id: string) =>
  db.run(sql`delete from jobs where school_id = ${schoolId} and kind = ${kind} and id = ${id}`)

/** A kind of job that may be claimed now. */
type ClaimableKind = {
  readonly kind: string
  /** The schools whose jobs of this kind are not claimed now, besides those of `Claimable`. */
  readonly others: readonly string[]
  /** The school up to which the last claim searched, if it stopped early. */
  readonly after: string | undefined
}

/** What may be claimed now. */
type Claimable = {
  readonly kinds: readonly ClaimableKind[]
  /** The schools whose jobs are not claimed now. */
  readonly others: readonly string[]
}

/** A claimed job, if there was one, and up to which school the search of a kind got; null where it ended. */
type Claim = { readonly job: Job | undefined; readonly reached: Readonly<Record<string, string | null>> }

// However many jobs wait, a claim reads at most so many: the first due ones of each kind, and where these are all of
// schools that have to wait, one job of each of the next schools.
const FIRST_DUE = 20
const SEARCHED_SCHOOLS = 200
// More than one, since another process may claim the first at the same time. They are tried in their order, one after the
// other; ordered again, all of them would be locked.
const CANDIDATES = 10
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** How long a claim is valid, and the process that claims, if it holds its lock. */
type Claiming = { readonly seconds: number; readonly claimant: number | undefined }

const claimStatement = ({ kinds, others }: Claimable, { seconds, claimant }: Claiming) => sql<
  Partial<Job> & Pick<Claim, 'reached'>
>`
    with recursive clock as materialized (select stoa.now() as now), claimable as materialized (
      select kind, others, coalesce(after, ${BEFORE_ALL}) as after
      from jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb) as c (kind text, others uuid[], after uuid)
    ), due as materialized (
      select c.kind, j.school_id, j.id, j.due_at, j.school_id <> all (c.others || ${others}::uuid[]) as is_free
      from claimable c cross join lateral (
        select school_id, id, due_at from jobs where kind = c.kind and due_at <= (select now from clock)
        order by due_at limit ${FIRST_DUE}) j
    ), search as (
      select c.kind, c.others, c.after as school_id, null::uuid as id, null::timestamptz as due_at, false as is_free, 0 as step
      from claimable c
      where c.kind in (select kind from due group by kind having count(*) = ${FIRST_DUE} and not bool_or(is_free))
      union all
      select s.kind, s.others, j.school_id, j.id, j.due_at,
        j.due_at <= (select now from clock) and j.school_id <> all (s.others || ${others}::uuid[]), s.step + 1
      from search s cross join lateral (
        select school_id, id, due_at from jobs where kind = s.kind and school_id > s.school_id
        order by school_id, due_at limit 1) j
      where not s.is_free and s.step < ${SEARCHED_SCHOOLS}
    ), reached as (
      select distinct on (kind) kind, case when is_free or step = ${SEARCHED_SCHOOLS} then school_id end as school_id
      from search order by kind, step desc
    ), candidates as materialized (
      select kind, school_id, id, due_at from due where is_free
      union all select kind, school_id, id, due_at from search where is_free
      order by due_at limit ${CANDIDATES}
    ), claimed as (
      update jobs set due_at = (select now from clock) + make_interval(secs => ${seconds}), attempt = attempt + 1,
        claimed_by = ${claimant ?? null}::integer, claimed_until = (select now from clock) + make_interval(secs => ${seconds})
      where (school_id, kind, id) in (
        select j.school_id, j.kind, j.id from candidates c cross join lateral (
          select school_id, kind, id from jobs
          where school_id >= c.school_id and school_id <= c.school_id and kind >= c.kind and kind <= c.kind
            and id >= c.id and id <= c.id and due_at <= (select now from clock)
          order by school_id, kind, id limit 1 for update skip locked) j
        limit 1)
      returning kind, school_id as "schoolId", id, attempt
    )
    select c.*, (select coalesce(jsonb_object_agg(kind, school_id), '{}') from reached) as reached
    from (values (true)) as always left join claimed c on true`

/**
 * Claims a job of these kinds: of the schools that do not have to wait, the one that is due first. The claim is valid for
 * `seconds`; if the process dies, another one claims the job after that, or once `releaseClaims` has released it.
 */
export const claimJob = async (shared: Db, claimable: Claimable, claiming: Claiming): Promise<Claim> => {
  const { kind, schoolId, id, attempt, reached } = await shared.one(claimStatement(claimable, claiming))
  const job = kind && schoolId && id && attempt ? { kind, schoolId, id, attempt } : undefined
  return { job, reached }
}

/** Ends a claimed job, or reschedules it; does nothing if another worker has claimed it since. */
export const settleJob = (db: Db, job: Job, againIn: number | undefined): Promise<number> =>
  againIn === undefined
    ? db.run(sql`
        delete from jobs
        where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)
    : db.run(sql`
        update jobs set due_at = (select stoa.now()) + make_interval(secs => ${againIn}), claimed_by = null, claimed_until = null
        where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)

/** Reschedules a claimed job as if it had not been claimed. */
export const postponeJob = (db: Db, job: Job, seconds: number) =>
  db.run(sql`
    update jobs set due_at = (select stoa.now()) + make_interval(secs => ${seconds}), attempt = attempt - 1,
      claimed_by = null, claimed_until = null
    where school_id = ${job.schoolId} and kind = ${job.kind} and id = ${job.id} and attempt = ${job.attempt}`)

// The class of the advisory locks that processes hold while they run.
const CLAIMANTS = 0x73746f61

/** Takes the lock of a process, which PostgreSQL releases when the connection ends, whatever ended it. */
export const holdClaimant = (claimant: number): Statement =>
  sql`select pg_advisory_lock(${CLAIMANTS}::integer, ${claimant}::integer)`

const isHeld = sql`
  exists (select from pg_locks l where l.locktype = 'advisory' and l.granted and l.classid = ${CLAIMANTS}::oid
    and l.objid = j.claimed_by::oid and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database()))`

/** The processes that claimed jobs and do not hold their locks. */
export const absentClaimants = async (shared: Db): Promise<number[]> => {
  const rows = await shared.all(sql<{ claimant: number }>`
    select distinct j.claimed_by as claimant from jobs j where j.claimed_by is not null and not ${isHeld}`)
  return rows.map(({ claimant }) => claimant)
}

/** Makes the jobs that these processes claimed due now, unless they hold their locks again. */
export const releaseClaims = (shared: Db, claimants: readonly number[]): Promise<number> =>
  shared.run(sql`
    update jobs j set due_at = (select stoa.now()), claimed_by = null, claimed_until = null
    where j.claimed_by = any (${claimants}::integer[]) and j.due_at = j.claimed_until and not ${isHeld}`)
