import { operation } from '#src/contract/operation.ts'
import { computeSum } from '#src/kit/money.ts'
import { buildReader } from '../access.ts'
import { listMonthFiles, type MonthDays, readPresentMonth, sumMonth } from './queries.ts'
import { InvoiceFiles, InvoiceMonth, Month, MonthQuery } from './schema.ts'

const computeDays = (month: string): MonthDays => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? [year + 1, 1] : [year, number + 1]
  const [nextYear = '', nextMonth = ''] = next.map(part => String(part).padStart(2, '0'))
  return { from: `${month}-01`, before: `${nextYear.padStart(4, '0')}-${nextMonth}-01` }
}

const getInvoiceMonth = operation({
  id: 'getInvoiceMonth',
  summary: 'Get the invoices of a month',
  description:
    'Returns how many invoices and credit notes were issued in a month, by default the present one, their sums, and how many are printed.',
  who: 'staff',
  mode: 'read',
  query: MonthQuery,
  returns: InvoiceMonth,
  example: { query: { month: '2026-11' } },
  async handle({ db, school, query }) {
    const month = query.month ?? (await readPresentMonth(db, school.timeZone))
    const rows = await sumMonth(db, school.id, computeDays(month))
    return {
      month,
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

const listInvoiceFiles = operation({
  id: 'listInvoiceFiles',
  summary: 'List the files of the invoices of a month',
  description: 'Returns the files of the invoices and credit notes that were issued in a month and are printed.',
  who: 'staff',
  mode: 'read',
  query: Month,
  returns: InvoiceFiles,
  example: { query: { month: '2026-11' } },
  handle: async ({ db, school, caller, query }) => ({
    files: [...(await listMonthFiles(db, school.id, computeDays(query.month), buildReader(caller)))],
  }),
})

/** The operations on the invoices of a month, which have no route: apps list invoices by the day of issue. */
export const monthOperations = [getInvoiceMonth, listInvoiceFiles]
