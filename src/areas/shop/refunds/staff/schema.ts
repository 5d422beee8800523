import Type from 'typebox'
import { NewCheckout } from '#src/areas/shop/checkouts/index.ts'
import { Closed, Day, Nullable, Ref, Words } from '#src/kit/shapes.ts'

/** What staff confirm of a transfer. */
export const ReceivedInput = Closed('ReceivedInput', {
  amount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000_000,
      description: 'In minor units; by default what is missing',
    }),
  ),
  received_on: Type.Optional({ ...Day, description: "The day in the school's time zone; by default today" }),
})

/** The buyer of an order that was paid elsewhere. */
export const BuyerRef = Type.Object({ member_id: Ref('mem', ['external']) })

/** What was bought and paid elsewhere. */
export const OutsideOrder = Closed('OutsideOrder', {
  items: NewCheckout.properties.items,
  billing: NewCheckout.properties.billing,
  received_on: ReceivedInput.properties.received_on,
  invoice: Type.Optional(Type.Boolean({ description: 'Whether to issue an invoice; by default yes' })),
  note: Type.Optional(Words(1000, 'A note for the staff')),
})

/** The note of the staff on an order. */
export const OrderNote = Closed('OrderNote', { note: Nullable(Words(1000, 'A note for the staff; null for none')) })
