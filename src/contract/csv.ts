import type { Statement } from './db.ts'

/** For programs, or for spreadsheets with a decimal point or a decimal comma. */
export const csvDialects = ['rfc4180', 'spreadsheet', 'spreadsheet_semicolon'] as const

/** One of these values. */
export type CsvDialect = (typeof csvDialects)[number]

/** A number with decimals, such as an amount in the major unit of its currency. */
export type Decimal = { readonly decimal: string }

/** A cell that programs and spreadsheets get in different forms. */
export type TwoForms = { readonly plain: string | number; readonly spreadsheet: Date | Decimal }

/** A list as CSV: its columns, and the statement that reads all rows. */
export type Csv<Context, Row, Columns> = {
  readonly cells: Columns
  /** More cells, whose columns depend on what is listed; they come after the others. */
  moreCells?(context: Context): Promise<Columns>
  statement(context: Context): Statement<Row> | Promise<Statement<Row>>
  /** The beginning of the name of the file, where the name of the operation does not say enough. */
  fileName?(context: Context): string
}
