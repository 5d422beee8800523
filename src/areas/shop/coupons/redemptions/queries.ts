import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions } from '#src/db/where.ts'
import type { RedemptionStatus } from './rules.ts'

/** What a use of a coupon is, in minor units. */
export type RedemptionRow = {
  readonly id: string
  readonly coupon_id: string
  readonly order_id: string
  readonly member_id: string
  readonly status: RedemptionStatus
  readonly amount: number
}

const columns = sql`r.id, r.coupon_id, r.order_id, r.member_id, r.status, r.amount::double precision as amount`

/** The redemptions of an order that are held or taken. */
export const listOfOrder = (db: Db, schoolId: string, orderId: string) =>
  db.all(sql<RedemptionRow>`
    select ${columns} from coupon_redemptions r
    where r.school_id = ${schoolId} and r.order_id = ${orderId} and r.status <> 'returned' order by r.id`)

/** The last redemption of each coupon by an order: the one that is held or taken, else the one returned last. */
export const listLastOfOrder = (db: Db, schoolId: string, orderId: string) =>
  db.all(sql<RedemptionRow>`
    select distinct on (r.coupon_id) ${columns} from coupon_redemptions r
    where r.school_id = ${schoolId} and r.order_id = ${orderId}
    order by r.coupon_id, r.status = 'returned', r.id desc`)

/** Locks the coupons of an order until the transaction ends, in the order of their ids. */
export const lockOrderCoupons = (db: Db, schoolId: string, orderId: string): Promise<unknown> =>
  db.all(sql`
    select c.id from coupons c where c.school_id = ${schoolId} and c.id in (
      select r.coupon_id from coupon_redemptions r where r.school_id = ${schoolId} and r.order_id = ${orderId})
    order by c.id for no key update of c`)

/** How often a member uses some coupons, without those of an order; coupons without a use are left out. */
export const countUses = async (
  db: Db,
  schoolId: string,
  { memberId, couponIds, exceptOrderId }: CountedUses,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    select r.coupon_id as id, count(*)::integer as count from coupon_redemptions r
    where r.school_id = ${schoolId} and r.member_id = ${memberId} and r.coupon_id = any (${couponIds}::uuid[])
      and r.status <> 'returned' and r.order_id is distinct from ${exceptOrderId}::uuid
    group by r.coupon_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

type CountedUses = {
  readonly memberId: string
  readonly couponIds: readonly string[]
  readonly exceptOrderId: string | undefined
}

/** The tags of a member. */
export const listMemberTags = async (db: Db, schoolId: string, memberId: string): Promise<string[]> =>
  (
    await db.all(sql<{ tag: string }>`
      select tag from member_tags where school_id = ${schoolId} and member_id = ${memberId}`)
  ).map(({ tag }) => tag)

// The condition that the coupon `c` has a use left, and as much of its budget.
const hasRoom = (amount: Statement): Statement => sql`
  (c.max_redemptions is null or c.held + c.taken < c.max_redemptions)
  and (c.max_amount is null or c.amount_held + c.amount_taken + ${amount} <= c.max_amount)`

/** Counts one use of a coupon as held, if it has one left; returns 0 if it has not. */
export const countHeld = (
  db: Db,
  schoolId: string,
  { couponId, amount }: { readonly couponId: string; readonly amount: number },
) =>
  db.run(sql`
    update coupons c set held = held + 1, amount_held = amount_held + ${amount}::bigint
    where c.school_id = ${schoolId} and c.id = ${couponId} and ${hasRoom(sql`${amount}::bigint`)}`)

/** The columns of a coupon and a member by which `freeSlot` finds what the member uses. */
type SlotOf = { readonly couponId: Statement; readonly memberId: Statement; readonly most: Statement }

// The lowest number that no use of the member has, if they have fewer uses than the coupon allows. A merge of two members
// may have left more.
const freeSlot = (schoolId: string, { couponId, memberId, most }: SlotOf): Statement => sql`(
  select min(n.slot) from generate_series(1, ${most}) as n (slot)
  where not exists (
      select from coupon_redemptions o where o.school_id = ${schoolId} and o.coupon_id = ${couponId}
        and o.member_id = ${memberId} and o.slot = n.slot)
    and (select count(*) from coupon_redemptions o where o.school_id = ${schoolId} and o.coupon_id = ${couponId}
        and o.member_id = ${memberId} and o.status <> 'returned') < ${most})`

/** A redemption to store. */
type NewRedemption = {
  readonly id: string
  readonly couponId: string
  readonly codeId: string
  readonly orderId: string
  readonly memberId: string
  readonly amount: number
  readonly currency: string
}

/** Stores a held redemption of a counted use, unless the member has none left; returns 0 then. */
export const insertHeld = (db: Db, schoolId: string, one: NewRedemption) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into coupon_redemptions (school_id, id, coupon_id, code_id, order_id, member_id, status, amount, currency,
      slot, held_at, created_at, updated_at)
    select c.school_id, ${one.id}::uuid, c.id, ${one.codeId}::uuid, ${one.orderId}::uuid, ${one.memberId}::uuid, 'held',
      ${one.amount}::bigint, ${one.currency}::text, s.slot, (select now from clock), (select now from clock),
      (select now from clock)
    from coupons c cross join lateral (
      select ${freeSlot(schoolId, {
        couponId: sql`c.id`,
        memberId: sql`${one.memberId}::uuid`,
        most: sql`c.max_per_member`,
      })} as slot) s
    where c.school_id = ${schoolId} and c.id = ${one.couponId} and (c.max_per_member is null or s.slot is not null)`)

/** A move of a redemption, and how it changes the counts of its coupon. */
type StoredMove = {
  readonly from: RedemptionRow['status']
  readonly to: RedemptionRow['status']
  readonly needs?: 'free_use' | 'returns_on_refund'
  readonly held: number
  readonly taken: number
}

const whatItNeeds = (schoolId: string, needs: StoredMove['needs']): Statement | undefined => {
  if (needs === undefined) return undefined
  if (needs === 'returns_on_refund') return sql`c.returns_on_refund`
  const slot = freeSlot(schoolId, { couponId: sql`c.id`, memberId: sql`r.member_id`, most: sql`c.max_per_member` })
  return sql`${hasRoom(sql`r.amount`)} and (c.max_per_member is null or ${slot} is not null)
    and (c.currency is null or c.currency = r.currency)`
}

const slotAfter = (schoolId: string, { to, needs }: StoredMove): Statement => {
  if (to === 'returned') return sql`null`
  if (needs !== 'free_use') return sql`r.slot`
  return freeSlot(schoolId, { couponId: sql`c.id`, memberId: sql`r.member_id`, most: sql`c.max_per_member` })
}

/**
 * Moves a redemption of a locked coupon to another status and counts it there, if it has the status that the move begins
 * with and the move has what it needs; returns 0 if not.
 */
export const storeMove = (db: Db, schoolId: string, id: string, move: StoredMove) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), moved as (
      update coupon_redemptions r set status = ${move.to}, slot = ${slotAfter(schoolId, move)},
        taken_at = case when ${move.to} = 'taken' then (select now from clock) else r.taken_at end,
        returned_at = case when ${move.to} = 'returned' then (select now from clock) end,
        updated_at = (select now from clock)
      from coupons c
      where ${joinConditions(
        sql`r.school_id = ${schoolId} and r.id = ${id} and r.status = ${move.from}
          and c.school_id = ${schoolId} and c.id = r.coupon_id`,
        whatItNeeds(schoolId, move.needs),
      )}
      returning r.coupon_id, r.amount
    )
    update coupons c set held = c.held + ${move.held}::integer, taken = c.taken + ${move.taken}::integer,
      amount_held = c.amount_held + ${move.held}::integer * m.amount,
      amount_taken = c.amount_taken + ${move.taken}::integer * m.amount,
      first_taken_at = case when ${move.to} = 'taken' then coalesce(c.first_taken_at, (select now from clock))
        else c.first_taken_at end
    from moved m where c.school_id = ${schoolId} and c.id = m.coupon_id`)

/** Moves the redemptions of one member to another; each gets a number of a use that the other does not have. */
export const moveRedemptions = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    with moved as (
      select r.id, r.coupon_id, row_number() over (partition by r.coupon_id order by r.id) as place
      from coupon_redemptions r
      where r.school_id = ${schoolId} and r.member_id = ${fromId} and r.slot is not null
    ), free as (
      select n.coupon_id, n.slot, row_number() over (partition by n.coupon_id order by n.slot) as place
      from (
        select m.coupon_id, generate_series(1, count(*) + (
          select count(*) from coupon_redemptions o
          where o.school_id = ${schoolId} and o.coupon_id = m.coupon_id and o.member_id = ${intoId})) as slot
        from moved m group by m.coupon_id
      ) n
      where not exists (
        select from coupon_redemptions o where o.school_id = ${schoolId} and o.coupon_id = n.coupon_id
          and o.member_id = ${intoId} and o.slot = n.slot)
    )
    update coupon_redemptions r set member_id = ${intoId}, slot = f.slot
    from moved m join free f on f.coupon_id = m.coupon_id and f.place = m.place
    where r.school_id = ${schoolId} and r.id = m.id`)
  await db.run(sql`
    update coupon_redemptions set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)
}
