import { newUuid } from '#src/kit/ids.ts'
import type { TestApp } from './app.ts'

/** A subscription that began and changed at some instants; the amounts are of its price, 0 where it ended. */
type History = { readonly memberId: string; readonly currency: string; readonly levels: readonly Level[] }

type Level = { readonly at: Date; readonly amount: number; readonly interval: 'week' | 'month' | 'year' }

const computeStatus = ({ amount }: Level): string => (amount === 0 ? 'canceled' : 'active')

const buildPrice = ({ amount, interval }: Level, currency: string): string =>
  JSON.stringify({ payment_type: 'subscription', amount, interval, interval_count: 1, currency })

/** Inserts subscriptions with what they brought, as history that an import brings: each level in its order. */
export const addSubscriptions = async (
  { database, a }: Pick<TestApp, 'database' | 'a'>,
  itemId: string,
  histories: readonly History[],
): Promise<void> => {
  for (const { memberId, currency, levels } of histories) {
    const id = newUuid(Date.now())
    await database.query(
      `insert into subscriptions (school_id, id, member_id, item_type, item_id, name, price_id, price, tax_class, status,
         collection, source, changed_in, created_at, updated_at)
       values ($1, $2, $3, 'course', $4, 'A course', gen_random_uuid(), $5, 'standard', 'incomplete', 'automatic', 'import', 0,
         stoa.now(), stoa.now())`,
      [a.id, id, memberId, itemId, buildPrice({ at: new Date(), amount: 100, interval: 'month' }, currency)],
    )
    for (const level of levels) {
      await database.query(
        `update subscriptions set status = $3, price = $4, canceled_at = case when $3 = 'canceled' then stoa.now() end
         where school_id = $1 and id = $2`,
        [a.id, id, computeStatus(level), buildPrice(level, currency)],
      )
      await database.query(
        `update mrr_changes set at = $3, started_in = to_char($3::timestamptz, 'YYYY-MM')
         where school_id = $1 and subscription_id = $2 and at > stoa.now() - interval '1 hour'`,
        [a.id, id, level.at],
      )
    }
  }
}

/** Inserts registrations for the first date of an event that was made, and lets the date have ended. */
export const addRegistrations = async (
  { database, a }: Pick<TestApp, 'database' | 'a'>,
  rows: readonly {
    readonly memberId: string
    readonly madeAt: Date
    readonly cameAt: Date | null
    readonly cancelledAt: Date | null
  }[],
  endedAt: Date,
): Promise<void> => {
  const occurrenceId = newUuid(Date.now())
  await database.query(
    `insert into occurrences (school_id, id, event_id, rule_local, starts_local, time_zone, duration_minutes, starts_at,
       ends_at, zones, status, ended_at, changed_in, created_at, updated_at)
     select $1, $2::uuid, e.id, $2::uuid::text, '2026-01-01T10:00', 'UTC', 60, $3::timestamptz - interval '1 hour', $3::timestamptz, '2026a',
       'scheduled', $3::timestamptz, 0, $3::timestamptz, $3::timestamptz from events e where e.school_id = $1 order by e.id limit 1`,
    [a.id, occurrenceId, endedAt],
  )
  await database.query(
    `insert into registrations (school_id, id, event_id, occurrence_id, member_id, status, attendee_name, name_folded, words_folded, code,
       confirmed_at, checked_in_at, cancelled_at, cancelled_by, changed_in, created_at, updated_at)
     select $1, gen_random_uuid(), o.event_id, o.id, r."memberId",
       case when r."cancelledAt" is not null then 'cancelled' when r."cameAt" is not null then 'checked_in' else 'confirmed' end,
       'Somebody', 'somebody', '', gen_random_uuid()::text, r."madeAt",
       case when r."cancelledAt" is null then r."cameAt" end, r."cancelledAt",
       case when r."cancelledAt" is not null then 'person' end, 0, r."madeAt", r."madeAt"
     from occurrences o, jsonb_to_recordset($3::jsonb)
       as r ("memberId" uuid, "madeAt" timestamptz, "cameAt" timestamptz, "cancelledAt" timestamptz)
     where o.school_id = $1 and o.id = $2`,
    [a.id, occurrenceId, JSON.stringify(rows)],
  )
}
