import type { RawRow } from './cells.ts'
import { TableError } from './table.ts'

/** Whether a text is what a column may be called. */
export type HeadingTest = (text: string) => boolean

/** The last row that may have the headings. */
export const MAX_HEADER_ROW = 20

const SAMPLE_ROWS = 100

/** The first rows of a table, fewer where a later one cannot be read. */
export const takeRows = async (rows: AsyncIterable<RawRow>): Promise<RawRow[]> => {
  const taken: RawRow[] = []
  try {
    for await (const row of rows) if (taken.push(row) === SAMPLE_ROWS) break
  } catch (error) {
    if (!(error instanceof TableError)) throw error
  }
  return taken
}

/** How many cells of a row may be headings. */
export const countHeadings = ({ cells }: RawRow, isHeading: HeadingTest): number =>
  cells.filter(cell => cell !== null && isHeading(cell)).length

const countValues = ({ cells }: RawRow): number => cells.filter(cell => cell !== null).length

/** Whether a cell has an e-mail address in it. */
export const hasAddress = (cell: string | null): boolean => cell !== null && /[^\s@<]@[^\s@]+\.[^\s@]/.test(cell)

/**
 * The number of the row with the headings: the first in which most cells are known; else the first that has more than half as many
 * values as the fullest, unless it has an e-mail address, since then no row has headings: 0.
 */
export const findHeader = (rows: readonly RawRow[], isHeading: HeadingTest): number => {
  const first = rows.filter(({ number }) => number <= MAX_HEADER_ROW)
  const most = Math.max(0, ...rows.map(countValues))
  const isWide = (row: RawRow): boolean => most === 1 || countValues(row) > 1
  const known = first.find(row => isWide(row) && countHeadings(row, isHeading) * 2 > countValues(row))
  const likely = known ?? first.find(row => countValues(row) * 2 > most)
  return likely === undefined || (known === undefined && likely.cells.some(hasAddress)) ? 0 : likely.number
}
