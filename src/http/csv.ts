import { stringify } from 'csv-stringify/sync'
import type { Cell, CsvRows, Operation } from '#src/contract/operation.ts'

/** The media type of a list as CSV (RFC 4180, RFC 7111). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** The last line of a whole CSV answer; without it the answer was cut off. */
export const COMPLETE = '# complete\r\n'

// What a spreadsheet may take for the beginning of a formula, in the widths that it reads alike.
const FORMULA = /^[\s'"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/
// A spreadsheet of another locale separates cells by another character, and reads a cell of ours as several. Whole runs are
// taken, so that no text is looked at twice.
const RUN = /([\s,;|"]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/g
const SEPARATOR = /[,;|"\t\r\n]/

// OWASP, CSV injection: an apostrophe before what would run makes it text.
const harmless = (text: string): string => {
  const first = FORMULA.test(text) ? `'${text}` : text
  return first.replace(RUN, (whole, run: string, sign: string) =>
    sign !== '' && SEPARATOR.test(run) ? `${run}'${sign}` : whole,
  )
}

const lines = (cells: readonly (readonly Cell[])[]): string =>
  stringify(
    cells.map(row => row.map(cell => (typeof cell === 'string' ? harmless(cell) : cell))),
    { record_delimiter: 'windows', cast: { boolean: value => String(value) } },
  )

/** A list as CSV, piece by piece: the names of the columns, the rows as they come, and the mark that it is whole. */
export async function* csvPieces(
  operation: Operation,
  { cellsOf }: CsvRows,
  batches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  yield lines([operation.csv?.columns ?? []])
  for await (const rows of batches) yield lines(rows.map(cellsOf))
  yield COMPLETE
}
