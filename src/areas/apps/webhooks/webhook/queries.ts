import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { buildAssignments } from '#src/db/columns.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { disabledReasons, webhookStatuses } from './schema.ts'

/** What can be changed of a webhook. */
export type WebhookValues = {
  readonly url: string
  readonly types: readonly string[]
  readonly description: string | null
  readonly ordered: boolean
}

/** Why a webhook is disabled. */
export type DisabledReason = (typeof disabledReasons)[number]

/** A stored webhook; sequences are small enough to be exact as doubles. */
export type WebhookRow = Recorded<WebhookValues> & {
  readonly id: string
  readonly status: (typeof webhookStatuses)[number]
  readonly disabled_reason: DisabledReason | null
  readonly client_id: string | null
  readonly member_id: string
  readonly secret_sealed: Buffer
  readonly secret_hint: string
  readonly previous_secret_sealed: Buffer | null
  readonly previous_secret_expires_at: Date | null
  readonly failed_since: Date | null
  readonly failed_deliveries: readonly string[]
  readonly failing_since: Date | null
  readonly failing_attempts: number
  readonly next_attempt_at: Date | null
  readonly failing_mailed_at: Date | null
  readonly last_delivered_at: Date | null
  readonly last_sequence: number | null
  readonly missed_from: number | null
}

const columns = sql`w.id, w.url, w.types, w.description, w.ordered, w.status, w.disabled_reason, w.client_id, w.member_id,
  w.secret_sealed, w.secret_hint, w.previous_secret_sealed, w.previous_secret_expires_at, w.failed_since, w.failed_deliveries,
  w.failing_since, w.failing_attempts, w.next_attempt_at, w.failing_mailed_at, w.last_delivered_at,
  w.last_sequence::double precision as last_sequence, w.missed_from::double precision as missed_from,
  w.revision, w.created_at, w.updated_at`

/** Whose webhooks are meant: those of an app in the name of a member, or every one of the school. */
export type Owner = { readonly clientId: string; readonly memberId: string } | undefined

const buildOwnerCondition = (owner: Owner): Statement | undefined =>
  when(owner, ({ clientId, memberId }) => sql`w.client_id = ${clientId} and w.member_id = ${memberId}`)

/** The webhooks of a school, or of an app in the name of a member. */
export const webhookList = (
  schoolId: string,
  { owner, status }: { readonly owner: Owner; readonly status: WebhookRow['status'] | undefined },
): List<WebhookRow> => ({
  columns,
  from: sql`webhooks w`,
  where: joinConditions(
    sql`w.school_id = ${schoolId}`,
    buildOwnerCondition(owner),
    when(status, one => sql`w.status = ${one}`),
  ),
  id: sql`w.id`,
})

/** The webhook with this id, unless it belongs to somebody else. */
export const findWebhook = (db: Db, schoolId: string, id: string, owner: Owner, lock: Statement = sql``) =>
  db.first(sql<WebhookRow>`
    select ${columns} from webhooks w
    where ${joinConditions(sql`w.school_id = ${schoolId} and w.id = ${id}`, buildOwnerCondition(owner))} ${lock}`)

/** The same, locked until the transaction ends. */
export const lockWebhook = (db: Db, schoolId: string, id: string, owner: Owner = undefined) =>
  findWebhook(db, schoolId, id, owner, sql`for no key update`)

/** Every webhook of a school, the oldest first. */
export const listWebhookRows = (db: Db, schoolId: string) =>
  db.all(sql<WebhookRow>`select ${columns} from webhooks w where w.school_id = ${schoolId} order by w.id`)

/** The webhooks that facts are sent to, locked in the order of their ids. */
export const lockSentWebhooks = (db: Db, schoolId: string) =>
  db.all(sql<WebhookRow>`
    select ${columns} from webhooks w where w.school_id = ${schoolId} and w.status <> 'disabled' order by w.id for no key update`)

/** The webhooks that belong to a member, those of one app alone where it is named. */
export const listMemberWebhooks = (db: Db, schoolId: string, memberId: string, clientId?: string) =>
  db.all(sql<WebhookRow>`
    select ${columns} from webhooks w
    where ${joinConditions(
      sql`w.school_id = ${schoolId} and w.member_id = ${memberId}`,
      when(clientId, id => sql`w.client_id = ${id}`),
    )} order by w.id`)

/** Has another member be the one who created the webhooks of the school that a member created. */
export const moveSchoolWebhooks = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update webhooks set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId} and client_id is null`)

/** How many webhooks a school has, and how many of them are of an app in the name of a member. */
export const countWebhooks = (db: Db, schoolId: string, owner: Owner) =>
  db.one(sql<{ all: number; own: number }>`
    select count(*)::integer as all,
      (count(*) filter (where w.client_id = ${owner?.clientId ?? null}::text
        and w.member_id = ${owner?.memberId ?? null}::uuid))::integer as own
    from webhooks w where w.school_id = ${schoolId}`)

/** Whether one of the names of this installation is that of a host. */
export const isOwnHost = async (db: Db, host: string): Promise<boolean> =>
  (await db.first(sql`select from hosts where regexp_replace(host, ':\\d+$', '') = ${host} limit 1`)) !== undefined

/**
 * Locks where the distribution of a school's facts is; where none of its webhooks were sent facts, it goes to the last fact
 * first, so that what starts now begins with the next one.
 */
export const startDistribution = (db: Db, schoolId: string) =>
  db.one(sql<{ position: number }>`
    insert into distributions as d (school_id, position)
    values (${schoolId}, (select coalesce(max(sequence), 0) from facts where school_id = ${schoolId} and sequence is not null))
    on conflict (school_id) do update set position = case
      when exists (select from webhooks w where w.school_id = ${schoolId} and w.status <> 'disabled') then d.position
      else excluded.position end
    returning position::double precision as position`)

type NewRow = WebhookValues & Pick<WebhookRow, 'id' | 'client_id' | 'member_id' | 'secret_sealed' | 'secret_hint'>

/** Stores a new webhook. */
export const insertWebhook = (db: Db, schoolId: string, row: NewRow) =>
  db.one(sql<WebhookRow>`
    with clock as materialized (select stoa.now() as now)
    insert into webhooks as w
      (school_id, id, url, types, description, ordered, client_id, member_id, secret_sealed, secret_hint, created_at, updated_at)
    select ${schoolId}, ${row.id}, ${row.url}, ${row.types}, ${row.description}, ${row.ordered}, ${row.client_id}, ${row.member_id},
      ${row.secret_sealed}, ${row.secret_hint}, now, now
    from clock
    returning ${columns}`)

/** Stores the changed settings of a webhook as its next revision. */
export const storeWebhook = (db: Db, schoolId: string, id: string, values: WebhookValues) =>
  db.one(sql<WebhookRow>`
    update webhooks w set ${buildAssignments(values, ['url', 'types', 'description', 'ordered'])},
      revision = w.revision + 1, updated_at = (select stoa.now())
    where w.school_id = ${schoolId} and w.id = ${id}
    returning ${columns}`)

/** Stores a new secret; the one before it signs until an instant, or no more. */
export const storeSecret = (
  db: Db,
  schoolId: string,
  id: string,
  { sealed, hint, until }: { readonly sealed: Buffer; readonly hint: string; readonly until: Date | null },
) =>
  db.one(sql<WebhookRow>`
    update webhooks w set secret_sealed = ${sealed}, secret_hint = ${hint},
      previous_secret_sealed = case when ${until}::timestamptz is not null then w.secret_sealed end,
      previous_secret_expires_at = ${until}::timestamptz,
      revision = w.revision + 1, updated_at = (select stoa.now())
    where w.school_id = ${schoolId} and w.id = ${id}
    returning ${columns}`)

/** Has a webhook be sent facts again, as if no attempt had failed. */
export const storeEnabled = (db: Db, schoolId: string, id: string) =>
  db.one(sql<WebhookRow>`
    update webhooks w set status = 'active', disabled_reason = null, failed_since = null, failed_deliveries = '{}',
      failing_since = null, failing_attempts = 0, next_attempt_at = null, failing_mailed_at = null,
      revision = w.revision + 1, updated_at = (select stoa.now())
    where w.school_id = ${schoolId} and w.id = ${id}
    returning ${columns}`)

// Dropping a row costs ten times as much as deleting it, and whoever disconnects an app does not wait for a hundred thousand.
const MAX_DROPPED = 10_000

/**
 * Disables a webhook and drops what waits, of which the log keeps the first 10,000; the first fact that it misses from now on is
 * kept.
 */
export const storeDisabled = (db: Db, schoolId: string, id: string, reason: DisabledReason) =>
  db.one(sql<WebhookRow>`
    with clock as materialized (select stoa.now() as now), beyond as materialized (
      select sequence from webhook_deliveries
      where school_id = ${schoolId} and webhook_id = ${id} and status = 'waiting'
      order by sequence offset ${MAX_DROPPED} limit 1
    ), dropped as (
      update webhook_deliveries set status = 'dropped', next_attempt_at = null, ended_at = (select now from clock)
      where school_id = ${schoolId} and webhook_id = ${id} and status = 'waiting'
        and (sequence < (select sequence from beyond)) is not false
      returning sequence
    ), deleted as (
      delete from webhook_deliveries
      where school_id = ${schoolId} and webhook_id = ${id} and status = 'waiting'
        and sequence >= (select sequence from beyond)
    )
    update webhooks w set status = 'disabled', disabled_reason = ${reason}, failing_since = null, next_attempt_at = null,
      missed_from = least(w.missed_from, coalesce((select min(sequence) from dropped where sequence > 0),
        (select position + 1 from distributions where school_id = ${schoolId}))),
      revision = w.revision + 1, updated_at = (select now from clock)
    where w.school_id = ${schoolId} and w.id = ${id}
    returning ${columns}`)

type MissedRange = { readonly types: readonly string[]; readonly position: number }

/**
 * Stores what a webhook missed now: the first fact of these types, up to the last one that was distributed, that was not sent
 * since it was disabled, or null. Returns how many rows changed.
 */
export const storeMissed = (db: Db, schoolId: string, id: string, { types, position }: MissedRange) =>
  db.run(sql`
    with first as materialized (
      select (
        select f.sequence from facts f
        where f.school_id = ${schoolId} and f.sequence >= w.missed_from and f.sequence <= ${position} and not f.is_withheld
          and f.sequence > (select facts_open_after from schools where id = ${schoolId})
          and f.type = any (${types}::text[])
          and not exists (
            select from webhook_deliveries d
            where d.school_id = ${schoolId} and d.webhook_id = ${id} and d.fact_id is not null and d.sequence = f.sequence
              and d.status <> 'dropped')
        order by f.sequence limit 1) as sequence
      from webhooks w where w.school_id = ${schoolId} and w.id = ${id} and w.missed_from is not null
    )
    update webhooks w set missed_from = first.sequence from first
    where w.school_id = ${schoolId} and w.id = ${id} and w.missed_from is distinct from first.sequence`)

/** Deletes a webhook with its deliveries. */
export const deleteWebhookRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from webhooks where school_id = ${schoolId} and id = ${id}`)

/** How many deliveries wait, by the id of the webhook. */
export const countWaiting = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ webhook_id: string; count: number }>`
    select webhook_id, count(*)::integer as count from webhook_deliveries
    where school_id = ${schoolId} and webhook_id = any (${ids}::uuid[]) and status = 'waiting' group by webhook_id`)
  return new Map(rows.map(({ webhook_id, count }) => [webhook_id, count]))
}

// So many deliveries are counted at most.
const MOST_WAITING = 10_000

/** How many webhooks a school has, how many fail or were stopped by no person, and how many deliveries wait, at most 10,000. */
export const countWebhookStates = (db: Db, schoolId: string) =>
  db.one(sql<{ all: number; active: number; failing: number; stopped: number; waiting: number }>`
    select count(*)::integer as all, (count(*) filter (where w.status = 'active'))::integer as active,
      (count(*) filter (where w.status = 'failing'))::integer as failing,
      (count(*) filter (where w.disabled_reason <> 'by_person'))::integer as stopped,
      (select count(*)::integer from (
        select from webhook_deliveries where school_id = ${schoolId} and status = 'waiting' limit ${MOST_WAITING}) as found) as waiting
    from webhooks w where w.school_id = ${schoolId}`)

/** How many webhooks have been failing for a day, and how many facts wait to be distributed to any. */
export const findWebhookTrouble = (db: Db, schoolId: string) =>
  db.one(sql<{ failing: number; behind: number }>`
    select (select count(*)::integer from webhooks
        where school_id = ${schoolId} and failing_since < (select stoa.now()) - interval '1 day') as failing,
      coalesce((select (select max(sequence) from facts where school_id = ${schoolId} and sequence is not null) - p.position
        from distributions p where p.school_id = ${schoolId}
          and exists (select from webhooks w where w.school_id = ${schoolId} and w.status <> 'disabled')),
        0)::double precision as behind`)

/** The active owners of a school. */
export const listOwnerIds = async (db: Db, schoolId: string): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from members where school_id = ${schoolId} and role = 'owner' and status = 'active' order by id`)
  ).map(({ id }) => id)

/** The instant of the transaction. */
export const readNow = async (db: Db): Promise<Date> => (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now
