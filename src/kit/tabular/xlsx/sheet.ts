import type { ArchiveFile } from '../../archive/contents.ts'
import { readXml, type XmlHandlers } from '../../xml.ts'
import { buildRow, MAX_COLUMNS, type RawRow } from '../cells.ts'
import { TableError } from '../table.ts'
import { createFilling, type Merges, readMerges, readPlace } from './merges.ts'
import { formatNumber, type NumberKind } from './numbers.ts'
import { decodeEscapes, keepText, type SharedStrings } from './strings.ts'

/** What cells refer to. */
export type Shared = {
  readonly strings: SharedStrings
  readonly kinds: readonly NumberKind[]
  readonly is1904: boolean
}

// Those of Excel.
const MAX_ROWS = 1_048_576

type Attributes = Readonly<Record<string, string>>

// ISO 8601, as the strict form of the format writes moments.
const readMoment = (value: string): string => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)[\d.]*Z?)?$/.exec(value) ?? []
  if (day === undefined) return value
  return time === undefined || time === '00:00:00' ? day : `${day}T${time}`
}

const readNumber = (value: string, style: string | undefined, { kinds, is1904 }: Shared): string | null => {
  if (value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? formatNumber(number, kinds[Number(style ?? 0)] ?? 'number', is1904) : value
}

const readShared = (value: string, { strings }: Shared): string => {
  const text = strings.find(Number(value))
  if (text === undefined) throw new TableError('damaged')
  return text
}

// ISO/IEC 29500-1, 18.18.11. An error is what a formula has instead of a value.
const readCell = ({ t: type = 'n', s: style }: Attributes, value: string, shared: Shared): string | null => {
  if (type === 'n') return readNumber(value, style, shared)
  if (type === 's') return value === '' ? null : readShared(value, shared)
  if (type === 'b') return value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false'
  if (type === 'd') return readMoment(value.trim())
  return type === 'e' ? null : decodeEscapes(value)
}

// Numbers may be left out; they only increase.
const readRowNumber = (written: string | undefined, next: number): number =>
  /^\d{1,7}$/.test(written ?? '') ? Math.max(Number(written), next) : next

type Emit = (row: RawRow) => void

/** The cells of the row that is being read. */
const createRow = (number: number) => {
  const cells: (string | null)[] = []
  let place = -1
  return {
    number,
    cells,
    /** Goes to the cell with this reference, or to the next. */
    moveTo: (reference: string | undefined) => {
      place = (reference === undefined ? undefined : readPlace(reference)) ?? place + 1
    },
    put: (value: string | null) => {
      const at = Math.min(place, MAX_COLUMNS)
      while (cells.length <= at) cells.push(null)
      cells[at] ??= value
    },
    countCells: () => place + 1,
  }
}

/** Collects the text of a cell: its value, or the parts of one that is written in place, without how they are pronounced. */
const createText = () => {
  let [text, into] = ['', '']
  let isPhonetic = false
  return {
    begin: () => {
      text = ''
    },
    open: (name: string) => {
      if (name === 'rPh') isPhonetic = true
      into = name === 'v' || (name === 't' && !isPhonetic) ? name : ''
    },
    close: (name: string) => {
      if (name === 'rPh') isPhonetic = false
      into = ''
    },
    add: (part: string) => {
      if (into !== '') text = keepText(text, part)
    },
    read: () => text,
  }
}

const createHandlers = (shared: Shared, merges: Merges, emit: Emit): XmlHandlers => {
  const fill = createFilling(merges)
  const text = createText()
  let row = createRow(0)
  let cell: Attributes | undefined
  let rows = 0
  const finishRow = () => {
    fill(row.number, row.cells)
    const built = buildRow(row.number, row.cells, row.countCells())
    if (built !== undefined) emit(built)
  }
  return {
    open: (name, attributes) => {
      if (name === 'row') {
        rows += 1
        if (rows > MAX_ROWS) throw new TableError('too_many_rows')
        row = createRow(readRowNumber(attributes.r, row.number + 1))
      } else if (name === 'c') {
        cell = attributes
        row.moveTo(attributes.r)
        text.begin()
      } else if (cell !== undefined) text.open(name)
    },
    close: name => {
      if (name === 'row') finishRow()
      else if (name === 'c' && cell !== undefined) {
        row.put(readCell(cell, text.read(), shared))
        cell = undefined
      } else text.close(name)
    },
    text: text.add,
  }
}

/** The rows of a sheet with values, while it is unpacked; throws what `explainError` explains. */
export async function* readSheetRows(sheet: ArchiveFile, shared: Shared): AsyncGenerator<RawRow> {
  const merges = await readMerges(sheet)
  yield* readXml<RawRow>(sheet.stream(sheet.size), emit => createHandlers(shared, merges, emit))
}
