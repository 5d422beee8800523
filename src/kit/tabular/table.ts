/** What divides the cells of a line of text. */
export type Delimiter = ',' | ';' | '\t' | '|'

/** How a file is read: what was found out, or chosen by a person. */
export type TableFormat = {
  readonly type: 'csv' | 'xlsx'
  /** The label of an encoding, as `TextDecoder` knows it; null for XLSX. */
  readonly encoding: string | null
  /** Null for XLSX. */
  readonly delimiter: Delimiter | null
  /** The name of the sheet; null for CSV. */
  readonly sheet: string | null
  /** Which row has the headings, from 1 to 20, counted as `TableRow.number`; 0 where no row has any. */
  readonly header_row: number
}

/** A column that has a heading or a value. */
export type Column = {
  /** Its place in the cells of a row, from 0. */
  readonly index: number
  /** Repeated headings have a number; empty where the column has values and no heading. */
  readonly heading: string
  /** The first values that differ from each other, three at most. */
  readonly samples: readonly string[]
}

/** What a file contains. */
export type Inspected = {
  readonly format: TableFormat
  /** Whether the bytes fit the encoding and do not prove it. */
  readonly isEncodingGuessed: boolean
  /** Up to three cells with a letter beyond ASCII, by which a person sees whether the encoding is right. */
  readonly encodingSamples: readonly string[]
  /** The names of the visible sheets; none for CSV. */
  readonly sheets: readonly string[]
  /** The rows before that with the headings. */
  readonly skipped: readonly (readonly string[])[]
  readonly columns: readonly Column[]
  /** How many rows follow the headings; empty ones do not count. */
  readonly rows: number
}

/** A row after that with the headings; rows without a value are left out. */
export type TableRow = {
  /** The number of its first line in the file (CSV), or of the row in the sheet. */
  readonly number: number
  /** As many as the row of headings has, or at least as many as the first row without one; null where there is no value. */
  readonly cells: readonly (string | null)[]
  /**
   * The row has a value beyond the last heading; or a cell of more than 10,000 characters, which is cut; or more than 100,000
   * characters, of which the cells that do not fit are left out.
   */
  readonly fault?: 'too_long' | 'cell_too_long' | 'row_too_large'
}

/** Why a file cannot be read as a table. */
type TableFault =
  | 'empty'
  | 'not_a_table'
  // XLS, of Excel before 2007.
  | 'old_excel'
  // XLSB, OpenDocument, Numbers.
  | 'other_spreadsheet'
  // A password is needed to open it.
  | 'protected'
  | 'damaged'
  | 'too_many_rows'
  | 'too_many_columns'
  // More bytes than may be unpacked, or more characters than a table may have.
  | 'too_large'
  // The bytes do not fit the encoding that was chosen, or nobody knows it.
  | 'bad_encoding'
  // The sheet that was chosen is not there, or there is none.
  | 'no_sheet'
  // The row of headings that was chosen is empty or not there.
  | 'no_header'

/** A file cannot be read as a table; `row` says where, as `TableRow.number` does, if it is one place. */
export class TableError extends Error {
  readonly fault: TableFault
  readonly row: number | undefined
  constructor(fault: TableFault, row?: number) {
    super(`the file cannot be read as a table: ${fault}${row === undefined ? '' : ` at ${row}`}`)
    this.fault = fault
    this.row = row
  }
}
