import { unescapeFormulas } from '../formulas.ts'
import { cleanText } from '../text.ts'

/** The most characters of a cell. */
export const MAX_CELL_CHARACTERS = 10_000

/** The most columns of a table. */
export const MAX_COLUMNS = 100

// Of all cells of a row. Rows are handled by the hundred, so a hundred full cells in each would not fit into memory.
const MAX_ROW_CHARACTERS = 100_000

/** A row as a file has it: cells without what surrounds their values, and no empty ones at its end. */
export type RawRow = {
  readonly number: number
  /** At most one more than there may be columns; that one has whatever is beyond. */
  readonly cells: readonly (string | null)[]
  /** How many cells it has in the file, empty ones at its end included. */
  readonly width: number
  /** Whether cells were cut, since one of them or all together are too long. */
  readonly cut?: 'cell_too_long' | 'row_too_large'
}

// White space, controls, soft hyphens, zero-width characters, and the directions that Windows copies with a telephone number.
const SURROUNDING = /[\s\p{Z}\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

const trim = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && SURROUNDING.test(text.charAt(start))) start += 1
  while (end > start && SURROUNDING.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const ABSENT = new Set(['', '-', 'NULL'])

const cleanCell = (cell: string): string | null => {
  const text = cleanText(trim(unescapeFormulas(trim(cell.replace(/\r\n?/g, '\n')))))
  return ABSENT.has(text) ? null : text
}

/** The beginning of a cell. */
export const cutCell = (cell: string, characters: number): string =>
  cell.length > characters ? cell.slice(0, characters).toWellFormed() : cell

// What our own lists end with, also once a spreadsheet has opened and saved them.
const isEnd = (cells: readonly (string | null)[]): boolean => cells.length === 1 && cells[0] === '# complete'

/** A row with these cells of a file; undefined where none of them has a value, and for the last line of our own lists. */
export const buildRow = (number: number, written: readonly (string | null)[], width: number): RawRow | undefined => {
  const cells: (string | null)[] = []
  let left = MAX_ROW_CHARACTERS
  let cut: RawRow['cut']
  for (const [at, cell] of written.entries()) {
    const value = cell === null ? null : cleanCell(cell)
    if (value === null) continue
    const place = Math.min(at, MAX_COLUMNS)
    while (cells.length < place) cells.push(null)
    if (value.length > MAX_CELL_CHARACTERS) cut ??= 'cell_too_long'
    const kept = cutCell(value, MAX_CELL_CHARACTERS)
    if (kept.length > left) cut = 'row_too_large'
    else cells[place] ??= kept
    left -= kept.length
  }
  if (cells.length === 0 || isEnd(cells)) return undefined
  return { number, cells, width, ...(cut === undefined ? {} : { cut }) }
}
