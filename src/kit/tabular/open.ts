import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { RawRow } from './cells.ts'
import { guessDelimiter, readCsvRows, readStart } from './csv.ts'
import { type Bytes, guessEncoding, readFirstBytes } from './encoding.ts'
import type { HeadingTest } from './headings.ts'
import { type Inspected, TableError, type TableFormat } from './table.ts'
import { openWorkbook } from './xlsx/workbook.ts'

/** A file, by its path or by what reads its bytes from their beginning each time. */
export type TableSource = string | Bytes

/** Rows, and how they are read, except for which of them has the headings. */
export type Table = Pick<Inspected, 'isEncodingGuessed' | 'sheets'> & {
  readonly format: Omit<TableFormat, 'header_row'>
  /** The rows with values, from the first, each time it is called; throws a `TableError`. */
  readRows(): AsyncGenerator<RawRow>
}

/** What a person decided. */
export type Chosen = Partial<TableFormat>

/** What reads the bytes of a file. */
export const readBytes = (source: TableSource): Bytes =>
  typeof source === 'string' ? () => createReadStream(source) : source

const openXlsx = async (bytes: Bytes, { sheet: chosen }: Chosen): Promise<Table> => {
  const { visible, readRows } = await openWorkbook(await buffer(bytes()))
  const sheet = chosen ?? visible[0]
  if (sheet === undefined) throw new TableError('no_sheet')
  const format = { type: 'xlsx', encoding: null, delimiter: null, sheet } as const
  return { format, isEncodingGuessed: false, sheets: visible, readRows: () => readRows(sheet) }
}

// Pages and XML that programs save with the ending of a spreadsheet.
const isMarkup = (start: string): boolean => /^\s*<(?:!doctype|\?xml|html|head|meta|style|table|!--)/i.test(start)

const openCsv = async (bytes: Bytes, first: Buffer, chosen: Chosen, isHeading: HeadingTest): Promise<Table> => {
  const { label, isGuessed } = chosen.encoding
    ? { label: chosen.encoding, isGuessed: false }
    : await guessEncoding(bytes, first)
  if (isMarkup(await readStart(bytes, label))) throw new TableError('other_spreadsheet')
  const delimiter = chosen.delimiter ?? (await guessDelimiter(bytes, label, isHeading))
  const format = { type: 'csv', encoding: label, delimiter, sheet: null } as const
  return { format, isEncodingGuessed: isGuessed, sheets: [], readRows: () => readCsvRows(bytes, label, delimiter) }
}

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1')
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const begins = (first: Buffer, mark: Buffer): boolean => first.subarray(0, mark.length).equals(mark)

// MS-CFB: names of streams are in UTF-16. XLS has one of these two names; an encrypted workbook is in such a file, too.
const nameCompound = async (bytes: Bytes): Promise<TableError> => {
  const file = await buffer(bytes())
  const has = (name: string): boolean => file.includes(`${name}\0`, 0, 'utf16le')
  if (has('EncryptedPackage')) return new TableError('protected')
  return new TableError(has('Workbook') || has('Book') ? 'old_excel' : 'not_a_table')
}

/** Finds out what kind of table a file is, by its bytes, and how it is to be read; throws a `TableError`. */
export const openTable = async (bytes: Bytes, chosen: Chosen, isHeading: HeadingTest): Promise<Table> => {
  const first = await readFirstBytes(bytes)
  if (first.length === 0) throw new TableError('empty')
  if (begins(first, COMPOUND)) throw await nameCompound(bytes)
  if (begins(first, ZIP) || begins(first, EMPTY_ZIP)) return openXlsx(bytes, chosen)
  return openCsv(bytes, first, chosen, isHeading)
}
