// One thing: an area of the tests that sells, and decides what payments, refunds and disputes mean to its purchases.
import { randomUUID } from 'node:crypto'
import {
  askPayment,
  askRefund,
  askSetup,
  beginPayment,
  cancelPayments,
  cancelSetups,
  checkChargeable,
  confirmReceived,
  type DisputeRow,
  disputeChanged,
  listMethodsOfMember,
  listOrderDisputes,
  listOrderPayments,
  listOrderRefunds,
  listPaymentReceipts,
  methodSaved,
  orderLock,
  type PaymentChange,
  type PaymentRow,
  paymentChanged,
  type ReceiptRow,
  type RefundReason,
  type RefundRow,
  refreshPayments,
  refundChanged,
  undoReceived,
} from '#src/areas/shop/index.ts'
import { area } from '#src/contract/area.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Fact } from '#src/contract/fact.ts'
import { implement, registerHooks } from '#src/contract/hook.ts'
import { recordFacts } from '#src/db/audit.ts'
import { sql } from '#src/db/sql.ts'
import { toId } from '#src/kit/ids.ts'

/** Creates the table of the area. */
export const PURCHASES = `
  create table purchases (
    school_id uuid not null references schools (id),
    id uuid not null,
    total bigint not null,
    currency text not null,
    status text not null default 'pending',
    paid bigint not null default 0,
    refunded bigint not null default 0,
    dispute text,
    -- What the hooks were called with, in their order.
    calls text[] not null default '{}',
    primary key (school_id, id)
  );
  select stoa.guard('purchases');
  grant select, insert, update on purchases to stoa_app`

/** A purchase with everything that was paid for it, as the tests read it. Ids are those of rows. */
export type Purchase = {
  readonly id: string
  readonly total: number
  readonly status: 'pending' | 'processing' | 'paid' | 'failed' | 'canceled'
  readonly paid: number
  readonly refunded: number
  readonly dispute: string | null
  readonly calls: readonly string[]
  readonly payments: readonly PaymentRow[]
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly DisputeRow[]
  readonly receipts: readonly ReceiptRow[]
}

type PurchaseRow = Omit<Purchase, 'payments' | 'refunds' | 'disputes' | 'receipts'>

/** What methods were saved for without paying, once for each time that the hook was called. */
export const savedFor: string[] = []

// Hooks are called in every application of the process, and only some have the table.
const known = new Set<string>()
let knowsAll = false

/** Lets the hooks of this process answer for every order, as a process that placed none has to. */
export const ownEveryOrder = (): void => {
  knowsAll = true
}

const isOurs = (orderId: string): boolean => knowsAll || known.has(orderId)

const change = (db: Db, schoolId: string, id: string, set: ReturnType<typeof sql>, call: string): Promise<number> =>
  db.run(sql`
    update purchases set ${set}, calls = calls || ${call}::text where school_id = ${schoolId} and id = ${id}`)

const readRow = (db: Db, schoolId: string, id: string): Promise<PurchaseRow> =>
  db.one(sql<PurchaseRow>`
    select id, total::double precision as total, status, paid::double precision as paid,
      refunded::double precision as refunded, dispute, calls
    from purchases where school_id = ${schoolId} and id = ${id}`)

const statusWith = (state: PaymentRow['state'], before: PurchaseRow['status']): PurchaseRow['status'] => {
  if (before === 'paid' || before === 'canceled') return before
  if (state === 'processing' || state === 'failed') return state
  return before === 'processing' && state !== 'open' ? 'pending' : before
}

const onPayment = async ({ payment, before, received, now }: PaymentChange, place: SchoolContext): Promise<Fact[]> => {
  const { db, school } = place
  const { order_id: id } = payment
  if (!isOurs(id)) return []
  const row = await readRow(db, school.id, id)
  const isOurCurrency = payment.paid_currency === null || payment.paid_currency === payment.currency
  const paid = row.paid + (isOurCurrency ? received : 0)
  const status = paid >= row.total ? 'paid' : row.status === 'paid' ? 'pending' : statusWith(payment.state, row.status)
  await change(
    db,
    school.id,
    id,
    sql`paid = ${paid}::bigint, status = ${status}`,
    `${before} > ${payment.state} ${received}`,
  )
  if (received <= 0 || paid <= row.total) return []
  const amount = Math.min(paid - row.total, received)
  const { facts } = await askRefund({ db, school, now }, { paymentId: payment.id, amount, reason: 'overpaid' })
  return [{ type: 'purchase.overpaid', payload: { order_id: toId('ord', id) } }, ...facts]
}

registerHooks('purchases', [
  implement(orderLock, async ({ orderId }, { db, school }) => {
    if (isOurs(orderId))
      await db.first(sql`select from purchases where school_id = ${school.id} and id = ${orderId} for no key update`)
  }),
  implement(paymentChanged, onPayment),
  implement(methodSaved, async ({ method, payment }, { db, school }) => {
    if (payment.setup_for !== null && known.has(payment.setup_for)) savedFor.push(payment.setup_for)
    const orderId = payment.order_id
    if (orderId === null || !isOurs(orderId)) return []
    await change(db, school.id, orderId, sql`total = total`, `saved ${method.last4}`)
    return []
  }),
  implement(refundChanged, async ({ refund, before }, { db, school }) => {
    if (!isOurs(refund.order_id)) return []
    const was = before === 'succeeded' ? refund.amount : 0
    const is = refund.state === 'succeeded' ? refund.amount : 0
    const set = sql`refunded = refunded + ${is - was}::bigint`
    await change(db, school.id, refund.order_id, set, `refund ${before} > ${refund.state} ${refund.amount}`)
    return []
  }),
  implement(disputeChanged, async ({ dispute, before }, { db, school }) => {
    if (!isOurs(dispute.order_id)) return []
    const call = `dispute ${before ?? 'none'} > ${dispute.state}`
    await change(db, school.id, dispute.order_id, sql`dispute = ${dispute.state}`, call)
    return []
  }),
])

const read = async (db: Db, schoolId: string, id: string): Promise<Purchase> => {
  const row = await readRow(db, schoolId, id)
  const payments = await listOrderPayments(db, schoolId, [id])
  const paymentIds = payments.map(payment => payment.id)
  return {
    ...row,
    payments,
    refunds: await listOrderRefunds(db, schoolId, [id]),
    disputes: await listOrderDisputes(db, schoolId, [id]),
    receipts: await listPaymentReceipts(db, schoolId, paymentIds),
  }
}

/** What a test has the area do. */
type Act = {
  readonly act:
    | 'place'
    | 'ask'
    | 'begin'
    | 'look'
    | 'cancel'
    | 'refund'
    | 'receive'
    | 'undo'
    | 'read'
    | 'quote'
    | 'setup'
    | 'stop_setup'
    | 'methods'
  readonly id: string
  readonly payment: string
  readonly receipt: string
  readonly member: string
  readonly provider: string
  readonly amount: number
  readonly currency: string
  readonly method?: string
  readonly customer?: string
  readonly saves?: boolean
  /** What a method is saved for without paying. */
  readonly setup: string
  readonly minutes?: number
  readonly on: string
  readonly reason?: RefundReason
}

type Run = (request: EndpointRequest, input: Act, keyFor: (purpose: string) => Buffer) => Promise<unknown>

const inTransaction =
  (work: (place: SchoolContext & { readonly now: Date }, input: Act) => Promise<readonly Fact[]>): Run =>
  ({ database, school }, input) =>
    database.transaction(school.id, async (db, now) => {
      const facts = await work({ db, school, now }, input)
      await recordFacts(db, { schoolId: school.id, now }, facts)
      return read(db, school.id, input.id)
    })

const askFor = async (place: SchoolContext & { readonly now: Date }, input: Act): Promise<readonly Fact[]> => {
  const { id: orderId, member: memberId, provider, amount, currency, method, customer = 'test_customer' } = input
  const { saves = false } = input
  const saved = method === undefined ? {} : { saved: { customerRef: customer, methodRef: method } }
  return (await askPayment(place, { orderId, memberId, provider, amount, currency, saves, ...saved })).facts
}

const acts: Readonly<Record<Act['act'], Run>> = {
  setup: ({ database, school }, { setup: setupFor, member: memberId, provider, currency }) =>
    database.transaction(school.id, async (db, now) => {
      known.add(setupFor)
      return askSetup({ db, school, now }, { setupFor, memberId, provider, currency })
    }),
  stop_setup: ({ database, school }, { setup: setupFor }) =>
    database.transaction(school.id, (db, now) => cancelSetups({ db, school, now }, { setupFor })),
  methods: ({ database, school }, { member }) =>
    database.statements(school.id, db => listMethodsOfMember(db, school.id, member)),
  place: async (request, input) => {
    const id = randomUUID()
    known.add(id)
    return inTransaction(async (place, { total, currency }: Act & { total?: number }) => {
      const { db, school } = place
      await db.run(sql`
        insert into purchases (school_id, id, total, currency)
        values (${school.id}, ${id}, ${total ?? input.amount}::bigint, ${currency})`)
      return askFor(place, { ...input, id })
    })(request, { ...input, id }, () => Buffer.alloc(0))
  },
  ask: inTransaction(askFor),
  cancel: inTransaction(async (place, { id: orderId }) => {
    await orderLock.call({ orderId }, place)
    await change(place.db, place.school.id, orderId, sql`status = 'canceled'`, 'canceled')
    await cancelPayments(place, { orderId })
    return []
  }),
  refund: inTransaction(
    async (place, { payment: paymentId, amount, reason = 'requested' }) =>
      (await askRefund(place, { paymentId, amount, reason })).facts,
  ),
  receive: inTransaction(
    async (place, { payment: paymentId, amount, on: receivedOn }) =>
      (await confirmReceived(place, { paymentId, amount, receivedOn })).facts,
  ),
  undo: inTransaction((place, { receipt: receiptId }) => undoReceived(place, { receiptId })),
  quote: ({ database, school }, { provider, amount, currency }) =>
    database.statements(school.id, db =>
      checkChargeable({ db, school }, provider, { amount, currency, purpose: 'once' }),
    ),
  begin: async ({ database, school }, { payment: paymentId, minutes = 30 }, keyFor) => {
    const now = await database.transaction(school.id, async (_, at) => at)
    const back = `${school.baseUrl}/purchases`
    return beginPayment(
      { database, school, keyFor },
      {
        paymentId,
        reference: 'ORD-1',
        description: 'Sourdough <from> scratch',
        returnUrl: `${back}/paid`,
        cancelUrl: `${back}/left`,
        locale: school.locale,
        endsAt: new Date(now.getTime() + minutes * 60_000),
      },
    )
  },
  look: ({ database, school }, { id }, keyFor) => refreshPayments({ database, school, keyFor }, { orderId: id }),
  read: ({ database, school }, { id }) => database.statements(school.id, db => read(db, school.id, id)),
}

const purchasing = (keyFor: (purpose: string) => Buffer): Endpoint =>
  endpoint({
    route: 'POST /purchases',
    handle: async (request): Promise<Reply> => {
      const input = (await request.json()) as Act
      const value = await acts[input.act](request, input, keyFor)
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value ?? null) }
    },
  })

/** The area. */
export const purchases = area({
  name: 'purchases',
  operations: [],
  endpoints: ({ keyFor }) => [purchasing(keyFor)],
})
