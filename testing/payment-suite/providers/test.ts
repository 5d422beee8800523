import { actOn, type TestAction } from '#src/areas/shop/test-payments/index.ts'

import type { TestApp } from '../../app.ts'
import type { Action, Booked, Books, Controls, ProviderUnderTest, SavedBehaviour } from '../provider.ts'

const cards = {
  works: 'works',
  declines: 'declined',
  declines_finally: 'lost',
  asks_person: 'needs_person',
} as const satisfies Partial<Record<SavedBehaviour, string>>

const actions: Partial<Record<Action['does'], TestAction>> = {
  pay: 'pay',
  decline: 'decline',
  decline_finally: 'decline_finally',
  ask_person: 'ask_person',
  authenticate: 'authenticate',
  take_long: 'take_long',
  settle: 'complete',
  bounce: 'fail',
  pay_late: 'pay_late',
  pay_twice: 'pay_twice',
  charge_back: 'dispute',
  win: 'win_dispute',
  lose: 'lose_dispute',
}

const impossible = (what: string) => new Error(`the provider of test payments has no ${what}`)

const findRef = async (app: TestApp, paymentId: string): Promise<string> => {
  const [row] = await app.database.query<{ ref: string }>('select ref from test_payments where payment_id = $1', [
    paymentId,
  ])
  if (row === undefined) throw new Error(`no test payment has the id ${paymentId}`)
  return row.ref
}

const readCard = (action: Action) => {
  const saves = 'saves' in action ? action.saves : undefined
  if (saves === 'takes_long') throw impossible('card that takes long')
  return saves === undefined ? undefined : cards[saves]
}

// What the page has no button for happens in the books.
const actInBooks = async (app: TestApp, ref: string, { does }: Action): Promise<void> => {
  if (does === 'leave') return
  if (does !== 'expire') throw impossible(does)
  await app.database.query(`update test_payments set ends_at = stoa.now() where ref = $1`, [ref])
}

const act = async (app: TestApp, paymentId: string, action: Action): Promise<void> => {
  const ref = await findRef(app, paymentId)
  const name = actions[action.does]
  if (name === undefined) return actInBooks(app, ref, action)
  const place = { database: app.database.elsewhere(), school: app.a }
  const after = await actOn(place, ref, name, readCard(action))
  if (after === undefined || after === 'refused') throw new Error(`${name} is not possible now`)
  // It arrives a minute after the page has ended.
  if (name === 'pay_late') await app.database.query(`update jobs set due_at = stoa.now() where kind = 'test_payment'`)
}

type Row = {
  readonly payment_id: string
  readonly ref: string
  readonly state: 'open' | 'processing' | 'succeeded' | 'failed' | 'expired'
  readonly charged: number
  readonly currency: string
  readonly dispute: 'open' | 'won' | 'lost' | null
  readonly refunds: readonly { readonly refundId: string; readonly amount: number }[]
}

const toBooked = (row: Row): Booked => ({
  paymentId: row.payment_id,
  refs: [row.ref],
  state: row.state === 'expired' ? 'ended' : row.state,
  received: row.charged,
  currency: row.currency,
  refunds: row.refunds.map(one => ({ ...one, state: 'succeeded' })),
  disputes: row.dispute === null ? [] : [{ amount: row.charged, state: row.dispute }],
})

const readBooks = async (app: TestApp): Promise<Books> => {
  const rows = await app.database.query<Row>(`
    select t.payment_id, t.ref, t.state, t.charged::double precision as charged, t.currency, t.dispute,
      coalesce((select json_agg(json_build_object('refundId', r.refund_id, 'amount', r.amount)) from test_refunds r
        where r.test_payment_id = t.id), '[]') as refunds
    from test_payments t order by t.id`)
  const customers = await app.database.query<{ ref: string }>(
    'select distinct customer_ref as ref from test_payments where customer_ref is not null',
  )
  return { payments: rows.map(toBooked), customers: customers.map(({ ref }) => ref), effects: [] }
}

const nothingHeld: Controls['notices'] = {
  setSending: () => undefined,
  countHeld: () => 0,
  deliver: async () => [],
  drop: () => undefined,
  deliverUnknown: () => Promise.reject(impossible('notice of its own')),
  deliverForged: () => Promise.reject(impossible('notice of its own')),
}

/** Test payments: books in the database of the school, and no network in between. */
export const testUnderTest: ProviderUnderTest = {
  name: 'test',
  isReal: false,
  keysLast: 20 * 3600,
  can: { saves: true, delays: true, debits: false, slowRefunds: false, faults: false, notices: false },
  start: async ({ app }) => ({
    origin: '',
    secrets: {},
    controls: {
      act: (paymentId, action) => act(app, paymentId, action),
      setRefunds: () => undefined,
      settleRefunds: async () => undefined,
      fail: () => {
        throw impossible('network')
      },
      release: () => undefined,
      forgetKeys: () => undefined,
      moveClock: () => undefined,
      readBooks: () => readBooks(app),
      countRequests: () => 0,
      notices: nothingHeld,
    },
    stop: async () => undefined,
  }),
  callAt: () => undefined,
}
