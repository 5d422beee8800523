import { stringify } from 'csv-stringify/sync'
import type { Cell, CsvRows, Operation } from '#src/contract/operation.ts'

/** The media type of a list as CSV (RFC 4180, RFC 7111). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** The last line of a whole CSV answer; without it the answer was cut off. */
export const COMPLETE = '# complete\r\n'

// A spreadsheet runs a cell that begins with = + - @ or a tab.
const lines = (cells: readonly (readonly Cell[])[]): string =>
  stringify(
    cells.map(row => [...row]),
    { escape_formulas: true, record_delimiter: 'windows', cast: { boolean: value => String(value) } },
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
