import { operation } from '#src/contract/operation.ts'
import { computeSum } from '#src/kit/money.ts'
import { buildReader } from '../access.ts'
import { listMonthFiles, type MonthDays, sumMonth } from './queries.ts'
import { InvoiceFiles, InvoiceMonth, Month } from './schema.ts'

const daysOf = (month: string): MonthDays => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next =
    number === 12
      ? `${String(year + 1).padStart(4, '0')}-01`
      : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`
  return { from: `${month}-01`, before: `${next}-01` }
}

const getInvoiceMonth = operation({
  id: 'getInvoiceMonth',
  summary: 'Get the invoices of a month',
  description:
    'Returns how many invoices and credit notes were issued in a month, their sums, and how many are printed.',
  who: 'staff',
  mode: 'read',
  query: Month,
  returns: InvoiceMonth,
  example: { query: { month: '2026-11' } },
  async handle({ db, school, query }) {
    const rows = await sumMonth(db, school.id, daysOf(query.month))
    return {
      sums: rows.map(({ printed_count: _printed, missing_count: _missing, ...sum }) => ({
        ...sum,
        net_total: Number(sum.net_total),
        tax_total: Number(sum.tax_total),
        total: Number(sum.total),
      })),
      printed_count: computeSum(rows.map(row => row.printed_count)),
      missing_count: computeSum(rows.map(row => row.missing_count)),
    }
  },
})

// It changes nothing; as a write, the audit log records who took the documents of so many people.
const exportInvoiceFiles = operation({
  id: 'exportInvoiceFiles',
  summary: 'Export the invoices of a month',
  description: 'Returns the files of the invoices and credit notes that were issued in a month and are printed.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  body: Month,
  returns: InvoiceFiles,
  example: { body: { month: '2026-11' } },
  async handle({ db, school, caller, body, changed }) {
    const files = await listMonthFiles(db, school.id, daysOf(body.month), buildReader(caller))
    changed({ ids: [], fields: ['files'] })
    return { files: [...files] }
  },
})

/** The operations on the invoices of a month, which have no route: apps list invoices by the day of issue. */
export const monthOperations = [getInvoiceMonth, exportInvoiceFiles]
