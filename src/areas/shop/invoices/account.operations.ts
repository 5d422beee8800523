import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { readList } from '#src/db/list.ts'
import { requireOwnOrder } from './access.ts'
import { invoiceList } from './invoice/queries.ts'
import { InvoicedOrderRef, InvoicePage, OwnInvoicesQuery } from './invoice/schema.ts'
import { invoiceViews } from './invoice/views.ts'

const listAccountOrderInvoices = declareFor('self', 'account', {
  id: 'listAccountOrderInvoices',
  route: 'GET /account/orders/:order_id/invoices',
  summary: 'List the invoices of your order',
  description:
    'Lists the invoices and credit notes of one of your orders, newest first, with links to their PDFs that expire. `file` is null until the PDF is printed, which takes seconds.',
  params: InvoicedOrderRef,
  query: OwnInvoicesQuery,
  returns: InvoicePage,
  example: { params: { order_id: exampleFrom('ord', 'listInvoices', { at: 'order_id' }) } },
  async handle(context) {
    const { school, caller, params } = context
    await requireOwnOrder(context, params.order_id)
    const filter = { orderId: params.order_id, memberId: caller.member.id }
    return readList(context, invoiceList(school.id, filter, { seesErased: true }), rows => invoiceViews(context, rows))
  },
})

/** The operations on one's own invoices. */
export const accountInvoiceOperations = [listAccountOrderInvoices]
