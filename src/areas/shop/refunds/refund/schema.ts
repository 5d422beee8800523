import Type from 'typebox'
import { Refund, refundReasons } from '#src/areas/shop/orders/index.ts'
import { PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, OneOf, Words } from '#src/kit/shapes.ts'

/** The refund in a path. */
export const RefundRef = Type.Object({ refund_id: Id('rfd') })

const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'In minor units' })

const RefundedLine = Closed('RefundLineInput', {
  line_id: Id('lin'),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'So many of it' })),
  amount: Type.Optional({ ...Amount, description: 'So much of it, in minor units; by default all that is left' }),
  ends_access: Type.Optional(
    Type.Boolean({ description: 'Whether it takes back what the line gave; by default when nothing of it is left' }),
  ),
})

/** What to refund: without lines and amount, all that is left. */
export const RefundInput = Closed('RefundInput', {
  lines: Type.Optional(Type.Array(RefundedLine, { minItems: 1, maxItems: 20 })),
  amount: Type.Optional({ ...Amount, description: 'A free amount, which is divided over the lines' }),
  reason: OneOf(['requested', 'duplicate', 'fraud', 'event_cancelled', 'other'], 'Why'),
  note: Type.Optional(Words(500, 'A note for the staff')),
})

/** One page of refunds. */
export const RefundPage = PageOf(Refund, 'RefundPage')

/** The query parameters of the list of refunds. */
export const RefundsQuery = Type.Object({
  ...PageQuery,
  ...SortQuery(['created_at']),
  order_id: Type.Optional(Id('ord')),
  state: Type.Optional(OneOf(['asked', 'processing', 'succeeded', 'failed'], 'Only this state')),
  reason: Type.Optional(OneOf(refundReasons, 'Only this reason')),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
})
