import type { FoundDispute, FoundPayment } from '#src/contract/payments.ts'
import { percentOf } from '#src/kit/money.ts'
import type { TestRefund, TestRow } from './queries.ts'

/** What one can do on the page of a test payment. */
export const testActions = [
  'pay',
  'pay_twice',
  'decline',
  'decline_finally',
  'ask_person',
  'authenticate',
  'take_long',
  'complete',
  'fail',
  'pay_late',
  'dispute',
  'win_dispute',
  'lose_dispute',
] as const

/** One of them. */
export type TestAction = (typeof testActions)[number]

/** Where a test payment is; a page that nobody paid in time has expired. */
export type TestStage = 'open' | 'person' | 'processing' | 'succeeded' | 'disputed' | 'failed' | 'expired'

/** The stage of a test payment at an instant. */
export const stageOf = (row: TestRow, now: Date): TestStage => {
  if (row.state === 'open' && row.ends_at !== null && row.ends_at <= now) return 'expired'
  if (row.state === 'open' && row.needs_person) return 'person'
  return row.state === 'succeeded' && row.dispute === 'open' ? 'disputed' : row.state
}

/** What can be done in each stage. */
export const actionsIn: Readonly<Record<TestStage, readonly TestAction[]>> = {
  open: ['pay', 'decline', 'decline_finally', 'ask_person', 'take_long', 'pay_late', 'pay_twice'],
  person: ['authenticate', 'decline'],
  processing: ['complete', 'fail'],
  succeeded: ['pay_twice', 'dispute'],
  disputed: ['win_dispute', 'lose_dispute'],
  failed: [],
  expired: [],
}

type Change = Partial<Omit<TestRow, 'id' | 'ref'>>

const charged = ({ amount }: TestRow, times = 1): Change => ({
  state: 'succeeded',
  charged: times * amount,
  needs_person: false,
  failure: null,
})

/** What an action makes of a test payment. */
export const changeBy: Readonly<Record<TestAction, (row: TestRow) => Change>> = {
  pay: row => charged(row),
  pay_twice: row => ({
    ...charged(row),
    charged: row.state === 'succeeded' ? row.charged + row.amount : 2 * row.amount,
  }),
  decline: () => ({ needs_person: false, failure: { code: 'card_declined', mayRetry: true } }),
  decline_finally: () => ({ state: 'failed', failure: { code: 'card_lost', mayRetry: false } }),
  ask_person: () => ({ needs_person: true }),
  authenticate: row => charged(row),
  take_long: () => ({ state: 'processing' }),
  complete: row => charged(row),
  fail: () => ({ state: 'failed', failure: { code: 'insufficient_funds', mayRetry: true } }),
  pay_late: () => ({ is_late: true }),
  dispute: () => ({ dispute: 'open' }),
  win_dispute: () => ({ dispute: 'won' }),
  lose_dispute: () => ({ dispute: 'lost' }),
}

// With these the buyer is not back at the shop yet, or nothing has happened.
const silent: readonly TestAction[] = ['ask_person', 'pay_late']

/** The type of the event that an action causes; undefined for none. */
export const eventOf = (action: TestAction): string | undefined =>
  silent.includes(action) ? undefined : `test_payment.${action}`

/** What a saved method does, by its name. */
export const chargedBy = (
  method: string,
  amount: number,
): Pick<TestRow, 'state' | 'charged' | 'failure' | 'needs_person'> => {
  const refused = (code: string, mayRetry: boolean) => ({ code, mayRetry })
  const none = { charged: 0, failure: null, needs_person: false } as const
  if (method === 'test_slow') return { ...none, state: 'processing' }
  if (method === 'test_needs_person')
    return { ...none, state: 'failed', failure: refused('needs_person', false), needs_person: true }
  if (method === 'test_declined') return { ...none, state: 'failed', failure: refused('card_declined', true) }
  return { ...none, state: 'succeeded', charged: amount }
}

const states = {
  open: 'needs_person',
  person: 'needs_person',
  processing: 'processing',
  succeeded: 'succeeded',
  disputed: 'succeeded',
  failed: 'failed',
  expired: 'canceled',
} as const

const disputesIn = ({ ref, dispute, charged: amount, currency }: TestRow): FoundDispute[] =>
  dispute === null ? [] : [{ ref: `${ref}_dispute`, state: dispute, amount, currency, reason: 'test' }]

// 1.4 %, in millionths.
const FEE_RATE = 14_000

/** A test payment as the provider reports it. */
export const foundOf = (row: TestRow, refunds: readonly TestRefund[], now: Date): FoundPayment => {
  const { ref, currency, failure } = row
  const state = states[stageOf(row, now)]
  const method = row.state === 'succeeded' ? { method: { brand: 'test', last4: '4242', expires: null } } : {}
  return {
    state,
    ref,
    amount: row.charged,
    currency,
    ...(failure === null ? {} : { failure }),
    ...(row.state === 'succeeded' ? { fee: percentOf(row.charged, FEE_RATE) } : {}),
    ...method,
    refunds: refunds.map(({ id, refund_id: refundId, amount }) => ({
      ...{ refundId, ref: id, amount, currency, state: 'succeeded' as const },
    })),
    disputes: disputesIn(row),
  }
}
