import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import writeWorkbook from 'write-excel-file/node'
import { chunkBytes } from '#testing/tables.ts'
import { inspectTable, readRows } from './index.ts'

type Cells = readonly (string | null)[]

const PARTS = [
  'a',
  'Zz',
  '7',
  '49',
  ' ',
  ',',
  ';',
  '\t',
  '|',
  '"',
  '\n',
  "'",
  '=',
  '+',
  '-',
  '@',
  '#',
  '_x',
  'é',
  'ø',
  'ß',
  'ç',
]
const BEYOND = ['你', '😀', 'ł', 'Ω', 'و', '“']

// What the reader does to cells on purpose has tests of its own.
const isPlain = (cell: string): boolean =>
  cell === cell.trim() &&
  !['', '-', 'NULL'].includes(cell) &&
  !/(?:^|[\s,;|"])'/.test(cell) &&
  !/_x[\da-f]{4}_/i.test(cell)

const buildCell = (parts: readonly string[]) =>
  fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 })
    .map(chosen => chosen.join(''))
    .filter(isPlain)

/** A table with two columns at least; every row has a value. */
const buildTable = (parts: readonly string[]) =>
  fc.integer({ min: 2, max: 6 }).chain(width => {
    const row = fc.array(fc.option(buildCell(parts), { freq: 4 }), { minLength: width, maxLength: width })
    const filled = row.filter(cells => cells.some(cell => cell !== null))
    return fc.array(filled, { minLength: 1, maxLength: 12 }).map((rows): readonly Cells[] => rows)
  })

const nameColumns = (rows: readonly Cells[]): string[] => (rows[0] ?? []).map((_, at) => `Heading ${at}`)

const readBack = async (file: Uint8Array, chunkSize: number) => {
  const bytes = chunkBytes(file, chunkSize)
  const inspected = await inspectTable(bytes, { isHeading: text => text.startsWith('Heading ') })
  const rows: Cells[] = []
  for await (const { cells, fault } of readRows(bytes, inspected.format)) {
    assert.equal(fault, undefined)
    rows.push(cells)
  }
  assert.equal(inspected.rows, rows.length)
  return { format: inspected.format, rows }
}

const encodings = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text: string) => Buffer.from(text, 'latin1'),
}

const dialect = fc.record({
  quote_record_delimiter: fc.constant(true),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  record_delimiter: fc.constantFrom('\n', '\r\n'),
  quoted: fc.boolean(),
  eof: fc.boolean(),
})

test('any table is read as it was written, in every dialect and encoding and however its bytes arrive', async () => {
  for (const [name, encode] of Object.entries(encodings)) {
    const table = buildTable(name === 'windows-1252' ? PARTS : [...PARTS, ...BEYOND])
    await fc.assert(
      fc.asyncProperty(table, dialect, fc.integer({ min: 1, max: 200 }), async (rows, options, chunkSize) => {
        const written = stringify([nameColumns(rows), ...rows], options)
        const { format, rows: read } = await readBack(encode(written), chunkSize)
        assert.equal(format.delimiter, options.delimiter)
        assert.deepEqual(read, rows)
      }),
      { numRuns: 40 },
    )
  }
})

const MOMENT = fc
  .date({ min: new Date('1901-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(date => new Date(Math.floor(date.getTime() / 1000) * 1000))
const NUMBER = fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map(number => number / 100)
const VALUE = fc.oneof(buildCell([...PARTS, ...BEYOND]), NUMBER, fc.boolean(), MOMENT, fc.constant(null))
type Value = string | number | boolean | Date | null

// The other reader is a millisecond off now and then.
const showMoment = (date: Date): string =>
  new Date(Math.round(date.getTime() / 1000) * 1000)
    .toISOString()
    .replace(/\.000Z$/, '')
    .replace(/T00:00:00$/, '')

const show = (value: unknown): string | null =>
  value === null ? null : value instanceof Date ? showMoment(value) : String(value)

test('any workbook is read as it was written, and as another reader reads it', async () => {
  const table = fc.array(fc.tuple(VALUE, VALUE, VALUE), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 50, max: 2000 }), async (rows, chunkSize) => {
      const filled = rows.filter(cells => cells.some(value => value !== null))
      fc.pre(filled.length > 0)
      const headings: readonly Value[] = ['Heading 0', 'Heading 1', 'Heading 2']
      const file = await writeWorkbook(
        [headings, ...filled].map(cells => [...cells]),
        { dateFormat: 'dd.mm.yyyy hh:mm' },
      ).toBuffer()
      const { rows: read } = await readBack(file, chunkSize)
      assert.deepEqual(
        read,
        filled.map(cells => cells.map(show)),
      )
      const [, ...theirs] = await readSheet(file)
      assert.deepEqual(
        read,
        theirs.map(cells => headings.map((_, at) => show(cells[at] ?? null))),
      )
    }),
    { numRuns: 80 },
  )
})
