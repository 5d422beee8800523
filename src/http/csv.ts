import { stringify } from 'csv-stringify/sync'
import { encode } from '#src/contract/codec.ts'
import type { CsvDialect } from '#src/contract/csv.ts'
import type { Cell, Operation } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { escapeFormulas, isPlainNumber } from '#src/kit/formulas.ts'
import { itemSchema } from './fields.ts'

/** The media type of a list as CSV (RFC 4180, RFC 7111). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** The last line of a complete CSV answer for programs; without it the answer was cut off. */
const COMPLETE = '# complete\r\n'

// Without it, Excel reads UTF-8 as another encoding.
const BYTE_ORDER_MARK = '\ufeff'

/** The names of the columns of a list as CSV, in order. */
export const listColumns = ({ csv }: Operation): string[] => Object.keys(csv?.cells ?? {})

// A row is about a person where it has their id or their address. The authors of what others may read are not meant.
const OF_PERSON = /(?:^|_)(?:email|recipient|member_id|student_id|reporter_id)$/

/**
 * Whether a list with these columns has people, so that a page gives it out after a recent proof: not a list that everybody may
 * see, nor one's own.
 */
export const isOfPeople = ({ who }: Pick<Operation, 'who'>, columns: readonly string[]): boolean =>
  who !== 'anyone' && who !== 'self' && columns.some(name => OF_PERSON.test(name))

/** The cells of a row by the names of their columns. */
export type AnyCells = NonNullable<Operation['csv']>['cells']

type ItemField = {
  readonly type?: string
  readonly title?: string
  readonly items?: ItemField
  readonly anyOf?: readonly ItemField[]
  readonly properties?: ItemFields
}

const isOneValue = ({ type, anyOf }: ItemField): boolean =>
  anyOf === undefined ? type !== undefined && type !== 'object' && type !== 'array' : anyOf.every(isOneValue)

const isInstant = ({ title, anyOf = [] }: ItemField): boolean => title === 'Instant' || anyOf.some(isInstant)

type ItemFields = Readonly<Record<string, ItemField>>

const fieldsIn = ({ properties, anyOf = [] }: ItemField): ItemFields =>
  properties ?? anyOf.find(one => one.properties !== undefined)?.properties ?? {}

const valueAt = (item: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], item)

const cellAt =
  (field: ItemField, path: readonly string[]) =>
  (item: unknown): Cell => {
    const value = (valueAt(item, path) ?? null) as string | number | boolean | null
    return isInstant(field) && typeof value === 'string' ? new Date(value) : value
  }

/** Cells for a list that declares none: the fields of its items, as on the wire, that are one value, and those of the things in it. */
export const cellsOfItems = (operation: Pick<Operation, 'returns'>): AnyCells => {
  const buildCells = (fields: ItemFields, path: readonly string[]): AnyCells =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const at = [...path, name]
        if (isOneValue(field)) return [[at.join('_'), cellAt(field, at)]]
        return path.length > 0 ? [] : Object.entries(buildCells(fieldsIn(field), at))
      }),
    )
  return buildCells((itemSchema(operation)?.properties ?? {}) as ItemFields, [])
}

/** How a list is written, and in which time zone a spreadsheet gets instants. */
type CsvLayout = { readonly dialect: CsvDialect; readonly zone: string }

type Written = (cell: Cell, encodeCell: (cell: Cell) => Cell) => string

const ofText = (cell: Cell): string => (typeof cell === 'string' ? escapeFormulas(cell) : String(cell ?? ''))

const forPrograms: Written = (cell, encodeCell) => {
  if (cell !== null && typeof cell === 'object' && 'plain' in cell) return ofText(encodeCell(cell.plain))
  if (cell !== null && typeof cell === 'object' && 'decimal' in cell) return ofText(cell.decimal)
  const encoded = encodeCell(cell)
  return encoded instanceof Date ? encoded.toISOString() : ofText(encoded)
}

const digits = { day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

const forSpreadsheets = ({ dialect, zone }: CsvLayout): Written => {
  // Swedish writes dates as ISO 8601 does, with a space for the T.
  const instants = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', ...digits })
  const formatNumber = (text: string): string =>
    isPlainNumber(text) && dialect === 'spreadsheet_semicolon' ? text.replace('.', ',') : ofText(text)
  const written: Written = (cell, encodeCell) => {
    if (cell instanceof Date) return instants.format(cell)
    if (typeof cell === 'number') return formatNumber(String(cell))
    if (cell === null || typeof cell !== 'object') return ofText(encodeCell(cell))
    return 'plain' in cell ? written(cell.spreadsheet, encodeCell) : formatNumber(cell.decimal)
  }
  return written
}

// A column with the name of a field of the item is encoded like that field.
const rowWriter = (
  operation: Pick<Operation, 'returns'>,
  school: Pick<School, 'baseUrl'>,
  cells: AnyCells,
  written: Written,
) => {
  const { properties = {} } = itemSchema(operation) ?? {}
  const columns = Object.entries(cells).map(([name, formatCell]) => {
    const schema = properties[name]
    const encodeCell = (cell: Cell): Cell => (schema === undefined ? cell : (encode(schema, cell) as Cell))
    return (row: unknown): string => written(formatCell(row, school), encodeCell)
  })
  return (row: unknown): string[] => columns.map(column => column(row))
}

/**
 * A list as CSV in pieces: the names of the columns and the batches of rows; for programs also the line that says that it is
 * complete.
 */
export async function* csvPieces(
  operation: Pick<Operation, 'returns'>,
  school: Pick<School, 'baseUrl'>,
  batches: AsyncIterable<readonly unknown[]>,
  { cells, layout }: { readonly cells: AnyCells; readonly layout: CsvLayout },
): AsyncGenerator<string> {
  const { dialect } = layout
  const isForPrograms = dialect === 'rfc4180'
  const delimiter = dialect === 'spreadsheet_semicolon' ? ';' : ','
  // RFC 4180, 2.6: of line breaks within a cell the package quotes only those that end its records, unless it is told to.
  const options = { record_delimiter: 'windows', quote_record_delimiter: true, delimiter }
  const lines = (rows: string[][]): string => stringify(rows, options)
  const buildCells = rowWriter(operation, school, cells, isForPrograms ? forPrograms : forSpreadsheets(layout))
  yield `${isForPrograms ? '' : BYTE_ORDER_MARK}${lines([Object.keys(cells).map(escapeFormulas)])}`
  for await (const rows of batches) yield lines(rows.map(buildCells))
  if (isForPrograms) yield COMPLETE
}
