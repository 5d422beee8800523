import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { foldEmail } from '#src/kit/text.ts'
import type { CheckoutInput } from '../checkout/schema.ts'
import { CHECKOUT_SECONDS, type WaitingLine } from './rules.ts'

/** The school as far as it decides a quote, and the present instant. */
export const readSchool = (
  db: Db,
  schoolId: string,
): Promise<{ currency: string; country: string | null; time_zone: string; now: Date }> =>
  db.one(sql<{ currency: string; country: string | null; time_zone: string; now: Date }>`
    select currency, country, time_zone, (select stoa.now()) as now from schools where id = ${schoolId}`)

/** The lines of the orders that a member has placed and that wait for payment at an instant, those of the newest first. */
export const listWaiting = (db: Db, schoolId: string, memberId: string, at: Date): Promise<WaitingLine[]> =>
  db.all(sql<WaitingLine>`
    select o.number, l.item_type, l.item_id
    from orders o join order_lines l on l.school_id = ${schoolId} and l.order_id = o.id
    where o.school_id = ${schoolId} and o.member_id = ${memberId} and o.kind = 'checkout'
      and (o.status = 'processing' or (o.status = 'pending' and o.expires_at > ${at}))
    order by o.created_at desc, o.id desc, l.position`)

/** A checkout as the pages need it. */
export type CheckoutRow = {
  readonly id: string
  readonly items: CheckoutInput['items']
  readonly codes: readonly string[]
  readonly billing: NonNullable<CheckoutInput['billing']>
  readonly accepts_terms: boolean
  readonly waives_withdrawal: boolean
  readonly campaign: string | null
  /** How they chose to pay; null where nothing is paid. */
  readonly provider: string | null
  /** The saved method with which they pay; null where they pay on a page or by a transfer. */
  readonly method_id: string | null
  readonly email: string | null
  readonly name: string | null
  /** What the buyer was shown: the hash of the quote, and its total in minor units. */
  readonly quote_hash: Buffer
  readonly currency: string
  readonly total: number
  readonly member_id: string | null
  readonly created_at: Date
  /** The number and the status of the order, once it is placed. */
  readonly order_number: string | null
  readonly order_status: string | null
}

/** A checkout to store; `person` is left out for a member who is signed in. */
type NewCheckoutRow = {
  readonly id: string
  readonly browserHash: Buffer
  readonly input: CheckoutInput
  readonly provider: string | undefined
  readonly methodId: string | undefined
  readonly person: { readonly email: string; readonly name: string } | undefined
  readonly quote: { readonly hash: Buffer; readonly currency: string; readonly total: number }
}

/**
 * Stores a checkout for an hour, or what its form says now if the same browser posted it before; 0 when it is used, or of
 * another browser.
 */
export const storeCheckout = (db: Db, schoolId: string, checkout: NewCheckoutRow): Promise<number> => {
  const { id, browserHash, input, provider, methodId, person, quote } = checkout
  const { items, codes = [], billing = {}, accept_terms = false, waive_withdrawal = false, campaign } = input
  return db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into checkouts (school_id, id, browser_hash, items, codes, billing, accepts_terms, waives_withdrawal, campaign,
      provider, method_id, email, email_folded, name, quote_hash, currency, total, created_at, expires_at)
    select ${schoolId}, ${id}, ${browserHash}, ${JSON.stringify(items)}, ${codes}, ${JSON.stringify(billing)},
      ${accept_terms}, ${waive_withdrawal}, ${campaign}, ${provider}::text, ${methodId}::uuid, ${person?.email},
      ${person === undefined ? undefined : foldEmail(person.email)}, ${person?.name}, ${quote.hash}, ${quote.currency},
      ${quote.total}, now, now + make_interval(secs => ${CHECKOUT_SECONDS})
    from clock
    on conflict (school_id, id) do update set
      items = excluded.items, codes = excluded.codes, billing = excluded.billing, accepts_terms = excluded.accepts_terms,
      waives_withdrawal = excluded.waives_withdrawal, campaign = excluded.campaign, provider = excluded.provider,
      method_id = excluded.method_id,
      email = excluded.email, email_folded = excluded.email_folded, name = excluded.name, quote_hash = excluded.quote_hash,
      currency = excluded.currency, total = excluded.total, expires_at = excluded.expires_at
    where checkouts.browser_hash = excluded.browser_hash and checkouts.used_at is null`)
}

type Place = { readonly id: string; readonly browserHash: Buffer }

/** Where a checkout is looked for; `memberId` finds one that led to an order of this member in any browser. */
type Looked = Place & { readonly memberId?: string | undefined }

/** A checkout of this browser: one that waits for its buyer, or one that led to an order. */
export const findCheckout = (
  db: Db,
  schoolId: string,
  { id, browserHash, memberId }: Looked,
): Promise<CheckoutRow | undefined> =>
  db.first(sql<CheckoutRow>`
    select c.id, c.items, c.codes, c.billing, c.accepts_terms, c.waives_withdrawal, c.campaign, c.provider, c.method_id, c.email, c.name,
      c.quote_hash, c.currency, c.total, c.member_id, c.created_at, o.number as order_number, o.status as order_status
    from checkouts c left join orders o on o.school_id = ${schoolId} and o.id = c.order_id
    where c.school_id = ${schoolId} and c.id = ${id}
      and (c.browser_hash = ${browserHash} or c.member_id = ${memberId}::uuid)
      and (c.used_at is not null or c.expires_at > (select stoa.now()))`)

/** The order of a checkout of this browser, which is locked until the transaction ends; undefined when there is none. */
export const lockCheckout = (
  db: Db,
  schoolId: string,
  { id, browserHash }: Place,
): Promise<{ order_id: string | null; member_id: string | null } | undefined> =>
  db.first(sql<{ order_id: string | null; member_id: string | null }>`
    select order_id, member_id from checkouts
    where school_id = ${schoolId} and id = ${id} and browser_hash = ${browserHash}
      and (used_at is not null or expires_at > (select stoa.now()))
    for update`)

/** Marks a locked checkout as used for an order; the address and the name are now those of the member, and the answers those of the seats. */
export const useCheckout = (
  db: Db,
  schoolId: string,
  id: string,
  { memberId, orderId }: { readonly memberId: string; readonly orderId: string },
): Promise<number> =>
  db.run(sql`
    update checkouts set used_at = (select stoa.now()), member_id = ${memberId}, order_id = ${orderId},
      email = null, email_folded = null, name = null, billing = '{}',
      items = (select jsonb_agg(one.item - 'answers' order by one.place)
        from jsonb_array_elements(items) with ordinality as one (item, place))
    where school_id = ${schoolId} and id = ${id} and used_at is null`)

/** Deletes the checkouts of a member, and those of their address. */
export const eraseCheckouts = (db: Db, schoolId: string, memberId: string): Promise<number> =>
  db.run(sql`
    delete from checkouts where school_id = ${schoolId} and (member_id = ${memberId} or email_folded = (
      select email_folded from members where school_id = ${schoolId} and id = ${memberId}))`)

/** Moves the checkouts of one member to another. */
export const moveCheckouts = (db: Db, schoolId: string, fromId: string, intoId: string): Promise<number> =>
  db.run(sql`
    update checkouts set member_id = ${intoId} where school_id = ${schoolId} and member_id = ${fromId}`)

/** Deletes checkouts a day after they expired. */
export const deleteExpiredCheckouts = (db: Db, schoolId: string, most: number): Promise<number> =>
  db.run(sql`
    delete from checkouts where school_id = ${schoolId} and ctid = any (array(
      select ctid from checkouts
      where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '1 day'
      order by expires_at limit ${most} for update skip locked))`)
