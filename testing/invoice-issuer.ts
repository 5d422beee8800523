import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { issueCreditNote, issueInvoice } from '#src/areas/invoices/index.ts'
import type { Db } from '#src/contract/db.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'

type Task = {
  readonly databaseUrl: string
  readonly schoolId: string
  readonly memberId: string
  /** How many settlements each lane commits. */
  readonly settlements: number
  readonly lanes: number
}

/**
 * Starts a process that issues invoices and credit notes, some at once, then issues one more of each and keeps its transaction
 * open. Resolves once it has issued them.
 */
export const startIssuer = async (task: Task): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
  child.send(task)
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the process ended before it issued its last invoice'))),
  ])
  return child
}

const lineOf = (now: Date) => ({
  lineId: newUuid(now.getTime()),
  name: 'Rye',
  quantity: 1,
  unitAmount: 1230,
  discountAmount: 0,
  taxPercent: '23',
  taxName: 'IVA',
  taxAmount: 230,
  amount: 1230,
})

// One settlement: an invoice, and a credit note for all of the invoice before.
const settle = async (
  db: Db,
  now: Date,
  { schoolId, memberId }: Task,
  earlier: Settled | undefined,
): Promise<Settled> => {
  const where = { db, school: await getSchool(db, schoolId), now }
  const line = lineOf(now)
  if (earlier !== undefined)
    await issueCreditNote(where, {
      invoiceId: earlier.invoiceId,
      lines: [{ lineId: earlier.lineId, quantity: 1, amount: 1230, taxAmount: 230 }],
      reason: 'requested',
    })
  const { id } = await issueInvoice(where, {
    orderId: newUuid(now.getTime()),
    orderNumber: 'ORD-1',
    memberId,
    currency: 'EUR',
    tax: { mode: 'inclusive', country: 'PT', reverseCharge: false },
    lines: [line],
    buyer: { name: 'Zoë', company: null, address: null, country: 'PT', tax_id: null },
    payment: { provider: 'manual', brand: null, last4: null, paidAt: now },
    isTest: false,
  })
  return { invoiceId: id, lineId: line.lineId }
}

type Settled = { readonly invoiceId: string; readonly lineId: string }

const runLane = async (database: OpenDatabase, task: Task): Promise<Settled | undefined> => {
  let last: Settled | undefined
  for (let at = 0; at < task.settlements; at++) {
    const earlier = last
    last = await database.transaction(task.schoolId, (db, now) => settle(db, now, task, earlier))
  }
  return last
}

const run = async (task: Task): Promise<void> => {
  const database = openDatabase(task.databaseUrl, { wait: 30_000 })
  const [last] = await Promise.all(Array.from({ length: task.lanes }, () => runLane(database, task)))
  await database.transaction(task.schoolId, async (db, now) => {
    await settle(db, now, task, last)
    process.send?.('issued')
    await new Promise(() => undefined)
  })
}

if (import.meta.main) {
  // Whatever becomes of the test, this process ends with it.
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => void run(message as Task))
}
