import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { StoredMailValues } from '#src/identity/index.ts'

/** A mail as it is stored. */
export type OutboxRow = {
  readonly id: string
  readonly kind: string
  readonly recipient: string
  readonly member_id: string | null
  readonly locale: string
  readonly values: StoredMailValues
  readonly state: OutboxState
  readonly has_text: boolean
  readonly attempts: number
  readonly last_error: string | null
  readonly recorded_at: Date
  readonly done_at: Date | null
}

/** How far a mail has got. */
type OutboxState = 'waiting' | 'written' | 'sent' | 'failed'

const columns = sql`id, kind, recipient, member_id, locale, "values", attempts, last_error, recorded_at,
  coalesce(sent_at, parked_at) as done_at, (keeps_text or coalesce(sent_at, parked_at) is null) as has_text,
  case when parked_at is not null then 'failed' when sent_at is null then 'waiting'
    when keeps_text then 'written' else 'sent' end as state`

const conditions: Readonly<Record<OutboxState, Statement>> = {
  waiting: sql`sent_at is null and parked_at is null`,
  written: sql`sent_at is not null and keeps_text`,
  sent: sql`sent_at is not null and not keeps_text`,
  failed: sql`parked_at is not null`,
}

/** What the outbox is asked for. */
type OutboxFilter = { readonly state: OutboxState | undefined; readonly memberId?: string | undefined }

const matching = (schoolId: string, { state, memberId }: OutboxFilter): Statement =>
  joinConditions(
    sql`school_id = ${schoolId}`,
    when(state, one => conditions[one]),
    when(memberId, id => sql`member_id = ${id}`),
  )

/** The mails of a school, newest first, before `before`. */
export const listOutbox = (
  db: Db,
  schoolId: string,
  filter: OutboxFilter,
  { rows, before }: { readonly rows: number; readonly before: string | undefined },
) =>
  db.all(sql<OutboxRow>`
    select ${columns} from mails where ${joinConditions(
      matching(schoolId, filter),
      when(before, id => sql`id < ${id}`),
    )} order by id desc limit ${rows}`)

/** How many mails a filter has. */
export const countOutbox = async (db: Db, schoolId: string, filter: OutboxFilter): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from mails where ${matching(schoolId, filter)}`,
    )
  ).count

/** One mail of a school. */
export const findOutboxMail = (db: Db, schoolId: string, id: string): Promise<OutboxRow | undefined> =>
  db.first(sql<OutboxRow>`select ${columns} from mails where school_id = ${schoolId} and id = ${id}`)
