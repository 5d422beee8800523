import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The days of a month: from the first one, and before the first one of the next. */
export type MonthDays = { readonly from: string; readonly before: string }

const issuedIn = (schoolId: string, { from, before }: MonthDays): Statement =>
  sql`i.school_id = ${schoolId} and i.issued_on >= ${from}::date and i.issued_on < ${before}::date`

/** The present month in a time zone, such as `2026-11`. */
export const readPresentMonth = async (db: Db, timeZone: string): Promise<string> =>
  (
    await db.one(
      sql<{ month: string }>`select to_char((select stoa.now()) at time zone ${timeZone}, 'YYYY-MM') as month`,
    )
  ).month

/** What was issued in a month, by currency; amounts are texts of whole numbers. */
export const sumMonth = (db: Db, schoolId: string, days: MonthDays) =>
  db.all(sql<{
    currency: string
    invoice_count: number
    credit_note_count: number
    net_total: string
    tax_total: string
    total: string
    printed_count: number
    missing_count: number
  }>`
    select i.currency, count(*) filter (where i.kind = 'invoice')::integer as invoice_count,
      count(*) filter (where i.kind = 'credit_note')::integer as credit_note_count,
      sum(case i.kind when 'invoice' then i.net_total else -i.net_total end) as net_total,
      sum(case i.kind when 'invoice' then i.tax_total else -i.tax_total end) as tax_total,
      sum(case i.kind when 'invoice' then i.total else -i.total end) as total,
      count(i.file_id)::integer as printed_count, count(*) filter (where i.file_id is null)::integer as missing_count
    from invoices i where ${issuedIn(schoolId, days)} group by i.currency order by i.currency`)

/** The files of a month in the order of their numbers; those of buyers who were erased only for who sees them. */
export const listMonthFiles = (
  db: Db,
  schoolId: string,
  days: MonthDays,
  { seesErased }: { readonly seesErased: boolean },
) =>
  db.all(sql<{ number: string; file_id: string }>`
    select i.number, i.file_id from invoices i
    where ${issuedIn(schoolId, days)} and i.file_id is not null and (${seesErased} or i.buyer_erased_at is null)
    order by i.kind desc, i.year, i.sequence`)
