import { area } from '#src/contract/area.ts'
import { accountInvoiceOperations } from './account.operations.ts'
import { implementations } from './implementations.ts'
import { invoiceOperations } from './invoice/operations.ts'
import { monthOperations } from './month/operations.ts'
import { createPrinting } from './printing/jobs.ts'
import { INVOICE_JOB } from './printing/queries.ts'
import { sweepBuyers } from './sweeps.ts'

export { isOrderOf, printingFailed } from './hooks.ts'
export { type CreditableInvoice, findLatestInvoice, readInvoices } from './invoice/lookups.ts'
export { creditedLines } from './invoice/rules.ts'
export { InvoicePage, InvoiceSummary } from './invoice/schema.ts'
export { type CreditNoteInput, issueCreditNote, issueInvoice } from './invoice/writes.ts'
export { InvoiceFiles, InvoiceMonth } from './month/schema.ts'
export { findPrintingWarnings } from './printing/lookups.ts'
export { findPrinted } from './printing/queries.ts'
export { lockLatestReceipt, lockReceipt, type ReceiptInvoice, storeReceipt } from './printing/receipts.queries.ts'
export { skipPrinting } from './printing/writes.ts'

/** Invoices and credit notes: numbered without gaps, unchanged once issued, and printed as PDFs. */
export const invoices = area({
  name: 'invoices',
  operations: [...invoiceOperations, ...accountInvoiceOperations, ...monthOperations],
  hooks: implementations,
  jobs: { [INVOICE_JOB]: { create: createPrinting, atOnce: 1 } },
  sweeps: [sweepBuyers],
})
