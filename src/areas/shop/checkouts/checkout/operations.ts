import { Order, placedOrderView } from '#src/areas/shop/orders/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { checkoutRefusals, tooManyPendingOrders } from './rules.ts'
import { NewCheckout } from './schema.ts'
import { countCodes } from './tries.writes.ts'
import { placeOrder } from './writes.ts'

const createAccountCheckout = declareFor('self', 'account', {
  id: 'createAccountCheckout',
  route: 'POST /account/checkouts',
  summary: 'Begin a purchase',
  description:
    'Places an order for you, with its places kept for a while. Nothing is charged: you pay on the page at `payment.page_url`, signed in to the school. What costs nothing is `paid` at once. With `dry_run=true` it is a quote: the order as it would be.',
  idempotency: 'required',
  countTries: countCodes,
  locationPath: '/account/orders',
  body: NewCheckout,
  returns: Order,
  status: 201,
  fails: [tooManyPendingOrders, ...checkoutRefusals],
  example: {
    body: {
      items: [
        { price_id: exampleFrom('prc', 'listCourses', { having: { slug: 'first-loaf' }, at: 'primary_price.id' }) },
      ],
      billing: { country: 'PT' },
      allow_duplicate: true,
    },
  },
  async handle(context) {
    const { caller, body, changed, record } = context
    const { order, facts } = await placeOrder(context, {
      memberId: caller.member.id,
      input: body,
      clientId: caller.clientId,
    })
    const { id, revision, member_id: memberId } = order
    changed({ ids: [toId('ord', id)], fields: Object.keys(body), revision, memberId })
    for (const fact of facts) record(fact)
    return placedOrderView(context, order)
  },
})

/** The operations that place orders. */
export const checkoutOperations = [createAccountCheckout]
