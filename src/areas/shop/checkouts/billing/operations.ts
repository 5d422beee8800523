import type { Static } from 'typebox'
import {
  BillingInput,
  findOrder,
  lockOrder,
  Order,
  OrderRef,
  type OrderRow,
  ownOrderView,
  storeBilling,
} from '#src/areas/shop/orders/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { mergeBilling } from '../checkout/rules.ts'
import { getTaxCountry } from './lookups.ts'
import { billingChangesTax, changedBilling } from './rules.ts'

const own = { order_id: exampleFrom('ord', 'listAccountOrders', { having: { status: 'pending' } }) }

const lockOwnOrder = async ({ db, school, caller }: AsCaller, ref: string): Promise<OrderRow> => {
  const row = await lockOrder(db, school.id, { ref, memberId: caller.member.id })
  if (row === undefined) throw new Refusal(notFound, 'There is no such order.')
  return row
}

const storedView = async (context: WriteContext<SignedIn>, id: string): Promise<Static<typeof Order>> => {
  const row = await findOrder(context.db, context.school.id, { ref: id })
  if (row === undefined) throw new Error('an order that was written is there')
  return ownOrderView(context, row)
}

const updateAccountOrderBilling = declareFor('self', 'account', {
  id: 'updateAccountOrderBilling',
  route: 'PATCH /account/orders/:order_id/billing',
  summary: 'Update the billing of your order',
  description:
    'Changes to whom an order that waits for payment is billed. Totals never change: a country or tax id that would change the tax is refused.',
  ifMatch: 'honoured',
  params: OrderRef,
  body: BillingInput,
  returns: Order,
  fails: [invalidState, billingChangesTax],
  example: { params: own, body: { company: 'Padaria Duarte, Lda.' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const row = await lockOwnOrder(context, params.order_id)
    await requireMatch(row.revision, () => ownOrderView(context, row))
    if (row.status !== 'pending') throw new Refusal(invalidState, `The order is ${row.status} and not pending.`)
    const billing = mergeBilling(body, row.billing)
    const fields = changedBilling(row.billing, billing)
    if (fields.length === 0) return ownOrderView(context, row)
    const taxCountry = await getTaxCountry(context, row, billing)
    await storeBilling(db, school.id, row.id, { billing, taxCountry })
    const view = await storedView(context, row.id)
    const order = toId('ord', row.id)
    const named = fields.map(field => `billing.${field}`)
    changed({ ids: [order], fields: named, revision: view.revision, memberId: row.member_id })
    record({
      type: 'order.billing_changed',
      payload: { order_id: order, member_id: toId('mem', row.member_id), fields: named },
    })
    return view
  },
})

/** The operations of the billing of an order. */
export const billingOperations = [updateAccountOrderBilling]
