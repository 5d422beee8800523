import {
  buildCaller,
  CollectionInput,
  cancelSubscriptionOrders,
  changedView,
  chargedSubscription,
  chargeUnderWay,
  checkNotCharging,
  findLastPeriod,
  findOpenPeriod,
  lockNamed,
  NextChargeInput,
  noteChange,
  type PeriodRow,
  readSchool,
  resumeAccess,
  Subscription,
  SubscriptionRef,
  type SubscriptionRow,
  saveSubscription,
  secondAt,
  storePeriodEnd,
  storePeriodState,
  subscriptionFact,
  WaiverInput,
  zonesEdition,
} from '#src/areas/memberships/subscriptions/index.ts'
import {
  askPayment,
  cancelPayments,
  confirmReceived,
  findMethod,
  findOrder,
  listOrderPayments,
  lockOrder,
  type OrderRow,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { declareFor, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { afterPeriod } from '../charging/writes.ts'

const unchanged = { facts: [], fields: [] }

const wrongStatus = ({ status }: SubscriptionRow): Refusal =>
  new Refusal(invalidState, `The subscription is ${status}, so this is not possible.`)

/** Moves the next period of a locked subscription to an instant, from which all later ones are reckoned. */
const moveCharge = async (context: TransactionContext, row: SubscriptionRow, at: Date): Promise<readonly Fact[]> => {
  const { db, school } = context
  const zone = row.anchor_zone ?? (await readSchool(db, school.id)).time_zone
  const last = row.current_number === 0 ? undefined : await findLastPeriod(db, school.id, row.id)
  if (last !== undefined) await storePeriodEnd(db, school.id, last.id, at)
  const stored = await saveSubscription(context, row, {
    anchor_local: secondAt(at, zone),
    anchor_zone: zone,
    anchor_number: row.current_number + 1,
    zones: zonesEdition,
    next_charge_at: at,
    trial_noticed_at: null,
    ...(last === undefined ? {} : { current_until: at }),
    ...(row.status === 'trialing' ? { trial_end: at } : {}),
  })
  return [subscriptionFact(stored, 'charge_moved')]
}

const setSubscriptionNextCharge = declareFor('staff', 'subscriptions', {
  id: 'setSubscriptionNextCharge',
  route: 'PUT /subscriptions/:subscription_id/next-charge',
  summary: 'Move the next charge',
  description:
    'Moves the next charge to another instant: free days, or a day that was agreed. The period that runs, or the trial, ends then, and later periods are reckoned from it.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: NextChargeInput,
  returns: Subscription,
  fails: [invalidState, chargeUnderWay],
  example: { params: chargedSubscription, body: { at: '2090-01-01T09:00:00.000Z' } },
  async handle(context) {
    const { params, body, now, requireMatch } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, unchanged))
    if (body.at <= now) refuseInvalid([{ pointer: '/at', code: 'future', message: 'must be later than now' }])
    const at = new Date(Math.floor(body.at.getTime() / 1000) * 1000)
    if (row.status !== 'trialing' && row.status !== 'active') throw wrongStatus(row)
    await checkNotCharging(context, row)
    if (row.next_charge_at === null) throw new Refusal(invalidState, 'Nothing is charged for this subscription.')
    const facts = await moveCharge(context, row, at)
    await noteChange(context, row.id, 'charge_moved', buildCaller(context), { at: at.toISOString() })
    return changedView(context, row, { facts, fields: ['next_charge_at'] })
  },
})

const providerFor = async (context: TransactionContext, row: SubscriptionRow, collection: 'automatic' | 'manual') => {
  if (collection === 'manual') return 'manual'
  const method = row.method_id === null ? undefined : await findMethod(context.db, context.school.id, row.method_id)
  if (method === undefined || method.ended_at !== null)
    throw new Refusal(
      invalidState,
      'There is no payment method to charge. The member adds one on the pages of the account.',
    )
  return method.provider
}

const setCollection = declareFor('staff', 'subscriptions', {
  id: 'setSubscriptionCollection',
  route: 'PUT /subscriptions/:subscription_id/collection',
  summary: 'Set how a subscription is paid',
  description:
    'Has coming periods charged with the saved payment method, or paid by transfers that staff confirm. A period that is due already stays as it is.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: CollectionInput,
  returns: Subscription,
  fails: [invalidState],
  example: { params: chargedSubscription, body: { collection: 'manual' } },
  async handle(context) {
    const { params, body, requireMatch } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, unchanged))
    if (!['trialing', 'active', 'past_due', 'paused'].includes(row.status)) throw wrongStatus(row)
    if (row.collection === 'complimentary') throw new Refusal(invalidState, 'The subscription costs nothing.')
    if (row.collection === body.collection) return changedView(context, row, unchanged)
    const provider = await providerFor(context, row, body.collection)
    const stored = await saveSubscription(context, row, { collection: body.collection, provider })
    await noteChange(context, row.id, 'collection_changed', buildCaller(context), { collection: body.collection })
    const facts = [subscriptionFact(stored, 'collection_changed')]
    return changedView(context, row, { facts, fields: ['collection'] })
  },
})

const getOpen = async ({ db, school }: TransactionContext, row: SubscriptionRow): Promise<PeriodRow> => {
  const open = await findOpenPeriod(db, school.id, row.id)
  if (open === undefined) throw new Refusal(invalidState, 'No period of the subscription is due.')
  return open
}

// The payment by transfer that is awaited, or a new one.
const transferFor = async (context: TransactionContext, order: OrderRow): Promise<string> => {
  const { db, school } = context
  const payments = await listOrderPayments(db, school.id, [order.id])
  const open = payments.find(({ provider, state }) => provider === 'manual' && state === 'open')
  if (open !== undefined) return open.id
  await cancelPayments(context, { orderId: order.id })
  const { id: orderId, member_id: memberId, total: amount, currency } = order
  return (await askPayment(context, { orderId, memberId, provider: 'manual', amount, currency, isReceived: true })).id
}

// A subscription with a period that is due.
const pastDueSubscription = {
  subscription_id: exampleFrom('sub', 'listSubscriptions', { having: { status: 'past_due' } }),
}

const markSubscriptionPeriodPaid = operation({
  id: 'markSubscriptionPeriodPaid',
  summary: 'Mark a period as paid',
  description: 'Confirms that the period that is due was paid by transfer or in person, in full.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: SubscriptionRef,
  returns: Subscription,
  fails: [invalidState],
  example: { params: pastDueSubscription },
  async handle(context) {
    const { db, school, params, now } = context
    const row = await lockNamed(context, params.subscription_id)
    const open = await getOpen(context, row)
    const order = open.order_id === null ? undefined : await findOrder(db, school.id, { ref: open.order_id })
    const locked = order && (await lockOrder(db, school.id, { ref: order.id }))
    if (locked === undefined || (locked.status !== 'pending' && locked.status !== 'failed'))
      throw new Refusal(invalidState, 'The payment of the period is on its way.')
    const paymentId = await transferFor(context, locked)
    const { time_zone: zone } = await readSchool(db, school.id)
    const amount = locked.total - locked.paid_total
    const { facts } = await confirmReceived(context, { paymentId, amount, receivedOn: dayAt(now, zone) })
    await noteChange(context, row.id, 'marked_paid', buildCaller(context), { number: open.number })
    return changedView(context, row, { facts, fields: ['periods'] })
  },
})

const waive = async (context: TransactionContext, row: SubscriptionRow, open: PeriodRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  await storePeriodState(db, school.id, open.id, { state: 'waived', attempts: open.attempts, now })
  const canceled = await cancelSubscriptionOrders(context, row.id, 'staff')
  const stored = await saveSubscription(context, row, {
    ...afterPeriod(row, now, open.number),
    status: row.status === 'paused' ? 'paused' : 'active',
  })
  const lifted = row.status === 'past_due' ? await resumeAccess(context, row) : []
  const payload = { subscription_id: toId('sub', row.id), member_id: toId('mem', row.member_id), number: open.number }
  const recovered = row.status === 'past_due' ? [subscriptionFact(stored, 'recovered', { number: open.number })] : []
  return [{ type: 'period.waived', payload }, ...recovered, ...canceled, ...lifted]
}

const waiveSubscriptionPeriod = operation({
  id: 'waiveSubscriptionPeriod',
  summary: 'Waive a period',
  description:
    'Wants nothing for the period that is due. The subscription goes on, and the next period is charged as usual.',
  who: 'staff',
  mode: 'write',
  params: SubscriptionRef,
  body: WaiverInput,
  returns: Subscription,
  fails: [invalidState],
  example: { params: pastDueSubscription, body: {} },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await lockNamed(context, params.subscription_id)
    const open = await getOpen(context, row)
    const order = open.order_id === null ? undefined : await findOrder(db, school.id, { ref: open.order_id })
    if (order?.status === 'processing') throw new Refusal(invalidState, 'The payment of the period is on its way.')
    const facts = await waive(context, row, open)
    await noteChange(context, row.id, 'period_waived', buildCaller(context), { number: open.number, ...body })
    return changedView(context, row, { facts, fields: ['periods'] })
  },
})

/** What staff decide about charges and periods. */
export const renewalOperations = [
  setSubscriptionNextCharge,
  setCollection,
  markSubscriptionPeriodPaid,
  waiveSubscriptionPeriod,
]
