import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chunkBytes } from '#testing/tables.ts'
import {
  type Column,
  type Delimiter,
  type Inspected,
  inspectTable,
  readRows,
  TableError,
  type TableFormat,
  type TableRow,
} from './index.ts'

const HEADINGS = new Set(['email', 'name', 'phone', 'tags', 'note'])
const isHeading = (text: string): boolean => HEADINGS.has(text.toLowerCase())

type Chosen = Partial<TableFormat>
const toBytes = (file: string | Buffer) => chunkBytes(Buffer.from(file))

const inspect = (file: string | Buffer, chosen: Chosen = {}): Promise<Inspected> =>
  inspectTable(toBytes(file), { chosen, isHeading })

const readAll = async (file: string | Buffer, chosen: Chosen = {}): Promise<TableRow[]> => {
  const rows: TableRow[] = []
  const { format } = await inspect(file, chosen)
  for await (const row of readRows(toBytes(file), format)) rows.push(row)
  return rows
}

const readCells = async (file: string | Buffer, chosen: Chosen = {}) =>
  (await readAll(file, chosen)).map(({ cells }) => cells)

const refuses = (fault: string, file: string | Buffer, chosen: Chosen = {}, row?: number) =>
  assert.rejects(inspect(file, chosen), error => {
    assert.ok(error instanceof TableError, String(error))
    assert.deepEqual([error.fault, error.row], [fault, row])
    return true
  })

const PEOPLE = 'Email,Name\r\nlars@example.com,Lars Sørensen\r\nana@example.com,"Conceição, Ana"\r\n'
const READ = [
  ['lars@example.com', 'Lars Sørensen'],
  ['ana@example.com', 'Conceição, Ana'],
]

test('the same people are read from every encoding; only what Windows wrote is a guess, with samples', async () => {
  const little = Buffer.from(PEOPLE, 'utf16le')
  const files: readonly (readonly [encoding: string, file: Buffer])[] = [
    ['utf-8', Buffer.from(PEOPLE)],
    ['utf-8', Buffer.from(`\ufeff${PEOPLE}`)],
    ['utf-16le', Buffer.from(`\ufeff${PEOPLE}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\ufeff${PEOPLE}`, 'utf16le').swap16()],
    ['utf-16le', little],
    ['utf-16be', Buffer.from(little).swap16()],
  ]
  for (const [encoding, file] of files) {
    const { format, isEncodingGuessed, encodingSamples } = await inspect(file)
    assert.deepEqual([format.encoding, isEncodingGuessed, encodingSamples], [encoding, false, []])
    assert.deepEqual(await readCells(file), READ, encoding)
  }
  const windows = Buffer.from(PEOPLE, 'latin1')
  const { format, isEncodingGuessed, encodingSamples } = await inspect(windows)
  assert.deepEqual([format.encoding, isEncodingGuessed], ['windows-1252', true])
  assert.deepEqual(encodingSamples, ['Lars Sørensen', 'Conceição, Ana'])
  assert.deepEqual(await readCells(windows), READ)
})

test('an encoding that is chosen is used, and shown by samples; one that does not fit is refused', async () => {
  const written = (bytes: readonly number[]) => Buffer.from([...Buffer.from('Email,Name\na@example.com,'), ...bytes])
  for (const [encoding, bytes] of [
    ['macintosh', [0x8e]],
    ['windows-1250', [0xe9]],
    ['ibm866', [0x82]],
  ] as const) {
    const { encodingSamples, isEncodingGuessed } = await inspect(written(bytes), { encoding })
    assert.deepEqual([encodingSamples, isEncodingGuessed], [[encoding === 'ibm866' ? 'В' : 'é'], false])
  }
  assert.deepEqual(await readCells(written([0x80])), [['a@example.com', '€']])
  await refuses('bad_encoding', Buffer.from(PEOPLE, 'latin1'), { encoding: 'utf-8' })
  await refuses('bad_encoding', PEOPLE, { encoding: 'klingon' })
  await refuses('bad_encoding', Buffer.concat([Buffer.from('\ufeffEmail\tName\nx', 'utf16le'), Buffer.from([0x61])]))
})

test('each delimiter is found: by known headings, by what most rows have in common, or as the file announces it', async () => {
  const delimiters: readonly Delimiter[] = [',', ';', '\t', '|']
  for (const delimiter of delimiters) {
    const known = `Email${delimiter}Name\na@example.com${delimiter}Ann`
    assert.deepEqual(
      [(await inspect(known)).format.delimiter, await readCells(known)],
      [delimiter, [['a@example.com', 'Ann']]],
    )
    const announced = `sep=${delimiter}\r\nx${delimiter}y,z;t\tu|v\r\n1${delimiter}2\r\n`
    const { skipped, format } = await inspect(announced)
    assert.deepEqual([format.delimiter, format.header_row, skipped], [delimiter, 2, []])
  }
  const unknown = 'Correo;Fulano;Importe\na@example.com;Ann, Lee;1,5\nb@example.com;Bo, Li;2,5\nc@example.com;Cy;3\n'
  assert.equal((await inspect(unknown)).format.delimiter, ';')
  const bars =
    'Email,Name,Tags\na@example.com,Ann,x|y\nb@example.com,Bo,x|y\nc@example.com,Cy, Jr,x|y\nd@example.com,Di, Jr,x|y\n'
  assert.equal((await inspect(bars)).format.delimiter, ',')
})

test('headings are the first row whose cells are known; rows before it are skipped and shown', async () => {
  const { skipped, format, columns, rows } = await inspect(
    'People;;\n;;\n2025;spring;\nEmail;Name;Note\na@example.com;Ann;\n',
  )
  assert.deepEqual(skipped, [['People'], ['2025', 'spring']])
  assert.deepEqual([format.header_row, rows], [4, 1])
  const expected: readonly Column[] = [
    { index: 0, heading: 'Email', samples: ['a@example.com'] },
    { index: 1, heading: 'Name', samples: ['Ann'] },
    { index: 2, heading: 'Note', samples: [] },
  ]
  assert.deepEqual(columns, expected)
})

test('headings that nobody knows are the first full row, unless it has an address', async () => {
  assert.equal((await inspect('Lista\nCorreo;Fulano;Importe\na@example.com;Ann;1\n')).format.header_row, 2)
  const bare = await inspect('a@example.com;Ann\nb@example.com;Bo\n')
  assert.deepEqual([bare.format.header_row, bare.rows, bare.columns.map(({ heading }) => heading)], [0, 2, ['', '']])
  assert.deepEqual(await readCells('a@example.com;Ann\nb@example.com;Bo\n'), [
    ['a@example.com', 'Ann'],
    ['b@example.com', 'Bo'],
  ])
})

test('rows without headings may be longer than the first', async () => {
  const file = 'a@example.com\nb@example.com,Bo\nc@example.com,Cy,x\n'
  assert.deepEqual(await readAll(file), [
    { number: 1, cells: ['a@example.com'] },
    { number: 2, cells: ['b@example.com', 'Bo'] },
    { number: 3, cells: ['c@example.com', 'Cy', 'x'] },
  ])
  const { columns } = await inspect(file)
  assert.deepEqual(
    columns.map(({ samples }) => samples),
    [['a@example.com', 'b@example.com', 'c@example.com'], ['Bo', 'Cy'], ['x']],
  )
})

test('a row of headings that is chosen is used; one without cells is refused', async () => {
  const file = 'Email;Name\nCorreo;Nombre\n\na@example.com;Ann\n'
  assert.deepEqual(await readCells(file, { header_row: 2 }), [['a@example.com', 'Ann']])
  assert.equal((await readCells(file, { header_row: 0 })).length, 3)
  await refuses('no_header', file, { header_row: 3 })
  await refuses('no_header', file, { header_row: 9 })
})

test('repeated headings have a number; columns without heading and value are left out', async () => {
  const { columns } = await inspect('Email,Name,,Name,,Name\na@example.com,Ann,,Lee,x,\n')
  assert.deepEqual(
    columns.map(({ index, heading }) => [index, heading]),
    [
      [0, 'Email'],
      [1, 'Name'],
      [3, 'Name 2'],
      [4, ''],
      [5, 'Name 3'],
    ],
  )
})

test('cells have no white space and no invisible characters around them; NULL and - are no values', async () => {
  const cells = [
    ['  Ann\t', 'Ann'],
    ['Ann\u00a0', 'Ann'],
    ['\u200b\ufeffAnn\u200d\u2060', 'Ann'],
    ['\u202a+49 170 1234567\u202c', '+49 170 1234567'],
    ["'+49 170 1234567", '+49 170 1234567'],
    ["'=1+1", '=1+1'],
    ['=1+1', '=1+1'],
    ["O'Neill", "O'Neill"],
    ['"Ann\r\nLee"', 'Ann\nLee'],
    ['"say ""hi"""', 'say "hi"'],
    ['Ann "the boss" Lee', 'Ann "the boss" Lee'],
    ['A\u0007B', 'A B'],
    ['NULL', null],
    ['-', null],
    [' \u00a0 ', null],
    ['null', 'null'],
    ['', null],
  ] as const
  for (const [written, value] of cells)
    assert.deepEqual(await readCells(`Email,Name\na@example.com,${written}\n`), [['a@example.com', value]], written)
})

test('rows have the number of their first line; empty ones are left out, short ones filled, longer ones faulty', async () => {
  const lines = [
    'Email,Name,Note',
    '',
    'a@example.com,"Ann',
    '',
    'Lee"',
    ',,',
    'b@example.com',
    'c@example.com,Cy,x,y',
    'd@example.com,Di,x,,',
  ]
  for (const end of ['\n', '\r\n', '\r'])
    assert.deepEqual(await readAll(lines.join(end)), [
      { number: 3, cells: ['a@example.com', 'Ann\n\nLee', null] },
      { number: 7, cells: ['b@example.com', null, null] },
      { number: 8, cells: ['c@example.com', 'Cy', 'x'], fault: 'too_long' },
      { number: 9, cells: ['d@example.com', 'Di', 'x'] },
    ])
})

test('a list of our own is read without its last line', async () => {
  const { rows, columns } = await inspect("email,name,phone\r\na@example.com,Ann,'+49 170\r\n# complete\r\n")
  assert.deepEqual([rows, columns.at(-1)?.samples], [1, ['+49 170']])
})

test('one column is a table if it is a list of addresses', async () => {
  assert.equal((await inspect('a@example.com\nb@example.com\n')).format.header_row, 0)
  assert.equal((await inspect('Email\na@example.com\n')).format.header_row, 1)
  assert.equal((await inspect('Participants\na@example.com\nb@example.com\n')).format.header_row, 1)
  await refuses('not_a_table', 'Dear Ann,\nhere is the list.\n')
  assert.equal((await inspect('Email;Name\na;b\n', { delimiter: '\t' })).columns.length, 1)
})

test('50,000 rows, 100 columns and 10,000 characters in a cell are the most', async () => {
  const write = (count: number) => `Email,Name\n${'a@example.com,Ann\n'.repeat(count)}`
  assert.equal((await inspect(write(50_000))).rows, 50_000)
  await refuses('too_many_rows', write(50_001))
  const more = toBytes(write(50_001))
  const { format, rows } = await inspectTable(more, { isHeading, maxRows: 50_001 })
  assert.equal(rows, 50_001)
  await assert.rejects(async () => {
    for await (const { number } of readRows(more, format)) assert.ok(number <= 50_001)
  }, new TableError('too_many_rows'))
  let read = 0
  for await (const { number } of readRows(more, format, { maxRows: 50_001 })) read = number
  assert.equal(read, 50_002)
  const name = (count: number) => Array.from({ length: count }, (_, at) => `h${at}`).join()
  assert.equal((await inspect(`${name(100)}\nx,y`)).columns.length, 100)
  assert.equal((await inspect(`${name(100)}${','.repeat(200)}\nx,y`)).columns.length, 100)
  await refuses('too_many_columns', `${name(101)}\nx,y`)
  const [longest] = await readAll(`Email,Name\na@example.com,${'x'.repeat(10_000)}`)
  assert.deepEqual([longest?.fault, longest?.cells[1]?.length], [undefined, 10_000])
  const [longer] = await readAll(`Email,Name\na@example.com,${'x'.repeat(10_001)}`)
  assert.deepEqual([longer?.fault, longer?.cells[1]?.length], ['cell_too_long', 10_000])
  const { columns } = await inspect(`Email,Name\na@example.com,${'x'.repeat(10_001)}`)
  assert.equal(columns[1]?.samples[0]?.length, 200)
})

test('what is no table has a name: empty, text, bytes, a page, another format, a mark that is never closed', async () => {
  await refuses('empty', '')
  await refuses('empty', '\n\n')
  await refuses('empty', 'Email,Name\n')
  await refuses('not_a_table', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\0', 'latin1'))
  await refuses('not_a_table', `{"people": [${'{"email": "a@example.com"},'.repeat(50_000)}]}`)
  await refuses('not_a_table', `Email,Name\n${','.repeat(2_000_000)}`)
  await refuses('other_spreadsheet', '<html><table><tr><td>Email</td></tr></table></html>')
  await refuses('other_spreadsheet', '\ufeff<?xml version="1.0"?><Workbook/>')
  const compound = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(`${name}\0`, 'utf16le')])
  await refuses('old_excel', compound('Workbook'))
  await refuses('old_excel', compound('Book'))
  await refuses('protected', compound('EncryptedPackage'))
  await refuses('not_a_table', compound('WordDocument'))
  await refuses('damaged', 'Email,Name\na@example.com,Ann\n\nb@example.com,"Bo\nc@example.com,Cy\n', {}, 4)
  await refuses('damaged', `Email,Name\na@example.com,"${'Bo\n'.repeat(500_000)}`, {}, 2)
})

test('a file on the disk is read as bytes are; one that is not there is an error of its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  try {
    const path = join(folder, 'people.csv')
    await writeFile(path, PEOPLE)
    const { format } = await inspectTable(path, { isHeading })
    const rows: TableRow[] = []
    for await (const row of readRows(path, format)) rows.push(row)
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      READ,
    )
    await assert.rejects(inspectTable(join(folder, 'nothing.csv'), { isHeading }), { code: 'ENOENT' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
