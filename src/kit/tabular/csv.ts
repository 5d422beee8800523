import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { buildRow, MAX_CELL_CHARACTERS, MAX_COLUMNS, type RawRow } from './cells.ts'
import { type Bytes, decodeText } from './encoding.ts'
import { countHeadings, type HeadingTest, MAX_HEADER_ROW, takeRows } from './headings.ts'
import { type Delimiter, TableError } from './table.ts'

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']

// As many characters as a row may have, with quotation marks and delimiters; more is a mark that is never closed, or no table.
const MAX_ROW_CHARACTERS = (MAX_CELL_CHARACTERS + 3) * MAX_COLUMNS

// The parser keeps every cell of a line, also of one that has a million of them.
async function* boundLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let length = 0
  for await (const text of texts) {
    if (text.includes('\0')) throw new TableError('not_a_table')
    for (const [at, line] of text.split('\n').entries()) {
      length = at === 0 ? length + line.length : line.length
      if (length > MAX_ROW_CHARACTERS) throw new TableError('not_a_table')
    }
    yield text
  }
}

// What a spreadsheet is told about a file.
const isRemark = (cells: readonly string[]): boolean =>
  /^sep=.?$/i.test(cells[0] ?? '') && cells.every((cell, at) => at === 0 || cell === '')

/** The rows of a text with values; throws a `TableError`. */
export async function* readCsvRows(bytes: Bytes, label: string, delimiter: Delimiter): AsyncGenerator<RawRow> {
  const starts: number[] = []
  let next = 1
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_CHARACTERS,
    on_record: (cells, { lines }) => {
      starts.push(next)
      next = lines + 1
      return cells
    },
  })
  // An error is thrown by the loop over the records, too.
  pipeline(boundLines(decodeText(bytes, label)), parser, () => undefined)
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const number = starts.shift() ?? next
      const row = isRemark(cells) ? undefined : buildRow(number, cells, cells.length)
      if (row !== undefined) yield row
    }
  } catch (error) {
    throw error instanceof CsvError ? new TableError('damaged', next) : error
  }
}

/** How well a delimiter fits, by what counts most first. */
type Fit = readonly [headings: number, rows: number, cells: number]

const isBetter = (one: Fit, other: Fit): boolean => {
  const at = one.findIndex((value, place) => value !== other[place])
  return (one[at] ?? 0) > (other[at] ?? 0)
}

const measureFit = (rows: readonly RawRow[], isHeading: HeadingTest): Fit => {
  const headings = Math.max(0, ...rows.slice(0, MAX_HEADER_ROW).map(row => countHeadings(row, isHeading)))
  const widths = new Map<number, number>()
  for (const { width } of rows) if (width > 1) widths.set(width, (widths.get(width) ?? 0) + 1)
  const usual = [...widths].map(([cells, count]): Fit => [headings > 1 ? headings : 0, count, cells])
  return usual.reduce((best, fit) => (isBetter(fit, best) ? fit : best), [0, 0, 0])
}

const START_CHARACTERS = 1000

/** The beginning of a text. */
export const readStart = async (bytes: Bytes, label: string): Promise<string> => {
  let start = ''
  for await (const text of decodeText(bytes, label)) {
    start += text
    if (start.length >= START_CHARACTERS) break
  }
  return start
}

// Excel reads this line, and some programs write it.
const ANNOUNCED = /^"?sep=([,;\t|])"?\n/i

/**
 * The delimiter that a file announces; else the one that gives the most known headings, if these are at least two, and then the
 * one that gives most rows the same number of cells. A comma where none divides anything.
 */
export const guessDelimiter = async (bytes: Bytes, label: string, isHeading: HeadingTest): Promise<Delimiter> => {
  const [, announced] = ANNOUNCED.exec(await readStart(bytes, label)) ?? []
  const known = DELIMITERS.find(delimiter => delimiter === announced)
  if (known !== undefined) return known
  let best: { readonly delimiter: Delimiter; readonly fit: Fit } = { delimiter: ',', fit: [0, 0, 0] }
  for (const delimiter of DELIMITERS) {
    const fit = measureFit(await takeRows(readCsvRows(bytes, label, delimiter)), isHeading)
    if (isBetter(fit, best.fit)) best = { delimiter, fit }
  }
  return best.delimiter
}
