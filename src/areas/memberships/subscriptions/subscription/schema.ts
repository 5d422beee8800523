import Type, { type Static } from 'typebox'
import { AccessView } from '#src/areas/learning/index.ts'
import { creditEnds } from '#src/areas/memberships/subscription-credits/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { ProviderName } from '#src/contract/payment-providers.ts'
import { Price } from '#src/contract/price.ts'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import {
  AllowedActions,
  Closed,
  ExternalId,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  Person,
  Ref,
  Revision,
  Words,
} from '#src/kit/shapes.ts'
import { collections, pauseAccesses, periodStates, subscribedPrefixes, subscriptionStatuses } from '../rules.ts'

const itemTypes = Object.keys(subscribedPrefixes) as (keyof typeof subscribedPrefixes)[]

/** The id of what somebody subscribes to. */
const SubscribedId = Type.String({
  pattern: '^(?:mpl|crs|dpr)_[0-7][0-9a-hjkmnp-tv-z]{25}$',
  description: 'The id of a plan, a course or a digital product',
})

const Amount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description: `${description}, in minor units` })

const { payment_type, amount, currency, interval, interval_count, number_of_payments } = Price.properties

const PriceCopy = Closed(
  'SubscriptionPrice',
  { id: Id('prc'), payment_type, amount, currency, interval, interval_count, number_of_payments },
  'The price as it was bought',
)

const Method = Closed('SavedMethod', { brand: Type.String(), last4: Type.String(), expires: Nullable(Type.String()) })

const Anchor = Closed('SubscriptionAnchor', { local: Type.String(), time_zone: Type.String() })

const Period = Closed('CurrentPeriod', { number: Type.Integer({ minimum: 1 }), from: Instant, until: Instant })

const Pause = Closed('SubscriptionPause', {
  since: Instant,
  resumes_at: Nullable(Instant),
  access: OneOf(pauseAccesses, 'Whether access stops while it is paused'),
})

const Code = Closed('SubscriptionCode', {
  coupon_id: Id('cpn'),
  code: Type.String(),
  periods_left: Nullable(Type.Integer({ minimum: 0, description: 'How many more periods it reduces; null for all' })),
})

/** A subscription. */
export const Subscription = Closed('Subscription', {
  id: Id('sub'),
  member: Person,
  item: Closed('SubscribedItem', { type: OneOf(itemTypes, 'What it is of'), id: SubscribedId, name: Type.String() }),
  price: Nullable(PriceCopy),
  status: OneOf(
    subscriptionStatuses,
    'incomplete: the first order is not paid yet; past_due: a payment failed; completed: everything was paid',
  ),
  collection: OneOf(collections, 'By a saved payment method, by transfers that staff confirm, or without payment'),
  provider: Nullable(ProviderName('Through what it is paid')),
  method: Nullable(Method),
  started_at: Nullable(Instant),
  anchor: Nullable(Anchor),
  current_period: Nullable(Period),
  trial_end: Nullable(Instant),
  next_charge_at: Nullable(Instant),
  next_amount: Nullable(Amount('What the next period costs, after its code and credit, with tax')),
  cancel_at: Nullable(Instant),
  canceled_at: Nullable(Instant),
  cancel_reason: Nullable(Type.String()),
  ends_at: Nullable(Instant),
  pause: Nullable(Pause),
  payments_made: Type.Integer({ minimum: 0 }),
  number_of_payments: Nullable(Type.Integer({ minimum: 1 })),
  credit: Amount('What is left of a credit, which pays coming periods'),
  credit_on_end: OneOf(creditEnds, 'What becomes of it when the subscription ends'),
  code: Nullable(Code),
  past_due_since: Nullable(Instant),
  retry_at: Nullable(Instant),
  access: Closed(
    'SubscriptionAccess',
    { state: AccessView.properties.state, until: Nullable(Instant) },
    'What it gives now; other reasons for access do not count',
  ),
  source: OneOf(['checkout', 'staff', 'import'], 'How it came to be'),
  external_id: Nullable(Type.String()),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
  allowed_actions: Type.Optional(AllowedActions),
})

/** A subscription as values. */
export type SubscriptionView = Static<typeof Subscription>

/** One page of subscriptions. */
export const SubscriptionPage = PageOf(Subscription, 'SubscriptionPage')

/** The subscription in a path. */
export const SubscriptionRef = Type.Object({ subscription_id: Ref('sub', ['external']) })

/** The query parameters of the list of subscriptions. */
export const SubscriptionsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at', 'next_charge_at']),
  member_id: Type.Optional(Id('mem')),
  item_type: Type.Optional(OneOf(itemTypes, 'Only subscriptions of this type of item')),
  item_id: Type.Optional(SubscribedId),
  price_id: Type.Optional(Id('prc')),
  'status[in]': Type.Optional(
    Type.Array(OneOf(subscriptionStatuses, 'A status'), { minItems: 1, maxItems: subscriptionStatuses.length }),
  ),
  collection: Type.Optional(OneOf(collections, 'Only those that are paid in this way')),
  provider: Type.Optional(ProviderName('Only those that are paid through this provider')),
  'next_charge_at[gte]': Type.Optional(Instant),
  'next_charge_at[lt]': Type.Optional(Instant),
  'cancel_at[gte]': Type.Optional(Instant),
  'cancel_at[lt]': Type.Optional(Instant),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
})

/** The query parameters as values. */
export type ListSubscriptionsParams = Static<typeof SubscriptionsQuery>

const SubscriptionPeriod = Closed('SubscriptionPeriod', {
  id: Id('per'),
  number: Type.Integer({ minimum: 1 }),
  from: Instant,
  until: Instant,
  amount: Amount('What was due'),
  currency: Type.String(),
  credit_used: Amount('What a credit paid of it'),
  order_id: Nullable(Id('ord')),
  state: OneOf(periodStates, 'asked: it is being charged or awaited; waived: the school did not want it'),
  attempts: Type.Integer({ minimum: 0, description: 'How often it was charged' }),
  settled_at: Nullable(Instant),
  created_at: Instant,
})

/** One page of periods. */
export const SubscriptionPeriodPage = PageOf(SubscriptionPeriod, 'SubscriptionPeriodPage')

const SubscriptionChange = Closed('SubscriptionChange', {
  id: Id('sbc'),
  type: Type.String({ description: 'What happened, such as `paused` or `renewed`' }),
  by: Nullable(Person),
  client_id: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  created_at: Instant,
})

/** One page of changes. */
export const SubscriptionChangePage = PageOf(SubscriptionChange, 'SubscriptionChangePage')

/** The query parameters of the lists of one subscription. */
export const PartsQuery = Type.Object({ ...PageQuery })

/** A new subscription by the staff. */
export const NewSubscriptionInput = Closed('NewSubscription', {
  member_id: Id('mem'),
  price_id: Type.Optional(Id('prc')),
  item: Type.Optional(Closed('NewSubscribedItem', { type: OneOf(itemTypes, 'What it is of'), id: SubscribedId })),
  collection: OneOf(
    ['manual', 'complimentary'],
    'manual: by transfers that staff confirm, at `price_id`; complimentary: without payment, of `price_id` or `item`',
  ),
  starts_at: Type.Optional({ ...Instant, description: 'When it begins, later than now; by default now' }),
  ends_at: Type.Optional({ ...Instant, description: 'When a fixed term ends; by default it has no end' }),
  external_id: Type.Optional(ExternalId),
})

/** How a subscription is canceled by the staff. */
export const CancellationInput = Closed('SubscriptionCancellation', {
  at: Type.Union([
    OneOf(['period_end', 'now'], 'At the end of what was paid for, or at once'),
    { ...Instant, description: 'Later than now' },
  ]),
  reason: Type.Optional(Words(500, 'Why, for the staff')),
  refund: Type.Optional(
    OneOf(['none', 'unused'], 'Whether what was paid for the rest of the period goes back; only with `now`'),
  ),
  credit: Type.Optional(
    OneOf(creditEnds, 'What becomes of the credit at the end: by default pay_back with a refund, and wait without'),
  ),
})

/** When the next period is charged. */
export const NextChargeInput = Closed('NextCharge', { at: { ...Instant, description: 'Later than now' } })

/** How a subscription is paid from now on. */
export const CollectionInput = Closed('NewCollection', {
  collection: OneOf(['automatic', 'manual'], 'By the saved payment method, or by transfers that staff confirm'),
})

/** The reason for which a period is waived. */
export const WaiverInput = Closed('PeriodWaiver', { reason: Type.Optional(Line(200, 'Why, for the staff')) })
