import { returnRedemptions, takeRedemptions } from '#src/areas/coupons/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { itemExists } from '#src/contract/items.ts'
import { fulfil, release, reserve } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { dropJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { EXPIRY_JOB } from '../expiry/queries.ts'
import { type LineRow, listLineCoupons, listLines, type OrderRow } from '../order/queries.ts'
import { storeCanceled, storeFulfilled, storeOrderStatus } from './queries.ts'
import { offerOfLine } from './rules.ts'

/** The transaction of a change of an order. */
export type Writing = Pick<WriteContext, 'db' | 'school' | 'now'>

/** Takes or keeps what is scarce for a line until an instant; false when it is gone. */
export const reserveLine = async (
  { db, school }: Writing,
  line: LineRow,
  memberId: string,
  until: Date,
): Promise<boolean> => {
  const offer = offerOfLine(line)
  const reservation = { lineId: line.id, offer, quantity: line.quantity, memberId, until }
  const answer = (await reserve.call(reservation, { db, school })).find(one => one !== undefined)
  if (answer !== undefined) return !('unavailable' in answer)
  if (offer.item.type === 'ticket') return false
  const exists = await itemExists.call({ type: offer.item.type, id: offer.item.id }, { db, school })
  return exists.some(one => one !== undefined && one !== 'unknown')
}

/** The lines in the order of their items, in which everybody takes what is scarce. */
export const byItem = (lines: readonly LineRow[]): LineRow[] =>
  lines.toSorted((one, other) => (one.item_id < other.item_id ? -1 : 1))

// Longer than the transaction, at whose end the seat belongs to the access.
const RESERVED_MS = 60_000

const fulfilLine = async (where: Writing, line: LineRow, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  const until = new Date(now.getTime() + RESERVED_MS)
  if (!(await reserveLine(where, line, order.member_id, until))) return []
  const given = { lineId: line.id, offer: offerOfLine(line), memberId: order.member_id, orderId: order.id, now }
  return (await fulfil.call(given, { db, school })).flat()
}

const releaseLines = async ({ db, school }: Writing, lines: readonly LineRow[]): Promise<void> => {
  for (const { id } of lines) await release.call({ lineId: id }, { db, school })
}

/** Gives back the places and the uses of codes that an order holds, once it has ended unpaid; returns the facts. */
export const releaseOrder = async (where: Writing, orderId: string): Promise<readonly Fact[]> => {
  const { facts } = await returnRedemptions(where, { orderId })
  await releaseLines(where, await listLines(where.db, where.school.id, [orderId]))
  return facts
}

const paid = (order: OrderRow): Fact => ({
  type: 'order.paid',
  payload: { order: toId('ord', order.id), member: toId('mem', order.member_id) },
  effects: { mail: { en: 'Mails the person a receipt', pt: 'Envia um recibo à pessoa' } },
})

// A code that cannot be used again gave a discount that the order has no right to.
const withoutUses = async (where: Writing, orderId: string) => {
  const { failed, facts } = await takeRedemptions(where, { orderId })
  const coupons = failed.length === 0 ? [] : await listLineCoupons(where.db, where.school.id, orderId)
  const lines = coupons.filter(({ coupon_id: id }) => failed.includes(id)).map(({ line_id: id }) => id)
  return { facts, lines: new Set(lines) }
}

/** What became of an order that was paid: the facts, and the lines that could not be given. */
export type Completed = { readonly facts: readonly Fact[]; readonly unfulfilled: readonly LineRow[] }

/**
 * Gives what a locked order bought and marks it as paid. What cannot be given any more is returned: a seat that somebody
 * else took after the reservation expired, or a line with a code that is used up since.
 */
export const completeOrder = async (where: Writing, order: OrderRow): Promise<Completed> => {
  const { db, school, now } = where
  const lines = await listLines(db, school.id, [order.id])
  const uses = await withoutUses(where, order.id)
  const given: { readonly line: LineRow; readonly facts: readonly Fact[] }[] = []
  for (const line of byItem(lines))
    given.push({ line, facts: uses.lines.has(line.id) ? [] : await fulfilLine(where, line, order) })
  const fulfilled = given.filter(({ facts }) => facts.length > 0).map(({ line }) => line.id)
  await storeFulfilled(db, school.id, fulfilled, now)
  await releaseLines(where, lines)
  if ((await storeOrderStatus(db, school.id, order.id, { status: 'paid', now })) === 0)
    throw new Error(`an order that is ${order.status} cannot be paid`)
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  return {
    facts: [paid(order), ...uses.facts, ...given.flatMap(({ facts }) => facts)],
    unfulfilled: lines.filter(({ id }) => !fulfilled.includes(id)),
  }
}

/** Cancels a locked pending order and gives back what it held; returns the facts. */
export const cancelPending = async (
  where: Writing,
  order: OrderRow,
  reason: 'buyer' | 'staff' | 'erasure',
): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  if ((await storeCanceled(db, school.id, order.id, { reason, now })) === 0) return []
  const facts = await releaseOrder(where, order.id)
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  const payload = { order: toId('ord', order.id), member: toId('mem', order.member_id), reason }
  return [{ type: 'order.canceled', payload }, ...facts]
}
