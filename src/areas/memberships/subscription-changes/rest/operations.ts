import { chargeUnderWay, lockNamed, OwnSubscriptionRef } from '#src/areas/memberships/subscriptions/index.ts'
import { Order, ownOrderView } from '#src/areas/shop/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { orderRest } from './writes.ts'

const createAccountSubscriptionRemainingPayment = declareFor('self', 'account', {
  id: 'createAccountSubscriptionRemainingPayment',
  route: 'POST /account/subscriptions/:subscription_id/remaining-payments',
  summary: 'Pay the rest of your plan',
  description:
    'Asks for all that is left of a payment plan of yours in one order, which you pay on its page. Once it is paid the plan is completed and nothing is charged again. While the order waits, the same one is returned.',
  idempotency: 'required',
  locationPath: '/account/orders',
  params: OwnSubscriptionRef,
  returns: Order,
  status: 201,
  fails: [invalidState, chargeUnderWay],
  example: {
    params: {
      subscription_id: exampleFrom('sub', 'listAccountSubscriptions', {
        having: { status: 'active', number_of_payments: 3 },
      }),
    },
  },
  async handle(context) {
    const { caller, params, changed, record } = context
    const row = await lockNamed(context, params.subscription_id, caller.member.id)
    const { order, facts } = await orderRest(context, row)
    for (const fact of facts) record(fact)
    const ids = [toId('sub', row.id), toId('ord', order.id)]
    changed({ ids, fields: ['payments'], revision: row.revision, memberId: row.member_id })
    return ownOrderView(context, order)
  },
})

/** The operations that pay the rest of a payment plan. */
export const restOperations = [createAccountSubscriptionRemainingPayment]
