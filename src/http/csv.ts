import { stringify } from 'csv-stringify/sync'
import { encode } from '#src/contract/codec.ts'
import type { Cell, Operation } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { itemSchema } from './fields.ts'

/** The media type of a list as CSV (RFC 4180, RFC 7111). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** The last line of a complete CSV answer; without it the answer was cut off. */
const COMPLETE = '# complete\r\n'

// The characters with which a formula begins in a spreadsheet, also in their full-width forms.
const FORMULA = /^[\s'"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/
// A number is no formula, although it may begin with a minus.
const NUMBER = /^-?\d+(?:\.\d+)?$/
// A spreadsheet with another locale separates cells by another character, and reads one of our cells as several. A run is
// matched completely, so that no character is examined twice.
const RUN = /([\s,;|"]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/g
const SEPARATOR = /[,;|"\t\r\n]/

// OWASP, CSV injection: an apostrophe before a formula makes it a text.
const withoutFormulas = (text: string): string => {
  if (NUMBER.test(text)) return text
  const first = FORMULA.test(text) ? `'${text}` : text
  return first.replace(RUN, (whole, run: string, sign: string) =>
    sign !== '' && SEPARATOR.test(run) ? `${run}'${sign}` : whole,
  )
}

const lines = (cells: readonly (readonly Cell[])[]): string =>
  stringify(
    cells.map(row => row.map(cell => (typeof cell === 'string' ? withoutFormulas(cell) : cell))),
    { record_delimiter: 'windows', cast: { boolean: value => String(value), date: value => value.toISOString() } },
  )

/** The names of the columns of a list as CSV, in order. */
export const columnsOf = ({ csv }: Operation): string[] => Object.keys(csv?.cells ?? {})

type AnyCells = NonNullable<Operation['csv']>['cells']

// A column with the name of a field of the item is encoded like that field.
const cellsOf = (operation: Operation, school: Pick<School, 'baseUrl'>, more: AnyCells) => {
  const { properties = {} } = itemSchema(operation) ?? {}
  const declared = Object.entries(operation.csv?.cells ?? {}).map(([name, cellOf]) => ({
    schema: properties[name],
    cellOf,
  }))
  const columns = [...declared, ...Object.values(more).map(cellOf => ({ schema: undefined, cellOf }))]
  return (row: unknown): Cell[] =>
    columns.map(({ schema, cellOf }) => {
      const cell = cellOf(row, school)
      return schema === undefined ? cell : (encode(schema, cell) as Cell)
    })
}

/** A list as CSV in pieces: the names of the columns, the batches of rows, and the line that says that it is complete. */
export async function* csvPieces(
  operation: Operation,
  school: Pick<School, 'baseUrl'>,
  batches: AsyncIterable<readonly unknown[]>,
  more: AnyCells = {},
): AsyncGenerator<string> {
  const cells = cellsOf(operation, school, more)
  yield lines([[...columnsOf(operation), ...Object.keys(more)]])
  for await (const rows of batches) yield lines(rows.map(cells))
  yield COMPLETE
}
