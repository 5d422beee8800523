import Type from 'typebox'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** What an entry of the ledger does to the credit of a subscription. */
export const entryKinds = ['given', 'held', 'used', 'returned', 'paid_back', 'dropped'] as const

const closed = { additionalProperties: false } as const

const OrderNamed = Type.Object({ id: Id('ord'), number: Type.String() }, closed)

const CreditEntry = Closed('CreditEntry', {
  kind: OneOf(entryKinds, 'held: for an order that waits for payment; returned: an order did not use it'),
  amount: Type.Integer({ description: 'In minor units; negative where it leaves the credit' }),
  order: Nullable({ ...OrderNamed, description: 'The order that holds, uses or returns it' }),
  from: Nullable(
    Type.Object(
      {
        order: OrderNamed,
        name: Type.String(),
        interval: Nullable(OneOf(['week', 'month', 'year'], 'How often it was paid; null for several intervals')),
      },
      { ...closed, description: 'Whose money it is; null where any of it may be' },
    ),
  ),
  at: Instant,
})

/** The latest entries of the ledger of a subscription. */
export const CreditEntries = Type.Array(CreditEntry, { maxItems: 100, description: 'The latest first' })
