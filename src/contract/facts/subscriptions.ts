import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, ProviderCode, Word } from './declaration.ts'

const scope = 'subscriptions:read'
const subscription = { subscription_id: Id('sub'), member_id: Id('mem') }
const about = { scope, subject: 'subscription_id', readBy: 'getSubscription' } as const
const period = { ...subscription, number: Count }
const optionalOrder = { order_id: Type.Optional(Id('ord')) }

/** The facts about subscriptions, their periods and their credit. */
export const subscriptionFacts = {
  ...declareFacts(
    { ...about, fields: subscription },
    {
      'subscription.cancel_planned': 'A subscription will be canceled.',
      'subscription.cancel_undone': 'The planned cancellation of a subscription was undone.',
      'subscription.charge_moved': 'The next charge of a subscription was moved.',
      'subscription.code_removed': 'A code no longer reduces a subscription.',
      'subscription.collection_changed': 'How a subscription is collected changed.',
      'subscription.completed': 'The last payment of a payment plan was made.',
      'subscription.expired': 'A subscription expired.',
      'subscription.method_changed': 'Another payment method is charged for a subscription.',
      'subscription.paid_twice': 'After two members were merged, somebody has two subscriptions to the same thing.',
      'subscription.past_due': 'The payment of a subscription failed.',
      'subscription.price_change_failed': 'A change of the price of a subscription was not paid.',
      'subscription.renewal_waits': 'A subscription is not charged while its member is suspended.',
      'subscription.resumed': 'A paused subscription was resumed.',
      'subscription.trial_ends': 'The trial of a subscription ends in a few days.',
    },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, ...optionalOrder, number: Type.Optional(Count) } },
    {
      'subscription.activated': 'A subscription became active.',
      'subscription.recovered': 'A subscription that was past due was paid.',
      'subscription.renewed': 'A subscription was renewed.',
      'subscription.rest_paid': 'All that was left of a payment plan was paid.',
      'subscription.started': 'A subscription started.',
      'subscription.trial_started': 'The trial of a subscription started.',
    },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, is_unpaid: Type.Boolean() } },
    { 'subscription.canceled': 'A subscription was canceled.' },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, coupon_id: Id('cpn') } },
    { 'subscription.code_set': 'A code reduces a subscription.' },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, price_id: Id('prc') } },
    {
      'subscription.price_change_planned': 'The price of a subscription will change.',
      'subscription.price_change_withdrawn': 'A planned change of the price of a subscription was withdrawn.',
      'subscription.price_changed': 'The price of a subscription changed.',
    },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, access: Word } },
    { 'subscription.paused': 'A subscription was paused.' },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, amount: Count } },
    {
      'subscription.credit_dropped': 'The credit of a subscription that has ended was dropped.',
      'subscription.credit_given': 'A credit was added to a subscription.',
      'subscription.credit_waits': 'The school decides about the credit of a subscription that has ended.',
    },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, order_id: Id('ord'), amount: Count } },
    {
      'subscription.credit_held': 'An order that waits for payment holds credit of a subscription.',
      'subscription.credit_returned': 'Credit that an order held or had used stands again.',
      'subscription.credit_used': 'Credit of a subscription paid for an order.',
    },
  ),
  ...declareFacts(
    { ...about, fields: { ...subscription, amount: Count, transfer: Count } },
    { 'subscription.credit_paid_back': 'Credit of a subscription was paid back.' },
  ),
  ...declareFacts(
    { ...about, fields: { ...period, ...optionalOrder } },
    { 'period.charged': 'A period of a subscription was paid.' },
  ),
  ...declareFacts(
    { ...about, fields: period },
    { 'period.waived': 'Staff waived the payment of a period of a subscription.' },
  ),
  ...declareFacts(
    {
      ...about,
      fields: { ...period, ...optionalOrder, attempt: Count, reason: ProviderCode, retries: Type.Boolean() },
    },
    { 'period.failed': 'The payment of a period of a subscription failed.' },
  ),
}
