import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { amountCell } from '#src/kit/money.ts'
import { buildReader } from '../access.ts'
import { type BookingRow, bookingList, findInvoice, type InvoiceFilter, invoiceList } from './queries.ts'
import { Invoice, InvoicePage, InvoiceRef, InvoicesQuery, type ListInvoicesParams } from './schema.ts'
import { invoiceViews } from './views.ts'

// Negative for a credit note, so that a column can be summed.
const booked = ({ kind, currency }: BookingRow, amount: number) =>
  amountCell(kind === 'credit_note' ? 0 - amount : amount, currency)

// A row for each rate of a document. A cell in parts of a row is the amount of that rate.
const CELLS: Cells<BookingRow> = {
  number: row => row.number,
  kind: row => row.kind,
  is_test: row => row.is_test,
  issued_on: row => row.issued_on,
  paid_on: row => row.paid_on,
  order_number: row => row.order_number,
  invoice_number: row => row.invoice_number,
  buyer_name: row => row.buyer?.name ?? null,
  buyer_company: row => row.buyer?.company ?? null,
  buyer_country: row => row.buyer?.country ?? null,
  buyer_tax_id: row => row.buyer?.tax_id ?? null,
  tax_country: row => row.tax_country,
  tax_name: row => row.rate.name,
  rate: row => ({ decimal: row.rate.percent }),
  net: row => booked(row, row.rate.net_amount),
  tax: row => booked(row, row.rate.tax_amount),
  total: row => booked(row, row.rate.net_amount + row.rate.tax_amount),
  currency: row => row.currency,
  reverse_charge: row => row.reverse_charge,
  id: row => row.id,
  order_id: row => row.order_id,
  member_id: row => row.member_id,
}

const readFilter = (query: ListInvoicesParams): InvoiceFilter => ({
  kind: query.kind,
  orderId: query.order_id,
  memberId: query.member_id,
  number: query.number,
  isTest: query.is_test,
  issuedFrom: query['issued_on[gte]'],
  issuedBefore: query['issued_on[lt]'],
})

const listInvoices = declareFor('staff', 'orders', {
  id: 'listInvoices',
  route: 'GET /invoices',
  summary: 'List invoices',
  description:
    'Lists invoices and credit notes, newest first. As CSV, for bookkeeping, there is a row for each tax rate of a document, and the amounts of credit notes are negative.',
  query: InvoicesQuery,
  returns: InvoicePage,
  csv: {
    cells: CELLS,
    statement: ({ school, caller, query }) =>
      listStatement(bookingList(school.id, readFilter(query), buildReader(caller)), query.sort),
  },
  handle(context) {
    const { school, caller, query } = context
    const list = invoiceList(school.id, readFilter(query), buildReader(caller))
    return readList(context, list, rows => invoiceViews(context, rows))
  },
})

const getInvoice = declareFor('staff', 'orders', {
  id: 'getInvoice',
  route: 'GET /invoices/:invoice_id',
  summary: 'Get an invoice',
  description:
    'Returns one invoice or credit note as it was issued, with a link to its PDF that expires. Where the buyer was erased, `buyer` and `file` are null for everybody but owners, and after `retain_until` for owners too.',
  params: InvoiceRef,
  returns: Invoice,
  example: { params: { invoice_id: exampleFrom('inv', 'listInvoices', { having: { kind: 'invoice', sequence: 1 } }) } },
  async handle(context) {
    const { db, school, caller, params } = context
    const row = await findInvoice(db, school.id, params.invoice_id, buildReader(caller))
    const [view] = row === undefined ? [] : await invoiceViews(context, [row])
    if (view === undefined) throw new Refusal(notFound, 'There is no such invoice.')
    return view
  },
})

/** The operations of invoices, in the order of the documentation. */
export const invoiceOperations = [listInvoices, getInvoice]
