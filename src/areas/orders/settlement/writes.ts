import type { Fact } from '#src/contract/fact.ts'
import { itemExists } from '#src/contract/items.ts'
import { fulfil, release, reserve } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { dropJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { EXPIRY_JOB } from '../expiry/queries.ts'
import { type LineRow, listLines, type OrderRow } from '../order/queries.ts'
import { storeCanceled, storeFulfilled, storeOrderStatus } from './queries.ts'
import { offerOfLine } from './rules.ts'

type Writing = Pick<WriteContext, 'db' | 'school' | 'now'>

// Longer than the transaction, at whose end the seat belongs to the access.
const RESERVED_MS = 60_000

// Takes what a line needs, also when its reservation has expired.
const takeAgain = async ({ db, school, now }: Writing, line: LineRow, memberId: string): Promise<boolean> => {
  const offer = offerOfLine(line)
  const until = new Date(now.getTime() + RESERVED_MS)
  const reservation = { lineId: line.id, offer, quantity: line.quantity, memberId, until }
  const answer = (await reserve.call(reservation, { db, school })).find(one => one !== undefined)
  if (answer !== undefined) return !('unavailable' in answer)
  if (offer.item.type === 'ticket') return false
  const exists = await itemExists.call({ type: offer.item.type, id: offer.item.id }, { db, school })
  return exists.some(one => one !== undefined && one !== 'unknown')
}

const fulfilLine = async (where: Writing, line: LineRow, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  if (!(await takeAgain(where, line, order.member_id))) return []
  const given = { lineId: line.id, offer: offerOfLine(line), memberId: order.member_id, orderId: order.id, now }
  return (await fulfil.call(given, { db, school })).flat()
}

/** Gives back what was reserved for the lines of an order. */
export const releaseLines = async ({ db, school }: Writing, lines: readonly LineRow[]): Promise<void> => {
  for (const { id } of lines) await release.call({ lineId: id }, { db, school })
}

const paid = (order: OrderRow): Fact => ({
  type: 'order.paid',
  payload: { order: toId('ord', order.id), member: toId('mem', order.member_id) },
  effects: { mail: { en: 'Mails the person a receipt', pt: 'Envia um recibo à pessoa' } },
})

/**
 * Gives what a locked order bought and marks it as paid; returns the facts. What cannot be given any more, such as a seat
 * that somebody else took after the reservation expired, stays without `fulfilled_at`.
 */
export const completeOrder = async (where: Writing, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  const lines = await listLines(db, school.id, [order.id])
  const given: { readonly line: LineRow; readonly facts: readonly Fact[] }[] = []
  // In the order of the items, as they were reserved.
  for (const line of lines.toSorted((one, other) => (one.item_id < other.item_id ? -1 : 1)))
    given.push({ line, facts: await fulfilLine(where, line, order) })
  const fulfilled = given.filter(({ facts }) => facts.length > 0).map(({ line }) => line.id)
  await storeFulfilled(db, school.id, fulfilled, now)
  await releaseLines(where, lines)
  if ((await storeOrderStatus(db, school.id, order.id, { status: 'paid', now })) === 0)
    throw new Error(`an order that is ${order.status} cannot be paid`)
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  return [paid(order), ...given.flatMap(({ facts }) => facts)]
}

/** Cancels a locked pending order and gives back what it held; returns the facts. */
export const cancelOrder = async (
  where: Writing,
  order: OrderRow,
  reason: 'buyer' | 'staff' | 'erasure',
): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  if ((await storeCanceled(db, school.id, order.id, { reason, now })) === 0) return []
  await releaseLines(where, await listLines(db, school.id, [order.id]))
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  const payload = { order: toId('ord', order.id), member: toId('mem', order.member_id), reason }
  return [{ type: 'order.canceled', payload }]
}
