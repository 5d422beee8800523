import Type, { type Static } from 'typebox'
import type { OfferedItem } from '#src/contract/offer.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Day, Id, Instant, Line, Nullable, OneOf, Person, Recorded, Ref, Words } from '#src/kit/shapes.ts'
import { CouponCode } from '../codes/schema.ts'

/** The statuses of a coupon; the first that holds. */
export const couponStatuses = ['archived', 'off', 'scheduled', 'over', 'used_up', 'active'] as const

/** What a coupon does. */
const kinds = ['percent', 'fixed', 'free_trial'] as const

/** What a coupon can apply to. */
const itemTypes = ['course', 'membership_plan', 'digital_product', 'ticket'] as const satisfies OfferedItem['type'][]

/** How many items a coupon may name. */
const MAX_ITEMS = 200

const ITEM_ID = '_[0-7][0-9a-hjkmnp-tv-z]{25}$'

/** The id of something that a school sells. */
const ItemId = Type.String({
  pattern: `^(?:crs|mpl|dpr|tkt)${ITEM_ID}`,
  description: 'The id of a course, a plan, a digital product or a ticket type',
})

const UpTo = (maximum: number, description: string) => Type.Integer({ minimum: 1, maximum, description })
const Amount = (description: string) => UpTo(MAX_AMOUNT, `${description}, in minor units`)

const Percent = Type.String({
  pattern: '^(?:100(?:\\.0{1,4})?|(?:0|[1-9][0-9]?)(?:\\.[0-9]{1,4})?)$',
  examples: ['20', '33.33'],
  description: 'How much it takes off: a percentage from 0.0001 to 100 as a decimal string with at most four decimals',
})

// One of a few words, and the one that a new coupon has.
const Choice = <const Words extends readonly string[]>(words: Words, usual: Words[number], description: string) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], default: usual, description })

const Item = Closed('CouponItem', { type: OneOf(itemTypes, 'What it is'), id: ItemId })

/** The writable fields of a coupon. */
export const CouponSettings = Type.Object({
  name: Line(120, 'What the staff call it; buyers see their code'),
  kind: OneOf(kinds, 'Whether it takes off a percentage or an amount, or lengthens the trial of a subscription'),
  percent_off: Nullable(Percent),
  amount_off: Nullable(Amount('How much it takes off at most')),
  currency: Nullable(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: "The currency of its amounts, ISO 4217: the school's own; null where it has none",
    }),
  ),
  trial_days: Nullable(UpTo(365, 'How many days of trial it adds')),
  applies_to: Choice(
    ['all', 'items', 'types'],
    'all',
    'Whether it applies to everything, to `items`, or to `item_types`',
  ),
  items: Type.Array(Item, { maxItems: MAX_ITEMS, default: [], description: 'What it applies to' }),
  item_types: Type.Array(OneOf(itemTypes, 'What it applies to'), {
    maxItems: itemTypes.length,
    uniqueItems: true,
    default: [],
  }),
  payment_types: Choice(
    ['any', 'one_time', 'recurring'],
    'any',
    'Which prices it applies to; recurring: subscriptions and payment plans',
  ),
  duration: Choice(
    ['once', 'repeating', 'forever'],
    'once',
    'Which charges of a subscription it reduces: the first, some, or all',
  ),
  periods: Nullable(UpTo(120, 'How many charges it reduces, with `duration` repeating')),
  starts_on: Nullable(Day),
  ends_on: Nullable(Day),
  max_redemptions: Nullable(UpTo(1_000_000_000, 'How often it can be used in all')),
  max_per_member: Nullable(UpTo(1000, 'How often each member can use it')),
  max_amount: Nullable(Amount('The most that all its uses together take off')),
  minimum_amount: Nullable(Amount('The least that the lines it applies to cost, after earlier codes')),
  first_purchase_only: Type.Boolean({ default: false, description: 'Whether it is only for the first purchase' }),
  stackable: Type.Boolean({ default: false, description: 'Whether it can be used with other stackable coupons' }),
  member_ids: Type.Array(Id('mem'), {
    maxItems: 200,
    uniqueItems: true,
    default: [],
    description: 'Who may use it, beside members with one of `tags`; everybody if both are empty',
  }),
  tags: Type.Array(Line(50, 'A tag of members'), { maxItems: 20, default: [] }),
  active: Type.Boolean({ default: true, description: 'A switch; a coupon that is off can be switched on again' }),
  returns_on_refund: Type.Boolean({ default: false, description: 'Whether a full refund gives its use back' }),
  note: Nullable(Words(2000, 'A note of the staff, as plain text')),
})

const { items: _items, member_ids: _members, ...columns } = CouponSettings.properties

/** The settings of a coupon that are columns of its row. */
export const storedColumns = Object.keys(columns) as (keyof typeof columns)[]

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** How many codes a coupon shows. */
export const SHOWN_CODES = 20

/** A coupon. */
export const Coupon = Closed('Coupon', {
  id: Id('cpn'),
  ...CouponSettings.properties,
  status: OneOf(couponStatuses, 'Computed from its settings, its uses and the day in the school’s time zone'),
  times_redeemed: Count('How many paid orders used it'),
  times_held: Count('How many unpaid orders hold a use of it'),
  amount_total: Count('What it has taken off paid orders, in minor units'),
  codes: Type.Array(CouponCode, { maxItems: SHOWN_CODES, description: 'Its first codes' }),
  code_count: Count('How many codes it has'),
  created_by: Nullable(Person),
  archived_at: Nullable(Instant),
  ...Recorded,
})

const { name, kind } = CouponSettings.properties

/** A new coupon. */
export const NewCoupon = Closed('NewCoupon', { ...Type.Partial(CouponSettings).properties, name, kind })

/** A change of a coupon. */
export const CouponChanges = MergePatch(CouponSettings, 'CouponChanges')

/** The coupon in a path. */
export const CouponRef = Type.Object({ coupon_id: Ref('cpn', ['code']) })

/** The query parameters of the list of coupons. */
export const CouponsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at', 'name']),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of the name, or a whole code' }),
  ),
  status: Type.Optional(OneOf(couponStatuses, 'Only this status')),
  kind: Type.Optional(OneOf(kinds, 'Only this kind')),
  item_id: Type.Optional({ ...ItemId, description: 'Only coupons that name this item in `items`' }),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
})

/** One page of coupons. */
export const CouponPage = PageOf(Coupon, 'CouponPage')

/** The query parameters of the list of coupons, as values. */
export type ListCouponsParams = Static<typeof CouponsQuery>

/** The input of a coupon, as values. */
export type CouponInput = Static<typeof CouponSettings>
