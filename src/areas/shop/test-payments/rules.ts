import type { FoundDispute, FoundPayment, MethodShown } from '#src/contract/payments.ts'
import { computePercent } from '#src/kit/money.ts'
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
type TestStage = 'open' | 'person' | 'processing' | 'succeeded' | 'disputed' | 'failed' | 'expired'

/** The stage of a test payment at an instant. */
export const computeStage = (row: TestRow, now: Date): TestStage => {
  if (row.state === 'open' && row.ends_at !== null && row.ends_at <= now) return 'expired'
  if (row.state === 'open' && row.needs_person) return 'person'
  return row.state === 'succeeded' && row.dispute === 'open' ? 'disputed' : row.state
}

const actionsOfPayments: Readonly<Record<TestStage, readonly TestAction[]>> = {
  open: ['pay', 'decline', 'decline_finally', 'ask_person', 'take_long', 'pay_late', 'pay_twice'],
  person: ['authenticate', 'decline'],
  processing: ['complete', 'fail'],
  succeeded: ['pay_twice', 'dispute'],
  disputed: ['win_dispute', 'lose_dispute'],
  failed: [],
  expired: [],
}

const withoutMoney: readonly TestAction[] = ['pay', 'decline', 'decline_finally', 'ask_person', 'authenticate']

/** What can be done with a test payment at an instant. */
export const actionsAt = (row: TestRow, now: Date): readonly TestAction[] => {
  const actions = actionsOfPayments[computeStage(row, now)]
  return isSetup(row) ? actions.filter(action => withoutMoney.includes(action)) : actions
}

/** The cards that can be saved on the page of a test payment, by what they do later. */
export const testCards = ['works', 'declined', 'declines_once', 'needs_person', 'lost'] as const

/** One of them. */
export type TestCard = (typeof testCards)[number]

const digits: Readonly<Record<string, string>> = {
  works: '4242',
  declined: '0341',
  declines_once: '0119',
  needs_person: '3155',
  lost: '9987',
}

// The name of a saved method says what it does, and the rest of it makes it unique.
const parseName = (methodRef: string): string => methodRef.split('.', 1)[0] ?? methodRef

/** Whether a method was saved on a page, and not made up. */
export const isSavedRef = (methodRef: string): boolean => methodRef.includes('.')

/** A card that is saved on a page, as the provider names the method. */
export const savedRef = ({ ref }: Pick<TestRow, 'ref'>, card: TestCard): string => `test_${card}.${ref}`

// A page of nothing saves a method, and nothing else.
const isSetup = ({ amount, saves }: TestRow): boolean => saves && amount === 0

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
export const buildEvent = (action: TestAction): string | undefined =>
  silent.includes(action) ? undefined : `test_payment.${action}`

type Charged = Pick<TestRow, 'state' | 'charged' | 'failure' | 'needs_person'>

const notCharged = { charged: 0, failure: null, needs_person: false } as const

const refusedWith = (code: string, mayRetry: boolean): Charged => ({
  ...notCharged,
  state: 'failed',
  failure: { code, mayRetry },
})

/** A charge of a method that the customer does not have any more. */
export const withoutMethod = refusedWith('no_such_method', false)

/** What a saved method does, by its name and how often it was charged before. */
export const chargedBy = (method: string, amount: number, earlier: number): Charged => {
  const name = parseName(method)
  if (name === 'test_slow') return { ...notCharged, state: 'processing' }
  if (name === 'test_needs_person') return { ...refusedWith('needs_person', false), needs_person: true }
  if (name === 'test_declined') return refusedWith('card_declined', true)
  if (name === 'test_declines_once' && earlier === 0) return refusedWith('card_declined', true)
  if (name === 'test_lost') return refusedWith('card_lost', false)
  return { ...notCharged, state: 'succeeded', charged: amount }
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

const savedIn = ({ saves, customer_ref, method_ref, state }: TestRow): Pick<FoundPayment, 'saved'> =>
  saves && state === 'succeeded' && customer_ref !== null && method_ref !== null
    ? { saved: { customerRef: customer_ref, methodRef: method_ref } }
    : {}

const methodIn = ({ method_ref }: TestRow): MethodShown => {
  const last4 = digits[parseName(method_ref ?? '').replace('test_', '')] ?? '4242'
  return { brand: 'test', last4, expires: null }
}

/** A test payment as the provider reports it. */
export const buildFound = (row: TestRow, refunds: readonly TestRefund[], now: Date): FoundPayment => {
  const { ref, currency, failure } = row
  const state = states[computeStage(row, now)]
  const method = row.state === 'succeeded' ? { method: methodIn(row), ...savedIn(row) } : {}
  return {
    state,
    refs: [ref],
    amount: row.charged,
    currency,
    ...(failure === null ? {} : { failure }),
    ...(row.state === 'succeeded' ? { fee: computePercent(row.charged, FEE_RATE) } : {}),
    ...method,
    refunds: refunds.map(({ id, refund_id: refundId, amount }) => ({
      refundId,
      refs: [id],
      amount,
      currency,
      state: 'succeeded' as const,
    })),
    disputes: disputesIn(row),
  }
}
