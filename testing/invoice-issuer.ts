import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  askPayment,
  beginRefund,
  confirmReceived,
  listLines,
  lockPaidOrder,
  placeOrder,
} from '#src/areas/shop/index.ts'
// The hooks between areas must be registered before an order is settled.
import '#src/areas.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { getSchool } from '#src/db/schools.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { preloadArguments } from './preload.ts'

type Task = {
  readonly databaseUrl: string
  readonly schoolId: string
  /** The buyers: each pays for one order after the other, beside the others. */
  readonly memberIds: readonly string[]
  /** A price of one of the courses, as the id of its row. */
  readonly priceId: string
  /** How many settlements of each buyer are committed. */
  readonly settlements: number
}

type Place = { readonly db: Db; readonly school: School; readonly now: Date }

/**
 * Starts a process in which orders are paid and refunded, some at once, which issues invoices and credit notes; then it settles
 * one more and keeps the transaction open. Resolves once it has issued the documents.
 */
export const startIssuer = async (task: Task): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
  })
  child.send(task)
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the process ended before it issued its last invoice'))),
  ])
  return child
}

// Who pays, and what they paid before.
type Buyer = { readonly memberId: string; readonly earlier: string | undefined }

// An order that the member placed and paid by transfer, which issues an invoice; what was paid before is refunded after it.
const settle = async (place: Place, { priceId }: Task, { memberId, earlier }: Buyer): Promise<string> => {
  const { db, school, now } = place
  const input = { items: [{ price_id: priceId }], allow_duplicate: true }
  const { order } = await placeOrder(place, { memberId, input, clientId: undefined })
  const { id: orderId, total: amount, currency } = order
  const { id: paymentId } = await askPayment(place, { orderId, memberId, provider: 'manual', amount, currency })
  await confirmReceived(place, { paymentId, amount, receivedOn: dayAt(now, 'UTC') })
  if (earlier === undefined) return orderId
  const before = await lockPaidOrder({ db, school }, earlier)
  if (before === undefined) throw new Error('the order before is there')
  const parts = (await listLines(db, school.id, [earlier])).map(line => ({
    ...{ line, quantity: line.quantity, amount: line.amount },
    endsAccess: true,
  }))
  await beginRefund(place, before, { parts, reason: 'requested' })
  return orderId
}

const inTransaction = <T>(database: OpenDatabase, { schoolId }: Task, work: (place: Place) => Promise<T>): Promise<T> =>
  database.transaction(schoolId, async (db, now) => work({ db, school: await liveSchool(db, schoolId), now }))

// At an https address, so that the documents are no tests.
const liveSchool = async (db: Db, schoolId: string): Promise<School> => ({
  ...(await getSchool(db, schoolId)),
  baseUrl: 'https://crumb.example',
})

const payAll = async (database: OpenDatabase, task: Task, memberId: string): Promise<string | undefined> => {
  let last: string | undefined
  for (let at = 0; at < task.settlements; at++) {
    const earlier = last
    last = await inTransaction(database, task, place => settle(place, task, { memberId, earlier }))
  }
  return last
}

const run = async (task: Task): Promise<void> => {
  const database = openDatabase(task.databaseUrl, { wait: 30_000 })
  const [earlier] = await Promise.all(task.memberIds.map(memberId => payAll(database, task, memberId)))
  const [memberId = ''] = task.memberIds
  await inTransaction(database, task, async place => {
    await settle(place, task, { memberId, earlier })
    process.send?.('issued')
    await new Promise(() => undefined)
  })
}

if (import.meta.main) {
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => void run(message as Task))
}
