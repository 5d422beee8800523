import Type, { type Static } from 'typebox'
import { AfterQuery, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { ProviderName } from '#src/contract/payment-providers.ts'
import { idPattern } from '#src/kit/ids.ts'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import { Email, Id, Instant, OneOf } from '#src/kit/shapes.ts'
import { itemPrefixes, orderKinds, shownStatuses } from './rules.ts'
import { itemTypes } from './schema.ts'

const equals = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description: `${description}, in minor units` }))
const at = Type.Optional(Instant)

/** The query parameters of the list of orders. */
export const OrdersQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at', 'paid_at', 'total', 'number']),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Words of the number, the name, the e-mail or a code' }),
  ),
  'status[in]': Type.Optional(
    Type.Array(OneOf(shownStatuses, 'A status'), {
      minItems: 1,
      maxItems: shownStatuses.length,
      description: 'Only these statuses; paid is every paid order of which nothing was refunded',
    }),
  ),
  member_id: Type.Optional(Id('mem')),
  email: Type.Optional(Email('Exactly this address of the buyer')),
  number: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Exactly this number' })),
  kind: Type.Optional(OneOf(orderKinds, 'Only this kind')),
  item_type: Type.Optional(OneOf(itemTypes, 'Only orders of this type of item')),
  item_id: Type.Optional(
    Type.String({
      pattern: Object.values(itemPrefixes).map(idPattern).join('|'),
      description: 'Only orders of this item',
    }),
  ),
  coupon_id: Type.Optional(Id('cpn')),
  subscription_id: Type.Optional(Id('sub')),
  provider: Type.Optional(ProviderName('Only orders with a payment by this provider')),
  provider_reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Exactly this id of a payment or refund at the provider',
    }),
  ),
  disputed: Type.Optional(Type.Boolean({ description: 'Only those with an open dispute, or without' })),
  refunded: Type.Optional(Type.Boolean({ description: 'Only those of which something was refunded, or nothing' })),
  'created_at[gte]': at,
  'created_at[lt]': at,
  'paid_at[gte]': at,
  'paid_at[lt]': at,
  'total[gte]': equals('At least this total'),
  'total[lte]': equals('At most this total'),
})

/** The query parameters of the list of orders, as values. */
export type ListOrdersParams = Static<typeof OrdersQuery>
