import type { Db } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { inAll, listRanges } from '#src/db/ranges.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { deliveryStatuses } from './schema.ts'

/** A stored delivery with its fact, whose columns are null for a test. */
export type DeliveryRow = {
  readonly id: string
  readonly webhook_id: string
  readonly fact_id: string | null
  readonly type: string
  readonly sequence: number
  readonly previous: number | null
  readonly status: (typeof deliveryStatuses)[number]
  readonly attempts: number
  readonly next_attempt_at: Date | null
  readonly last_attempt_at: Date | null
  readonly last_outcome: string | null
  readonly duration_ms: number | null
  readonly created_at: Date
  readonly payload: Readonly<Record<string, unknown>> | null
  readonly recorded_at: Date | null
  readonly is_withheld: boolean | null
}

/** The columns of a delivery `d` with its fact `f`. */
export const deliveryColumns = sql`d.id, d.webhook_id, d.fact_id, d.type, d.sequence::double precision as sequence,
  d.previous::double precision as previous, d.status, d.attempts, d.next_attempt_at, d.last_attempt_at, d.last_outcome,
  d.duration_ms, d.created_at, f.payload, f.recorded_at, f.is_withheld`

/** The deliveries `d` of a school with their facts `f`. */
export const deliveriesWithFacts = (schoolId: string) => sql`webhook_deliveries d
  left join facts f on f.school_id = ${schoolId} and f.id = d.fact_id`

type DeliveryFilter = {
  /** The types that may be seen; undefined: all. */
  readonly readable: readonly string[] | undefined
  readonly status: DeliveryRow['status'] | undefined
  readonly type: string | undefined
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The deliveries of a webhook, the newest first. */
export const deliveryList = (schoolId: string, webhookId: string, filter: DeliveryFilter): List<DeliveryRow> => {
  const school = sql`d.school_id = ${schoolId} and d.webhook_id = ${webhookId}`
  return {
    columns: deliveryColumns,
    from: deliveriesWithFacts(schoolId),
    where: joinConditions(
      school,
      when(filter.readable, types => sql`d.type = any (${types}::text[])`),
      when(filter.status, status => sql`d.status = ${status}`),
      when(filter.type, type => sql`d.type = ${type}`),
      inAll(listRanges(school, [{ column: sql`d.sequence`, from: filter.from, to: filter.to }])),
    ),
    id: sql`d.id`,
    keys: { sequence: integerKey(sql`d.sequence`, row => row.sequence) },
    sort: '-created_at',
  }
}

/** The delivery with this id at a webhook. */
export const findDelivery = (db: Db, schoolId: string, webhookId: string, id: string) =>
  db.first(sql<DeliveryRow>`
    select ${deliveryColumns} from ${deliveriesWithFacts(schoolId)}
    where d.school_id = ${schoolId} and d.webhook_id = ${webhookId} and d.id = ${id}`)

/** Stores the delivery of an example, due now. */
export const insertTest = (
  db: Db,
  schoolId: string,
  test: { readonly id: string; readonly webhookId: string; readonly type: string },
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into webhook_deliveries (school_id, id, webhook_id, type, sequence, next_attempt_at, created_at)
    select ${schoolId}, ${test.id}, ${test.webhookId}, ${test.type}, 0, now, now from clock`)

/** Has a delivery that is not waiting be sent again, now, as if it had not been tried. */
export const storeResent = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update webhook_deliveries set status = 'waiting', attempts = 0, next_attempt_at = (select stoa.now()), ended_at = null,
      is_replay = true
    where school_id = ${schoolId} and id = ${id} and status <> 'waiting'`)

/** Has a webhook that is failing be tried now. */
export const hastenFailing = (db: Db, schoolId: string, webhookId: string) =>
  db.run(sql`
    update webhooks set next_attempt_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${webhookId} and status = 'failing'`)

/** Has a delivery that waits be due now. */
export const hastenDelivery = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update webhook_deliveries set next_attempt_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and status = 'waiting'`)

/** The bounds of a replay: sequences, or instants at which facts were recorded. */
type ReplayRange = {
  readonly from: number | Date
  readonly to: number | Date | undefined
  /** The number of the last fact that was distributed. */
  readonly position: number
  readonly types: readonly string[]
}

const bounds = ({ from, to }: ReplayRange) =>
  joinConditions(
    typeof from === 'number' ? sql`f.sequence >= ${from}` : sql`f.recorded_at >= ${from}`,
    when(to, value => (typeof value === 'number' ? sql`f.sequence <= ${value}` : sql`f.recorded_at <= ${value}`)),
  )

/** A fact to send again, with its delivery to the webhook where it had one. */
export type ReplayedFact = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly delivery_id: string | null
  readonly status: DeliveryRow['status'] | null
  readonly previous: number | null
}

/** The facts in a range that were distributed, oldest first, at most `most`. */
export const listReplayed = (db: Db, schoolId: string, webhookId: string, range: ReplayRange, most: number) =>
  db.all(sql<ReplayedFact>`
    select f.id, f.type, f.sequence::double precision as sequence, d.id as delivery_id, d.status,
      d.previous::double precision as previous
    from facts f
    left join webhook_deliveries d on d.school_id = ${schoolId} and d.webhook_id = ${webhookId} and d.fact_id is not null
      and d.sequence = f.sequence
    where f.school_id = ${schoolId} and f.sequence <= ${range.position} and not f.is_withheld
      and f.sequence > (select facts_open_after from schools where id = ${schoolId})
      and f.type = any (${range.types}::text[]) and ${bounds(range)}
    order by f.sequence limit ${most}`)

/** The number of the last fact before a sequence that was distributed to a webhook; null: there is none. */
export const findPrevious = async (db: Db, schoolId: string, webhookId: string, sequence: number) =>
  (
    await db.one(sql<{ previous: number | null }>`
      select max(sequence)::double precision as previous from webhook_deliveries
      where school_id = ${schoolId} and webhook_id = ${webhookId} and fact_id is not null and sequence < ${sequence}`)
  ).previous

/** A fact for a webhook. */
export type NewDelivery = {
  readonly id: string
  readonly webhook_id: string
  readonly fact_id: string
  readonly type: string
  readonly sequence: number
  readonly previous: number | null
}

/** Stores deliveries that are due now; one that a webhook had of a fact is sent again, with the same `previous`. */
export const insertDeliveries = (db: Db, schoolId: string, rows: readonly NewDelivery[], isReplay: boolean) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into webhook_deliveries
      (school_id, id, webhook_id, fact_id, type, sequence, previous, is_replay, next_attempt_at, created_at)
    select ${schoolId}, r.id, r.webhook_id, r.fact_id, r.type, r.sequence, r.previous, ${isReplay}, now, now
    from clock cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, webhook_id uuid, fact_id uuid, type text, sequence bigint, previous bigint)
    on conflict (school_id, webhook_id, sequence) where fact_id is not null do update set
      status = 'waiting', attempts = 0, next_attempt_at = excluded.next_attempt_at, ended_at = null,
      is_replay = excluded.is_replay`)

/** Deletes deliveries that ended 30 days ago; returns how many. */
export const deleteEnded = (db: Db, schoolId: string, most: number) =>
  db.run(sql`
    delete from webhook_deliveries where school_id = ${schoolId} and id = any (array(
      select id from webhook_deliveries
      where school_id = ${schoolId} and ended_at < (select stoa.now()) - interval '30 days'
      order by ended_at limit ${most} for update skip locked))`)
