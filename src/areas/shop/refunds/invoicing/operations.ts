import { billingChangesTax, changedBilling, checkPaidBilling, mergeBilling } from '#src/areas/shop/checkouts/index.ts'
import { findLatestInvoice } from '#src/areas/shop/invoices/index.ts'
import { BillingInput, lockPaidOrder, Order, OrderRef, staffOrder, storeBilling } from '#src/areas/shop/orders/index.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { computeLeft } from './rules.ts'
import { replaceInvoice } from './writes.ts'

const reissueInvoice = operation({
  id: 'reissueInvoice',
  summary: 'Reissue an invoice',
  description:
    'Changes to whom a paid order is billed: issues a credit note over what is left of its invoice, and a new invoice over the whole order with the credit notes of the old one. Lines, totals and tax stay: a country or tax id with which the order would have been taxed otherwise is refused. With the billing that the order has, nothing happens.',
  who: 'staff',
  mode: 'write',
  params: OrderRef,
  body: BillingInput,
  returns: Order,
  fails: [invalidState, billingChangesTax],
  example: { params: { order_id: 'number:ORD-3' }, body: { company: 'Padaria Duarte, Lda.' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const order = await lockPaidOrder(context, params.order_id)
    if (order === undefined) throw new Refusal(notFound, 'There is no such order.')
    await requireMatch(order.revision, () => staffOrder(context, order.id))
    const invoice = await findLatestInvoice(context, order.id)
    if (invoice === undefined || computeLeft(invoice) === 0)
      throw new Refusal(invalidState, 'The order has no invoice of which anything is left.')
    if (order.email === null)
      throw new Refusal(invalidState, 'The buyer was erased, and an invoice keeps whom it was issued to.')
    const billing = mergeBilling(body, order.billing)
    const fields = changedBilling(order.billing, billing).map(field => `billing.${field}`)
    if (fields.length === 0) return staffOrder(context, order.id)
    await checkPaidBilling(context, order, billing)
    await storeBilling(db, school.id, order.id, { billing, taxCountry: order.tax_country })
    const id = toId('ord', order.id)
    record({
      type: 'order.billing_changed',
      payload: { order_id: id, member_id: toId('mem', order.member_id), fields },
    })
    for (const fact of await replaceInvoice(context, order.id, invoice)) record(fact)
    changed({ ids: [id], fields, memberId: order.member_id })
    return staffOrder(context, order.id)
  },
})

/** What staff decide about invoices; no app can call these operations. */
export const invoicingOperations = [reissueInvoice]
