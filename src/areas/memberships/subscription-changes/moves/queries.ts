import type { Db } from '#src/contract/db.ts'
import type { Offer } from '#src/contract/offer.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** Holders of a price who move to another one, after a notice. */
export type MoveRow = {
  readonly id: string
  readonly price_id: string
  readonly to_price_id: string
  readonly offer: Offer
  /** Nobody pays the new price before. */
  readonly not_before: Date
  /** The subscription up to which it was announced. */
  readonly after_id: string | null
  readonly announced: number
  readonly created_at: Date
  readonly ended_at: Date | null
}

const columns = sql`m.id, m.price_id, m.to_price_id, m.offer, m.not_before, m.after_id, m.announced, m.created_at, m.ended_at`

/** Stores a move; undefined while another one of the price is still announced. */
export const insertMove = (
  db: Db,
  schoolId: string,
  now: Date,
  one: Pick<MoveRow, 'price_id' | 'to_price_id' | 'offer' | 'not_before'>,
) =>
  db.first(sql<MoveRow>`
    insert into subscription_moves as m (school_id, id, price_id, to_price_id, offer, not_before, created_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.price_id}, ${one.to_price_id}, ${JSON.stringify(one.offer)}::jsonb,
      ${one.not_before}, ${now})
    on conflict (school_id, price_id) where ended_at is null do nothing
    returning ${columns}`)

/** A move by its id, locked until the transaction ends. */
export const lockMove = (db: Db, schoolId: string, id: string) =>
  db.first(sql<MoveRow>`
    select ${columns} from subscription_moves m where m.school_id = ${schoolId} and m.id = ${id} for no key update`)

/** How many subscriptions at a price a move would announce itself to: those that pay again, and have chosen no other price. */
export const countMovable = async (db: Db, schoolId: string, priceId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from subscriptions s
      where s.school_id = ${schoolId} and s.price_id = ${priceId} and s.collection <> 'complimentary'
        and s.price ->> 'payment_type' = 'subscription' and s.status in ('trialing', 'active', 'past_due', 'paused')
        and not exists (
          select from subscription_price_changes c
          where c.school_id = ${schoolId} and c.subscription_id = s.id and c.status = 'pending')`)
  ).count

/** The next subscriptions at a price after an id, in the order of their ids. */
export const listMovable = (
  db: Db,
  schoolId: string,
  priceId: string,
  { after, most }: { readonly after: string | null; readonly most: number },
) =>
  db.all(sql<{ id: string }>`
    select s.id from subscriptions s
    where s.school_id = ${schoolId} and s.price_id = ${priceId}
      and s.status in ('trialing', 'active', 'past_due', 'paused')
      and (${after}::uuid is null or s.id > ${after})
    order by s.id limit ${most}`)

/** Stores how far a move was announced, and whether that was the last part. */
export const storeProgress = (
  db: Db,
  schoolId: string,
  id: string,
  part: { readonly after: string | null; readonly announced: number; readonly isLast: boolean },
) =>
  db.run(sql`
    update subscription_moves set after_id = coalesce(${part.after}::uuid, after_id),
      announced = announced + ${part.announced}, ended_at = case when ${part.isLast}::boolean then (select stoa.now()) end
    where school_id = ${schoolId} and id = ${id}`)
