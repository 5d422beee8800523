import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import type { Language } from '#src/contract/language.ts'
import type { List } from '#src/db/list.ts'
import { listRanges, type Range } from '#src/db/ranges.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { EarlierCredit, Kind, Line, Rate } from './rules.ts'
import type { InvoiceView } from './schema.ts'

/** A stored document; amounts are texts of whole numbers. */
export type InvoiceRow = Recorded & {
  readonly id: string
  readonly kind: Kind
  readonly is_test: boolean
  readonly year: number
  readonly sequence: number
  readonly series: string
  readonly number: string
  readonly order_id: string
  readonly order_number: string
  readonly invoice_id: string | null
  readonly invoice_number: string | null
  readonly member_id: string
  readonly issued_on: string
  readonly paid_on: string | null
  readonly language: Language
  readonly locale: string
  readonly currency: string
  readonly discount_total: string
  readonly net_total: string
  readonly tax_total: string
  readonly total: string
  readonly tax_mode: 'none' | 'inclusive' | 'exclusive'
  readonly tax_country: string | null
  readonly reverse_charge: boolean
  readonly rates: readonly Rate[]
  readonly lines: readonly Line[]
  readonly seller: InvoiceView['seller']
  readonly buyer: InvoiceView['buyer']
  readonly payment: InvoiceView['payment']
  readonly reason: InvoiceView['reason']
  readonly withdrawal_waiver: string | null
  readonly retain_until: string
  readonly file_id: string | null
  readonly print_state: InvoiceView['print_state']
  readonly missing_characters: readonly string[]
  readonly changed_in: string
}

/** Whether a reader sees the buyers who were erased; where not, their documents have neither buyer nor file. */
type Reader = { readonly seesErased: boolean }

const unlessErased = ({ seesErased }: Reader, column: Statement): Statement =>
  seesErased ? column : sql`case when i.buyer_erased_at is null then ${column} end`

const columnsFor = (schoolId: string, reader: Reader): Statement => sql`i.id, i.kind, i.is_test, i.year, i.sequence,
  i.series, i.number, i.order_id, i.order_number, i.invoice_id, i.member_id, i.issued_on, i.paid_on, i.language, i.locale,
  i.currency, i.discount_total, i.net_total, i.tax_total, i.total, i.tax_mode, i.tax_country, i.reverse_charge, i.rates,
  i.lines, i.seller, i.payment, i.reason, i.withdrawal_waiver, i.retain_until, i.print_state, i.revision, i.changed_in,
  i.created_at, i.updated_at, ${unlessErased(reader, sql`i.buyer`)} as buyer,
  ${unlessErased(reader, sql`i.file_id`)} as file_id,
  coalesce(${unlessErased(reader, sql`i.missing_characters`)}, '{}') as missing_characters,
  (select c.number from invoices c where c.school_id = ${schoolId} and c.id = i.invoice_id) as invoice_number`

/** The filter of a list of documents; undefined fields do not filter. */
export type InvoiceFilter = {
  readonly kind?: Kind | undefined
  readonly orderId?: string | undefined
  readonly memberId?: string | undefined
  readonly number?: string | undefined
  readonly isTest?: boolean | undefined
  readonly issuedFrom?: string | undefined
  readonly issuedBefore?: string | undefined
}

const matching = (schoolId: string, filter: InvoiceFilter): Statement =>
  joinConditions(
    sql`i.school_id = ${schoolId}`,
    when(filter.kind, kind => sql`i.kind = ${kind}`),
    when(filter.orderId, id => sql`i.order_id = ${id}`),
    when(filter.memberId, id => sql`i.member_id = ${id}`),
    when(filter.number, number => sql`i.number = ${number}`),
    when(filter.isTest, isTest => sql`i.is_test = ${isTest}`),
  )

const ranges = (schoolId: string, { issuedFrom, issuedBefore }: InvoiceFilter): readonly Range[] =>
  listRanges(sql`i.school_id = ${schoolId}`, [{ column: sql`i.issued_on`, from: issuedFrom, before: issuedBefore }])

/** The documents of a filter, the newest first. */
export const invoiceList = (schoolId: string, filter: InvoiceFilter, reader: Reader): List<InvoiceRow> => ({
  columns: columnsFor(schoolId, reader),
  from: sql`invoices i`,
  where: matching(schoolId, filter),
  checked: { table: sql`invoices`, alias: sql`i`, ranges: ranges(schoolId, filter) },
  id: sql`i.id`,
  sort: '-created_at',
  changedIn: sql`i.changed_in`,
})

/** A document for bookkeeping, with one of its rates. */
export type BookingRow = InvoiceRow & { readonly rate: Rate }

/** The same documents, with a row for each of their rates. */
export const bookingList = (schoolId: string, filter: InvoiceFilter, reader: Reader): List<BookingRow> => ({
  ...invoiceList(schoolId, filter, reader),
  columns: sql`${columnsFor(schoolId, reader)}, r.rate`,
  from: sql`invoices i cross join lateral jsonb_array_elements(i.rates) as r (rate)`,
})

/** One document. */
export const findInvoice = (db: Db, schoolId: string, id: string | undefined, reader: Reader) =>
  db.first(sql<InvoiceRow>`
    select ${columnsFor(schoolId, reader)} from invoices i where i.school_id = ${schoolId} and i.id = ${id}::uuid`)

/** An invoice, locked until the transaction ends, so that of two credit notes at once the second sees the first. */
export const lockInvoice = (db: Db, schoolId: string, id: string) =>
  db.one(sql<InvoiceRow>`
    select ${columnsFor(schoolId, { seesErased: true })} from invoices i
    where i.school_id = ${schoolId} and i.id = ${id}::uuid and i.kind = 'invoice' for no key update of i`)

/** What the credit notes of an invoice refunded of each line. */
export const listCredits = async (db: Db, schoolId: string, invoiceId: string): Promise<EarlierCredit[]> => {
  const rows = await db.all(sql<{ line_id: string; quantity: number; amount: string; tax_amount: string }>`
    select l.line_id, sum(l.quantity)::integer as quantity, sum(l.amount)::bigint as amount,
      sum(l.tax_amount)::bigint as tax_amount
    from invoices i
      cross join lateral jsonb_to_recordset(i.lines) as l (line_id uuid, quantity integer, amount bigint, tax_amount bigint)
    where i.school_id = ${schoolId} and i.invoice_id = ${invoiceId}::uuid group by l.line_id`)
  return rows.map(row => ({ ...row, amount: Number(row.amount), tax_amount: Number(row.tax_amount) }))
}

/** Whether a member has a document of an order. */
export const hasInvoice = async (
  db: Db,
  schoolId: string,
  ids: { readonly orderId: string | undefined; readonly memberId: string },
): Promise<boolean> =>
  (await db.first(sql`
    select from invoices
    where school_id = ${schoolId} and order_id = ${ids.orderId}::uuid and member_id = ${ids.memberId} limit 1`)) !==
  undefined

/** A document as an order shows it; the total is the text of a whole number. */
export type InvoiceSummaryRow = Pick<
  InvoiceRow,
  'id' | 'order_id' | 'kind' | 'number' | 'is_test' | 'invoice_id' | 'issued_on' | 'total' | 'print_state'
>

/** The documents of some orders, in the order of their issue. */
export const listOfOrders = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<InvoiceSummaryRow>`
    select id, order_id, kind, number, is_test, invoice_id, issued_on, total, print_state from invoices
    where school_id = ${schoolId} and order_id = any (${orderIds}::uuid[]) order by created_at, id`)

/** What of an invoice or credit note decides what can still be credited. */
type CreditableRow = Pick<InvoiceRow, 'id' | 'kind' | 'is_test' | 'lines' | 'reason'>

/** The latest invoice of an order and its credit notes, in the order of their issue; empty when there is none. */
export const listLatest = (db: Db, schoolId: string, orderId: string) =>
  db.all(sql<CreditableRow>`
    with latest as materialized (
      select id from invoices
      where school_id = ${schoolId} and order_id = ${orderId} and kind = 'invoice'
      order by created_at desc, sequence desc limit 1
    )
    select i.id, i.kind, i.is_test, i.lines, i.reason from invoices i, latest
    where i.school_id = ${schoolId} and i.order_id = ${orderId} and latest.id in (i.id, i.invoice_id)
    order by i.created_at, i.sequence`)

/** The school now; what a request knows of it may be a second old. */
type SchoolNow = { readonly name: string; readonly locale: string; readonly time_zone: string }

/** The name, locale and time zone of the school now. */
export const schoolNow = (db: Db, schoolId: string) =>
  db.one(sql<SchoolNow>`select name, locale, time_zone from schools where id = ${schoolId}`)

/** Locks a member against an erasure until the transaction ends; returns when they were erased, if they were. */
export const shareBuyer = (db: Db, schoolId: string, memberId: string) =>
  db.one(sql<{ erased_at: Date | null }>`
    select erased_at from members where school_id = ${schoolId} and id = ${memberId}::uuid for share`)

/** The values of a new document. */
export type NewInvoice = Omit<
  InvoiceRow,
  | 'invoice_number'
  | 'file_id'
  | 'print_state'
  | 'missing_characters'
  | 'revision'
  | 'changed_in'
  | 'created_at'
  | 'updated_at'
  | 'discount_total'
  | 'net_total'
  | 'tax_total'
  | 'total'
> & {
  readonly discount_total: number
  readonly net_total: number
  readonly tax_total: number
  readonly total: number
  readonly buyer_erased_at: Date | null
}

const json = (value: unknown): Statement => sql`${value === null ? null : JSON.stringify(value)}::jsonb`

/**
 * Stores a document whose series is locked. The days of a series never go back, although transactions begin in another
 * order than they take numbers.
 */
export const insertInvoice = (db: Db, schoolId: string, one: NewInvoice) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), before as materialized (
      select issued_on from invoices
      where school_id = ${schoolId} and kind = ${one.kind} and is_test = ${one.is_test} and year = ${one.year}
        and sequence = ${one.sequence}::integer - 1
    )
    insert into invoices (school_id, id, kind, is_test, year, sequence, series, number, order_id, order_number, invoice_id,
      member_id, issued_on, paid_on, language, locale, currency, discount_total, net_total, tax_total, total, tax_mode,
      tax_country, reverse_charge, rates, lines, seller, buyer, payment, reason, withdrawal_waiver, retain_until,
      buyer_erased_at, created_at, updated_at)
    select ${schoolId}, ${one.id}, ${one.kind}, ${one.is_test}, ${one.year}, ${one.sequence}::integer, ${one.series},
      ${one.number}, ${one.order_id}, ${one.order_number}, ${one.invoice_id}::uuid, ${one.member_id},
      greatest(${one.issued_on}::date, (select issued_on from before)), ${one.paid_on}::date, ${one.language},
      ${one.locale}, ${one.currency}, ${one.discount_total}::bigint, ${one.net_total}::bigint, ${one.tax_total}::bigint,
      ${one.total}::bigint, ${one.tax_mode}, ${one.tax_country}, ${one.reverse_charge}, ${json(one.rates)},
      ${json(one.lines)}, ${json(one.seller)}, ${json(one.buyer)}, ${json(one.payment)}, ${one.reason},
      ${one.withdrawal_waiver}, ${one.retain_until}::date, ${one.buyer_erased_at}::timestamptz, now, now
    from clock`)

/** Hides the buyer of the documents of a member from everybody but owners. */
export const eraseBuyer = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update invoices set buyer_erased_at = (select now from clock), updated_at = (select now from clock),
      revision = revision + 1
    where school_id = ${schoolId} and member_id = ${memberId} and buyer_erased_at is null`)

/** Moves the documents of one member to another. */
export const moveInvoices = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    update invoices set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId}`)

/** The documents among whose files are these. */
export const listWithFiles = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; file_id: string }[]> =>
  db.all(sql<{ id: string; file_id: string }>`
    select id, file_id from invoices where school_id = ${schoolId} and file_id = any (${fileIds}::uuid[])`)

/** Documents whose buyer was erased and is not retained any more, at most `most`. */
export const listOverdue = (
  db: Db,
  schoolId: string,
  most: number,
): Promise<{ id: string; file_id: string | null }[]> =>
  db.all(sql<{ id: string; file_id: string | null }>`
    select id, file_id from invoices
    where school_id = ${schoolId} and buyer_erased_at is not null and buyer is not null
      and retain_until < ((select stoa.now()) at time zone 'UTC')::date
    order by retain_until limit ${most}`)

/** Forgets the buyers and the files of documents. */
export const forgetBuyers = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    update invoices set buyer = null, file_id = null, missing_characters = '{}', revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and buyer_erased_at is not null`)
