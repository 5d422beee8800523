import { cutCell, MAX_COLUMNS, type RawRow } from './cells.ts'
import { findHeader, type HeadingTest, hasAddress, takeRows } from './headings.ts'
import { type Chosen, openTable, readBytes, type Table, type TableSource } from './open.ts'
import { type Column, type Inspected, TableError, type TableFormat, type TableRow } from './table.ts'

const MAX_ROWS = 50_000
// Twice what a file of 50 MB can have by itself; a workbook may repeat a text in every cell.
const MAX_CHARACTERS = 100_000_000
const MAX_SAMPLES = 3
const MAX_SAMPLE_CHARACTERS = 200

const cutSample = (cell: string): string => cutCell(cell, MAX_SAMPLE_CHARACTERS)

// Empty cells after the last heading may be what a program wrote beside a table.
const measureWidth = ({ width, cells }: RawRow): number => {
  if (cells.length > MAX_COLUMNS) throw new TableError('too_many_columns')
  return width > MAX_COLUMNS ? cells.length : Math.max(width, cells.length)
}

const buildTableRow = ({ number, cells, cut }: RawRow, width: number): TableRow => {
  const filled = Array.from({ length: width }, (_, at) => cells[at] ?? null)
  if (cells.length > width) return { number, cells: filled, fault: 'too_long' }
  return cut === undefined ? { number, cells: filled } : { number, cells: filled, fault: cut }
}

type Cells = TableRow['cells']

const countCharacters = (cells: Cells): number => cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)

/** How many rows there may be below the headings; 50,000 unless it is said. */
type RowBound = { readonly maxRows?: number }

/** The rows below the headings, which are given away before the first; without headings rows are as long as the first, or longer. */
async function* readBelow(
  table: Table,
  headerRow: number,
  { maxRows = MAX_ROWS, takeHeadings }: RowBound & { readonly takeHeadings?: (headings: Cells) => void },
): AsyncGenerator<TableRow> {
  let width: number | undefined
  let [count, characters] = [0, 0]
  for await (const row of table.readRows()) {
    if (row.number < headerRow) continue
    if (width === undefined) {
      width = measureWidth(row)
      takeHeadings?.(Array.from({ length: width }, (_, at) => (headerRow === 0 ? null : (row.cells[at] ?? null))))
      if (headerRow > 0 && row.number > headerRow) throw new TableError('no_header')
      if (headerRow > 0) continue
    }
    count += 1
    if (count > maxRows) throw new TableError('too_many_rows')
    characters += countCharacters(row.cells)
    if (characters > MAX_CHARACTERS) throw new TableError('too_large')
    // Without headings nothing says that a longer row is wrong.
    yield buildTableRow(row, headerRow === 0 ? Math.min(Math.max(width, row.cells.length), MAX_COLUMNS) : width)
  }
  if (count === 0) throw new TableError(headerRow > 0 && width === undefined ? 'no_header' : 'empty')
}

const numberRepeated = (headings: Cells): string[] => {
  const names = new Set<string>()
  return headings.map(heading => {
    let name = heading ?? ''
    for (let at = 2; name !== '' && names.has(name); at += 1) name = `${heading} ${at}`
    names.add(name)
    return name
  })
}

/** Collects what people are shown of the columns of a table. */
const createColumns = () => {
  let headings: readonly string[] = []
  let samples: Set<string>[] = []
  return {
    takeHeadings: (cells: Cells) => {
      headings = numberRepeated(cells)
      samples = cells.map(() => new Set())
    },
    add: (cells: Cells) => {
      for (const [at, cell] of cells.entries()) {
        const some = samples[at] ?? new Set()
        if (cell !== null && some.size < MAX_SAMPLES) some.add(cutSample(cell))
        samples[at] = some
      }
    },
    read: (): Column[] =>
      samples
        .map((some, index) => ({ index, heading: headings[index] ?? '', samples: [...some] }))
        .filter(column => column.heading !== '' || column.samples.length > 0),
  }
}

const isBeyondAscii = (cell: string | null): cell is string => cell !== null && /(?![\0-\x7f])\p{L}/u.test(cell)

/** Collects the cells by which a person sees whether the encoding is right. */
const createEncodingSamples = () => {
  const samples = new Set<string>()
  return {
    add: (cells: Cells) => {
      if (samples.size < MAX_SAMPLES)
        for (const cell of cells.filter(isBeyondAscii).slice(0, MAX_SAMPLES - samples.size))
          samples.add(cutSample(cell))
    },
    read: () => [...samples],
  }
}

/** What a person decided, and how to recognise a heading. */
type InspectOptions = RowBound & { readonly chosen?: Chosen; readonly isHeading: HeadingTest }

type ReadOptions = RowBound & { readonly headerRow: number; readonly isEncodingShown: boolean }

const readAll = async (table: Table, { headerRow, isEncodingShown, ...bound }: ReadOptions) => {
  const columns = createColumns()
  const encoding = createEncodingSamples()
  let [rows, addresses] = [0, 0]
  const takeHeadings = (cells: Cells) => {
    columns.takeHeadings(cells)
    if (isEncodingShown) encoding.add(cells)
  }
  for await (const { cells } of readBelow(table, headerRow, { ...bound, takeHeadings })) {
    rows += 1
    columns.add(cells)
    if (isEncodingShown) encoding.add(cells)
    if (cells.some(hasAddress)) addresses += 1
  }
  return { rows, addresses, columns: columns.read(), encodingSamples: encoding.read() }
}

const listSkipped = (rows: readonly RawRow[], headerRow: number): string[][] =>
  rows
    .filter(({ number }) => number < headerRow)
    .map(({ cells }) => cells.slice(0, MAX_COLUMNS).map(cell => cutSample(cell ?? '')))

/**
 * Finds out how a file is to be read and what its columns are, and reads all of it; throws a `TableError`. What a person chose is
 * not found out. A table of one column must be a list of e-mail addresses, unless its delimiter was chosen. The rows below the
 * headings can be read from what is open.
 */
export const inspectTable = async (
  source: TableSource,
  { chosen = {}, isHeading, ...bound }: InspectOptions,
): Promise<Inspected & { readRows(): AsyncGenerator<TableRow> }> => {
  const table = await openTable(readBytes(source), chosen, isHeading)
  const first = await takeRows(table.readRows())
  const headerRow = chosen.header_row ?? findHeader(first, isHeading)
  const isEncodingShown = table.isEncodingGuessed || Boolean(chosen.encoding)
  const { rows, addresses, columns, encodingSamples } = await readAll(table, { headerRow, isEncodingShown, ...bound })
  if (columns.length === 1 && !chosen.delimiter && addresses * 2 <= rows) throw new TableError('not_a_table')
  return {
    format: { ...table.format, header_row: headerRow },
    isEncodingGuessed: table.isEncodingGuessed,
    encodingSamples,
    sheets: table.sheets,
    skipped: listSkipped(first, headerRow),
    columns,
    rows,
    readRows: () => readBelow(table, headerRow, bound),
  }
}

/** The rows of a file below its headings, while it is read; throws a `TableError`. */
export async function* readRows(
  source: TableSource,
  format: TableFormat,
  bound: RowBound = {},
): AsyncGenerator<TableRow> {
  yield* readBelow(await openTable(readBytes(source), format, () => false), format.header_row, bound)
}
