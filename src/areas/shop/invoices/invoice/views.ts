import type { Static } from 'typebox'
import { type FileView, fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import type { InvoiceRow } from './queries.ts'
import type { InvoiceView } from './schema.ts'

/** The view of a document with its file. */
export const invoiceView = (row: InvoiceRow, file: Static<typeof FileView> | null): InvoiceView => ({
  id: row.id,
  kind: row.kind,
  number: row.number,
  series: row.series,
  year: row.year,
  sequence: row.sequence,
  is_test: row.is_test,
  order_id: row.order_id,
  order_number: row.order_number,
  invoice_id: row.invoice_id,
  invoice_number: row.invoice_number,
  member_id: row.member_id,
  issued_on: row.issued_on,
  paid_on: row.paid_on,
  currency: row.currency,
  discount_total: Number(row.discount_total),
  net_total: Number(row.net_total),
  tax_total: Number(row.tax_total),
  total: Number(row.total),
  tax: {
    mode: row.tax_mode,
    country: row.tax_country,
    reverse_charge: row.reverse_charge,
    rates: [...row.rates],
  },
  seller: row.seller,
  buyer: row.buyer,
  lines: [...row.lines],
  payment: row.payment,
  reason: row.reason,
  withdrawal_waiver: row.withdrawal_waiver,
  language: row.language,
  print_state: row.print_state,
  missing_characters: [...row.missing_characters],
  file,
  retain_until: row.retain_until,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The views of some documents, with links to their files. */
export const invoiceViews = async (
  context: AsCaller<Caller> & Pick<ReadContext, 'keyFor'>,
  rows: readonly InvoiceRow[],
): Promise<InvoiceView[]> => {
  const files = await fileViews(
    context,
    rows.flatMap(({ file_id }) => (file_id === null ? [] : [file_id])),
  )
  return rows.map(row => invoiceView(row, row.file_id === null ? null : (files.get(row.file_id) ?? null)))
}
