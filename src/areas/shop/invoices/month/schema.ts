import Type from 'typebox'
import { Closed, Id } from '#src/kit/shapes.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Amount = (description: string) =>
  Type.Integer({ description: `${description}, in minor units; what credit notes correct is taken off` })

const MonthName = Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$', description: 'A month, such as 2026-11' })

/** The month of which something is listed. */
export const Month = Type.Object({ month: MonthName })

/** The same, which may be left out. */
export const MonthQuery = Type.Object({ month: Type.Optional(MonthName) })

/** What was issued in a month, by currency. */
export const InvoiceMonth = Closed('InvoiceMonth', {
  month: MonthName,
  sums: Type.Array(
    Closed('InvoiceMonthSum', {
      currency: Type.String({ description: 'ISO 4217' }),
      invoice_count: Count('How many invoices'),
      credit_note_count: Count('How many credit notes'),
      net_total: Amount('The sum without tax'),
      tax_total: Amount('The tax'),
      total: Amount('The sum'),
    }),
  ),
  printed_count: Count('How many of the documents are printed'),
  missing_count: Count('How many of them are not printed yet, or cannot be'),
})

/** The files of the documents of a month. */
export const InvoiceFiles = Closed('InvoiceFiles', {
  files: Type.Array(
    Closed('InvoiceFileRef', {
      number: Type.String({ description: 'The number of the document' }),
      file_id: Id('fil'),
    }),
  ),
})
