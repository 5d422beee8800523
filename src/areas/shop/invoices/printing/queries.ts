import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { findInvoice, type InvoiceRow } from '../invoice/queries.ts'

/** The kind of job that prints an invoice or credit note. */
export const INVOICE_JOB = 'invoice'

/** A document that is to be printed; undefined when it is printed, or is not any more, since its buyer was forgotten. */
export const findUnprinted = async (db: Db, schoolId: string, id: string): Promise<InvoiceRow | undefined> => {
  const row = await findInvoice(db, schoolId, id, { seesErased: true })
  return row?.print_state === 'printed' || row?.buyer === null ? undefined : row
}

/** Stores the file of a document; returns its number and whose it is, undefined when it has a file or its buyer was forgotten. */
export const storePrinted = (db: Db, schoolId: string, id: string, fileId: string) =>
  db.first(sql<Pick<InvoiceRow, 'number' | 'member_id' | 'order_id' | 'kind' | 'updated_at'>>`
    update invoices set file_id = ${fileId}, print_state = 'printed', missing_characters = '{}', revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and file_id is null and buyer is not null
    returning number, member_id, order_id, kind, updated_at`)

/** The number and the file of a document; undefined when it has no file or its buyer was forgotten. */
export const findPrinted = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ readonly number: string; readonly file_id: string } | undefined> =>
  db.first(sql<{ number: string; file_id: string }>`
    select number, file_id from invoices
    where school_id = ${schoolId} and id = ${id} and file_id is not null and buyer is not null`)

/** Stores that a document could not be printed, and the characters because of which; undefined when it is known. */
export const storeFailure = (db: Db, schoolId: string, id: string, missing: readonly string[]) =>
  db.first(sql<Pick<InvoiceRow, 'id' | 'order_id'> & { readonly now: Date }>`
    update invoices set print_state = 'failed', missing_characters = ${missing}::text[], revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and file_id is null
      and (print_state, missing_characters) is distinct from ('failed', ${missing}::text[])
    returning id, order_id, (select stoa.now()) as now`)

/** The number of documents of a school that could not be printed, and of one of them number and characters. */
export const countFailed = (
  db: Db,
  schoolId: string,
): Promise<{ count: number; number: string | null; missing_characters: readonly string[] | null }> =>
  db.one(sql<{ count: number; number: string | null; missing_characters: readonly string[] | null }>`
    with failed as (
      select number, missing_characters, id from invoices where school_id = ${schoolId} and print_state = 'failed'
    )
    select (select count(*)::integer from failed) as count, f.number, f.missing_characters
    from (values (true)) as always left join (select * from failed order by id desc limit 1) f on true`)
