import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readSheet } from 'read-excel-file/node'
import { inspectTable, readRows, type TableRow } from '#src/kit/tabular/index.ts'
import { pathOfTable, type StoredTable, storedTables } from './index.ts'
import { buildTables } from './make.ts'

const HEADINGS = new Set(storedTables.flatMap(({ columns }) => columns.map(([heading]) => heading)))

const readTable = async (name: string) => {
  const inspected = await inspectTable(pathOfTable(name), { isHeading: text => HEADINGS.has(text) })
  const rows: TableRow[] = []
  for await (const row of readRows(pathOfTable(name), inspected.format)) rows.push(row)
  return { ...inspected, rows }
}

test('the stored tables are what the script writes, and each is described', async () => {
  for (const [name, bytes] of Object.entries(await buildTables()))
    assert.ok(bytes.equals(await readFile(pathOfTable(name))), name)
  const stored = (await readdir(import.meta.dirname)).filter(name => /\.(?:csv|txt|xlsx|zip)$/.test(name))
  assert.deepEqual(stored.sort(), storedTables.map(({ name }) => name).sort())
})

const LARS = ['lars.sorensen@example.com', 'Lars', 'Sørensen', '+45 20 12 34 56', 'vip, open day']

test('Excel saves the same table in four ways, and the same cells are read', async () => {
  const [marked, unicode, ansi, workbook] = await Promise.all(
    ['excel-german.csv', 'excel-german-unicode.txt', 'excel-german-ansi.csv', 'excel-german.xlsx'].map(readTable),
  )
  assert.deepEqual(
    [marked, unicode, ansi, workbook].map(read => [
      read?.format.encoding,
      read?.format.delimiter,
      read?.isEncodingGuessed,
    ]),
    [
      ['utf-8', ';', false],
      ['utf-16le', '\t', false],
      ['windows-1252', ';', true],
      [null, null, false],
    ],
  )
  assert.deepEqual(marked?.rows[0], { number: 2, cells: [...LARS, '17.03.2024', 'ja', null] })
  assert.deepEqual(marked?.rows[4]?.cells[3], '4,91701E+11')
  assert.deepEqual(
    marked?.rows.map(({ number, cells }) => [number, cells[0]]),
    [
      [2, 'lars.sorensen@example.com'],
      [3, 'ana.conceicao@example.com'],
      [4, 'jan@bücher.example'],
      [5, 'maria.nunez@example.com'],
      [6, 'greta.weiss@example.com'],
      [8, 'liam.oneill@example.com'],
      [9, 'zoe.simek@example.com'],
      [10, 'kasia.nowak@example.com'],
      [11, 'LARS.SORENSEN@EXAMPLE.COM'],
      [12, 'pedro.almeida@example.com'],
      [13, 'bruno.example.com'],
      [14, 'jan@xn--bcher-kva.example'],
      [15, 'ines.pinto@example.com'],
    ],
  )
  assert.equal(marked?.rows.at(-1)?.cells.at(-1), 'Allergic to rye\nPrefers mornings')
  assert.deepEqual(unicode?.rows, marked?.rows)
  assert.deepEqual(ansi?.rows, marked?.rows)
  // A workbook has days, and not what is shown of them.
  const showDay = (cell: string | null, at: number) =>
    at === 5 ? (cell?.split('-').reverse().join('.') ?? null) : cell
  assert.deepEqual(
    workbook?.rows.map(row => ({ ...row, cells: row.cells.map(showDay) })),
    marked?.rows,
  )
})

/** What is read of a table: its first row, how many there are, and how they are divided. */
const SHAPES: Readonly<Record<string, readonly [first: TableRow, rows: number, delimiter: string | null]>> = {
  'excel-1904.xlsx': [{ number: 2, cells: [LARS[0] ?? '', 'Lars', 'Sørensen', '2024-03-17'] }, 7, null],
  'excel-merged.xlsx': [
    { number: 4, cells: ['First loaf', 'lars.sorensen@example.com', 'Lars Sørensen', '2025-09-01', '50 %'] },
    5,
    null,
  ],
  'google-sheets.csv': [{ number: 2, cells: [...LARS, '3/5/2024', 'TRUE', null] }, 13, ','],
  'numbers.csv': [
    { number: 3, cells: [LARS[0] ?? '', 'Lars Sørensen', '+45 20 12 34 56', 'vip | open day', '17/03/2024', null] },
    13,
    ';',
  ],
  'libreoffice.csv': [
    { number: 2, cells: [...LARS.slice(0, 4), 'Groupe vip ; Groupe open day', '03/17/2024'] },
    7,
    ',',
  ],
  'libreoffice.xlsx': [
    { number: 2, cells: [...LARS.slice(0, 4), 'Groupe vip ; Groupe open day', '2024-03-17'] },
    7,
    null,
  ],
}

test('spreadsheets are read with their headings, whatever is above them', async () => {
  for (const [name, [first, count, delimiter]] of Object.entries(SHAPES)) {
    const { rows, format } = await readTable(name)
    assert.deepEqual([rows[0], rows.length, format.delimiter], [first, count, delimiter], name)
  }
  const merged = await readTable('excel-merged.xlsx')
  const courses = merged.rows.map(({ cells }) => cells[0])
  assert.deepEqual(courses, [
    'First loaf',
    'First loaf',
    'First loaf',
    'Sourdough from scratch',
    'Sourdough from scratch',
  ])
  assert.deepEqual((await readTable('numbers.csv')).skipped, [['Tabela 1']])
})

test('every table has the headings that are described, except for an archive', async () => {
  const isTable = ({ name }: StoredTable): boolean => !name.startsWith('oneroster')
  for (const { name, columns } of storedTables.filter(isTable)) {
    const read = await readTable(name)
    assert.deepEqual(
      read.columns.map(({ heading }) => heading),
      columns.map(([heading]) => heading),
      name,
    )
    assert.ok(read.rows.length >= 4, name)
  }
})

const show = (cell: unknown): string | null =>
  cell instanceof Date ? cell.toISOString().slice(0, 10) : cell === null ? null : String(cell).replace('\u00a0', '')

test('another reader finds the same cells in every workbook', async () => {
  for (const { name } of storedTables.filter(
    table => table.name.endsWith('.xlsx') && table.name !== 'excel-merged.xlsx',
  )) {
    const { rows, columns } = await readTable(name)
    const [, ...theirs] = await readSheet(pathOfTable(name))
    const filled = theirs.filter(cells => cells.some(cell => cell !== null))
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      filled.map(cells => columns.map(({ index }) => show(cells[index] ?? null))),
      name,
    )
  }
})
