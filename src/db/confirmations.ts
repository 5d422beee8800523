import type { ConfirmationRow, RequestedWrite } from '#src/contract/confirmation.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { insertJobsFrom } from './jobs.ts'
import { sql } from './sql.ts'

/** The kind of job that deletes undecided requests. */
export const CONFIRMATION_JOB = 'confirmation'

/** How long a person has to decide, in seconds. */
const CONFIRMATION_SECONDS = 15 * 60

// Long enough for apps that read the result late.
const KEPT_SECONDS = 30 * 24 * 3600

const columns = sql`f.id, f.member_id, f.client_id, c.name as client_name, c.arranged_at is not null as is_pre_registered,
  f.grant_id, f.operation, f.asked, f.effects, f.outcome_status, f.outcome_code, f.created_at, f.expires_at, f.decided_at,
  case when f.decision = 'reject' then 'rejected' when f.outcome_code is not null then 'failed'
    when f.decision = 'approve' then 'approved' when f.expires_at <= (select now from clock) then 'expired' else 'pending' end as status`

const confirmations = sql`confirmations f join clients c on c.school_id = f.school_id and c.id = f.client_id`

/** A stored write that waits for the person's approval. */
type NewConfirmation = {
  readonly id: string
  readonly memberId: string
  readonly clientId: string
  readonly grantId: string
  readonly operation: string
  readonly asked: RequestedWrite
  readonly effects: readonly Fact[]
}

/**
 * Counts the pending confirmations of a member, and locks the member, so that requests are counted one after the other.
 */
export const countPending = async (db: Db, schoolId: string, memberId: string): Promise<number> => {
  await db.one(sql`select from members where school_id = ${schoolId} and id = ${memberId} for no key update`)
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::integer as count from confirmations
    where school_id = ${schoolId} and member_id = ${memberId} and decision is null and expires_at > (select stoa.now())`)
  return count
}

/** Stores a write that waits for approval, with the job that deletes it. */
export const insertConfirmation = (db: Db, schoolId: string, made: NewConfirmation) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), made as (
      insert into confirmations
        (school_id, id, member_id, client_id, grant_id, operation, asked, effects, created_at, expires_at)
      select ${schoolId}, ${made.id}, ${made.memberId}, ${made.clientId}, ${made.grantId}, ${made.operation},
        ${JSON.stringify(made.asked)}, ${JSON.stringify(made.effects)}, now,
        now + make_interval(secs => ${CONFIRMATION_SECONDS})
      from clock
      returning school_id, id, expires_at as due_at
    )${insertJobsFrom(CONFIRMATION_JOB)}`)

/** A confirmation of a member; with `clientId` only one of that app. */
export const findConfirmation = (
  db: Db,
  schoolId: string,
  asked: { readonly id: string; readonly memberId: string; readonly clientId?: string | undefined },
) =>
  db.first(sql<ConfirmationRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from ${confirmations}
    where f.school_id = ${schoolId} and f.id = ${asked.id} and f.member_id = ${asked.memberId}
      and f.client_id = coalesce(${asked.clientId}, f.client_id)`)

/** The pending confirmations of a member, the oldest first. */
export const listPending = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<ConfirmationRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from ${confirmations}
    where f.school_id = ${schoolId} and f.member_id = ${memberId} and f.decision is null
      and f.expires_at > (select now from clock)
    order by f.id`)

/** A confirmation of a member, locked until the transaction ends. */
export const lockConfirmation = (db: Db, schoolId: string, asked: { readonly id: string; readonly memberId: string }) =>
  db.first(sql<ConfirmationRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from ${confirmations}
    where f.school_id = ${schoolId} and f.id = ${asked.id} and f.member_id = ${asked.memberId}
    for update of f`)

/** Serialises the approvals of a school, so that they cannot deadlock. */
export const lockApprovals = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select from schools where id = ${schoolId} for no key update`)

/** The decision, and the response of the write after approval. */
type StoredDecision = {
  readonly decision: 'approve' | 'reject'
  readonly status?: number | undefined
  readonly code?: string | undefined
}

/** Stores a decision, once and before expiry, and deletes the request; 0 when it was too late. */
export const storeDecision = (db: Db, schoolId: string, id: string, { decision, status, code }: StoredDecision) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update confirmations set decision = ${decision}, decided_at = (select now from clock), outcome_status = ${status},
      outcome_code = ${code}, asked = null, effects = null
    where school_id = ${schoolId} and id = ${id} and decision is null and expires_at > (select now from clock)`)

/**
 * Deletes the request of an expired confirmation, and a confirmation after its retention; returns the seconds until the
 * next step.
 */
export const expireConfirmation = async (db: Db, schoolId: string, id: string): Promise<number | undefined> => {
  await db.run(sql`
    delete from confirmations
    where school_id = ${schoolId} and id = ${id}
      and expires_at + make_interval(secs => ${KEPT_SECONDS}) <= (select stoa.now())`)
  const left = await db.first(sql<{ seconds: number }>`
    with clock as materialized (select stoa.now() as now)
    update confirmations set asked = null, effects = null
    where school_id = ${schoolId} and id = ${id} and expires_at <= (select now from clock)
    returning extract(epoch from expires_at + make_interval(secs => ${KEPT_SECONDS}) - (select now from clock))::float8 as seconds`)
  return left?.seconds
}

/** Sets a savepoint. */
export const savepoint = (db: Db) => db.run(sql`savepoint asked`)

/** Rolls back to the savepoint. */
export const rollbackToSavepoint = (db: Db) => db.run(sql`rollback to savepoint asked`)
