import { randomUUID } from 'node:crypto'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { TestReply } from './http.ts'
import { type CourseOnSale, sellCourse } from './offers.ts'

/** A price that is paid once, by default 49.00. */
export const once = (amount = 4900) => ({ payment_type: 'one_time', amount })

/** A course on sale, with the ids of its prices as an app knows them. */
export type Sold = CourseOnSale & { readonly priceIds: readonly string[]; readonly priceId: string }

/** Makes a published course with these prices; by default one that is paid once. */
export const sell = async (
  staff: Actor,
  name: string,
  prices: readonly Readonly<Record<string, unknown>>[] = [once()],
): Promise<Sold> => {
  const course = await sellCourse(staff, name, prices)
  const priceIds = course.prices.map(id => toId('prc', id))
  return { ...course, priceIds, priceId: priceIds[0] ?? '' }
}

/** Begins a purchase of one of each price, with a new key. */
export const checkout = (
  buyer: Actor,
  priceIds: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
  path = '/account/checkouts',
): Promise<TestReply> => {
  const items = priceIds.map(price_id => ({ price_id }))
  return buyer.write('POST', path, { items, ...more }, { 'idempotency-key': randomUUID() })
}

/** The quote of a purchase: its dry run. */
export const quote = (
  buyer: Actor,
  priceIds: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestReply> => checkout(buyer, priceIds, more, '/account/checkouts?dry_run=true')
