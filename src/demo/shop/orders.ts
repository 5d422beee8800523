import { listCoursePrices } from '#src/areas/courses/index.ts'
import { deleteProvider, storeProvider } from '#src/areas/school/index.ts'
import {
  askPayment,
  beginRefund,
  cancelPending,
  confirmReceived,
  findOrder,
  listLines,
  type OrderRow,
  placeOrder,
  readInvoices,
  skipPrinting,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { findBySlug, findMemberId, hasRows } from '../queries.ts'

const place = async (
  context: TransactionContext,
  email: string,
  priceId: string,
  codes: string[] = [],
): Promise<OrderRow | undefined> => {
  const memberId = await findMemberId(context.db, context.school.id, email)
  if (memberId === undefined) return undefined
  const input = { items: [{ price_id: priceId }], codes, allow_duplicate: true }
  return (await placeOrder(context, { memberId, input, clientId: undefined })).order
}

const receive = async (context: TransactionContext, order: OrderRow, amount: number): Promise<void> => {
  const { id: orderId, member_id: memberId, total, currency } = order
  const { id } = await askPayment(context, { orderId, memberId, provider: 'manual', amount: total, currency })
  await confirmReceived(context, { paymentId: id, amount, receivedOn: dayAt(context.now, 'UTC') })
}

// What it gave has ended, so that nobody of the demo has other access than without it.
const refundPart = async (context: TransactionContext, order: OrderRow): Promise<void> => {
  const { db, school } = context
  const paid = await findOrder(db, school.id, { ref: order.id })
  const [line] = await listLines(db, school.id, [order.id])
  if (paid === undefined || line === undefined) return
  const parts = [{ line, quantity: 0, amount: 900, endsAccess: true }]
  await beginRefund(context, paid, { parts, reason: 'requested', note: 'Changed to the evening course' })
}

const leaveUnprinted = async ({ db, school }: TransactionContext, order: OrderRow): Promise<void> => {
  const documents = (await readInvoices({ db, school }, [order.id])).get(order.id) ?? []
  for (const { id } of documents) await skipPrinting(db, school.id, id)
}

const instructions = { account_holder: null, iban: null, text: 'At the bakery.' }

// They are paid by transfer, also in a school that offers nothing to those who buy there.
const withTransfers = async (db: Db, schoolId: string, work: () => Promise<boolean>): Promise<boolean> => {
  if (await hasRows(db, schoolId, 'payment_providers')) return work()
  await storeProvider(db, schoolId, { name: 'manual', mode: null, instructions })
  const done = await work()
  await deleteProvider(db, schoolId, 'manual')
  return done
}

/**
 * Creates orders of the sourdough course: one of Ada that waits for the rest of a transfer, one of hers with a code of which a
 * part was refunded, with its invoice and credit note, and one that Femi canceled. The worker prints documents where there is a store of
 * files.
 */
export const createDemoOrders = (database: Database, schoolId: string, isPrinted: boolean): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const courseId = await findBySlug(db, schoolId, 'courses', 'sourdough-from-scratch')
    if (courseId === undefined) return false
    const price = (await listCoursePrices(db, schoolId, [courseId])).find(one => one.payment_type === 'one_time')
    if (price === undefined) return false
    // No real money moves in the demo, whatever its address.
    const where = { db, school: { ...(await getSchool(db, schoolId)), isTest: true }, now }
    // One after the other, as their numbers say.
    const at = (milliseconds: number): TransactionContext => ({ ...where, now: new Date(now.getTime() + milliseconds) })
    return withTransfers(db, schoolId, async () => {
      const waiting = await place(where, 'ada@crumb.example', price.id)
      const canceled = await place(at(1), 'femi@crumb.example', price.id)
      const refunded = await place(at(2), 'ada@crumb.example', price.id, ['FIRSTBATCH'])
      if (waiting === undefined || refunded === undefined || canceled === undefined) return false
      await receive(where, waiting, 1000)
      await cancelPending(at(2), canceled, 'buyer')
      await receive(at(2), refunded, refunded.total)
      await refundPart(at(2), refunded)
      if (!isPrinted) await leaveUnprinted(where, refunded)
      return true
    })
  })
