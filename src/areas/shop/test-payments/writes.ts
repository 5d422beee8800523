import { paymentMode } from '#src/areas/school/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type {
  BeginInput,
  BegunPage,
  ChargeInput,
  FoundPayment,
  Outcome,
  Provider,
  ProviderEvent,
  RefundInput,
  WebhookBytes,
} from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { putJob } from '#src/db/jobs.ts'
import { base62 } from '#src/kit/base.ts'
import { hmac, sameBytes, systemRandom } from '#src/kit/crypto.ts'
import { JsonRefused, parseJson } from '#src/kit/json.ts'
import {
  countCharges,
  findByPaymentId,
  forgetCustomer,
  hasMethod,
  insertEvent,
  insertRefund,
  insertTestPayment,
  listRefunds,
  lockByRef,
  type NewTestPayment,
  readClock,
  storeTestPayment,
  type TestRow,
} from './queries.ts'
import {
  actionsAt,
  buildEvent,
  buildFound,
  changeBy,
  chargedBy,
  isSavedRef,
  savedRef,
  type TestAction,
  type TestCard,
  withoutMethod,
} from './rules.ts'

/** The kind of the job by which a test payment goes on by itself. */
export const TIMER_JOB = 'test_payment'

/** The header with the signature of an event: HMAC-SHA-256 of the school and the bytes, in hexadecimal. */
export const SIGNATURE_HEADER = 'stoa-test-signature'

const REF_BYTES = 16
const REF_LENGTH = 22
const newRef = (): string => `test_${base62(systemRandom(REF_BYTES), REF_LENGTH)}`

/** The signature of the bytes of an event for a school. */
export const computeSignature = (
  keyFor: (purpose: string) => Buffer,
  school: Pick<School, 'id'>,
  bytes: Buffer,
): string => hmac(keyFor('test-payments'), Buffer.concat([Buffer.from(`${school.id}.`), bytes])).toString('hex')

type Place = { readonly database: Database; readonly school: School; keyFor(purpose: string): Buffer }

const TAKES_LONG_MS = 60_000
const LATE_MS = 60_000

// What goes on by itself: a slow payment completes, and a late one arrives after its page has ended.
const computeTimer = (row: TestRow, action: TestAction, now: Date): Date | undefined => {
  if (action === 'take_long') return new Date(now.getTime() + TAKES_LONG_MS)
  return action === 'pay_late' && row.ends_at !== null ? new Date(row.ends_at.getTime() + LATE_MS) : undefined
}

/** Stores what becomes of a locked payment, with its event. */
export const changeTestPayment = async (
  { db, school, now }: { readonly db: Db; readonly school: School; readonly now: Date },
  row: TestRow,
  action: TestAction,
): Promise<TestRow> => {
  const after = { ...row, ...changeBy[action](row) }
  await storeTestPayment(db, school.id, after)
  const type = buildEvent(action)
  if (type !== undefined) await insertEvent(db, school.id, { paymentId: row.id, type, now })
  const dueAt = computeTimer(row, action, now)
  if (dueAt !== undefined) await putJob(db, school.id, { kind: TIMER_JOB, id: row.id, dueAt })
  return after
}

/**
 * Does on the page what a buyer or the bank would do, with a card if one is saved there; undefined when there is no such payment,
 * `refused` when it is too late.
 */
export const actOn = (
  { database, school }: Pick<Place, 'database' | 'school'>,
  ref: string,
  action: TestAction,
  card: TestCard = 'works',
): Promise<TestRow | 'refused' | undefined> =>
  database.transaction(school.id, async (db, now) => {
    const row = await lockByRef(db, school.id, ref)
    if (row === undefined) return undefined
    if (!actionsAt(row, now).includes(action)) return 'refused'
    const method_ref = row.saves && row.state === 'open' && !row.needs_person ? savedRef(row, card) : row.method_ref
    return changeTestPayment({ db, school, now }, { ...row, method_ref }, action)
  })

// As at a provider elsewhere, a key belongs to one request.
const insertOnce = (context: Place, one: NewTestPayment): Promise<TestRow> =>
  context.database.transaction(context.school.id, async (db, now) => {
    await insertTestPayment(db, context.school.id, now, one)
    const row = await findByPaymentId(db, context.school.id, one.payment_id)
    if (row === undefined || row.amount !== one.amount || row.currency !== one.currency)
      throw new Error('the idempotency key belongs to another payment')
    return row
  })

const begin = async (context: Place, input: BeginInput): Promise<BegunPage> => {
  const { paymentId: payment_id, memberId, saves, customerRef, amount, currency, endsAt } = input
  const { reference, description, returnUrl, cancelUrl, locale } = input
  const row = await insertOnce(context, {
    ref: newRef(),
    payment_id,
    amount,
    currency,
    state: 'open',
    charged: 0,
    page: { reference, description, returnUrl, cancelUrl, locale },
    ends_at: endsAt,
    customer_ref: saves ? (customerRef ?? `test_customer_${memberId}`) : null,
    saves,
    method_ref: null,
    needs_person: false,
    failure: null,
  })
  return {
    redirect: `${context.school.siteOrigin}/test-payments/${row.ref}`,
    ref: row.ref,
    expiresAt: row.ends_at ?? endsAt,
  }
}

const pickOutcome = ({ refunds: _, disputes: __, ...outcome }: FoundPayment): Outcome => outcome

const charge = async (context: Place, input: ChargeInput): Promise<Outcome> => {
  const { paymentId: payment_id, amount, currency, customerRef: customer_ref, methodRef } = input
  const { database, school } = context
  const [earlier, has] = await database.statements(school.id, db =>
    Promise.all([
      countCharges(db, school.id, methodRef, payment_id),
      hasMethod(db, school.id, customer_ref, methodRef),
    ]),
  )
  const row = await insertOnce(context, {
    ref: newRef(),
    payment_id,
    amount,
    currency,
    page: null,
    ends_at: null,
    customer_ref,
    saves: false,
    method_ref: methodRef,
    ...(isSavedRef(methodRef) && !has ? withoutMethod : chargedBy(methodRef, amount, earlier)),
  })
  return pickOutcome(buildFound(row, [], new Date(0)))
}

const refund = (context: Place, { paymentRef, refundId, amount }: RefundInput): Promise<Outcome> =>
  context.database.transaction(context.school.id, async (db, now) => {
    const { id: schoolId } = context.school
    const row = await lockByRef(db, schoolId, paymentRef)
    if (row === undefined) throw new Error('there is no such test payment')
    const refunds = await listRefunds(db, schoolId, row.id)
    const { currency } = row
    const earlier = refunds.find(one => one.refund_id === refundId)
    if (earlier !== undefined) return { state: 'succeeded', refs: [earlier.id], amount: earlier.amount, currency }
    const left = refunds.reduce((rest, one) => rest - one.amount, row.charged)
    const code = row.dispute === 'open' || row.dispute === 'lost' ? 'charge_disputed' : 'amount_too_large'
    if (code === 'charge_disputed' || amount > left)
      return { state: 'failed', amount: 0, currency, refs: [], failure: { code, mayRetry: false } }
    const stored = await insertRefund(db, schoolId, now, { paymentId: row.id, refundId, amount })
    return { state: 'succeeded', refs: [stored.id], amount, currency }
  })

const find = ({ database, school }: Place, paymentId: string): Promise<FoundPayment | undefined> =>
  database.statements(school.id, async db => {
    const [row, now] = await Promise.all([findByPaymentId(db, school.id, paymentId), readClock(db)])
    return row === undefined ? undefined : buildFound(row, await listRefunds(db, school.id, row.id), now)
  })

const end = ({ database, school }: Place, ref: string): Promise<void> =>
  database.transaction(school.id, async db => {
    const row = await lockByRef(db, school.id, ref)
    if (row?.state === 'open') await storeTestPayment(db, school.id, { ...row, state: 'expired' })
  })

const eventIn = (bytes: Buffer): unknown => {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof JsonRefused) return undefined
    throw error
  }
}

const isEvent = (value: unknown): value is { id: string; type: string; payment: string } =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'type', 'payment'].every(name => typeof Reflect.get(value, name) === 'string')

const read = ({ school, keyFor }: Place, { bytes, header }: WebhookBytes): ProviderEvent[] | undefined => {
  const signature = Buffer.from(header(SIGNATURE_HEADER) ?? '')
  if (!sameBytes(signature, Buffer.from(computeSignature(keyFor, school, bytes)))) return undefined
  const event = eventIn(bytes)
  if (!isEvent(event)) return []
  return [{ id: event.id, type: event.type, payment: { id: event.payment } }]
}

/** The provider of test payments; undefined in a school in which real money moves. */
export const createTestProvider = (context: Place): Provider | undefined => {
  if (paymentMode(context.school) !== 'test') return undefined
  return {
    name: 'test',
    begin: input => begin(context, input),
    charge: input => charge(context, input),
    refund: input => refund(context, input),
    find: ({ paymentId }) => find(context, paymentId),
    end: ref => end(context, ref),
    forget: async ref => {
      await context.database.statements(context.school.id, db => forgetCustomer(db, context.school.id, ref))
    },
    read: async request => read(context, request),
    check: async () => ({ account: null, findings: [] }),
  }
}
