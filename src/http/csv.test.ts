import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CsvDialect } from '#src/contract/csv.ts'
import { type Cell, type Cells, operation } from '#src/contract/operation.ts'
import { CSV_TYPE, csvPieces } from './csv.ts'

const cells: Cells<readonly Cell[]> = { name: ([name = null]) => name, '=kind': ([, kind = null]) => kind }
const list = operation({
  id: 'listLoaves',
  route: 'GET /loaves',
  summary: 'List loaves',
  scope: 'none',
  who: 'staff',
  mode: 'read',
  returns: undefined,
  csv: { cells, statement: () => ({ text: 'select', values: [] }) },
  handle: async () => undefined,
})

const writtenIn = async (
  dialect: CsvDialect,
  ...batches: readonly (readonly (readonly Cell[])[])[]
): Promise<string> => {
  const stream = async function* () {
    yield* batches
  }
  const about = { cells: list.csv?.cells ?? {}, layout: { dialect, zone: 'Europe/Lisbon' } }
  let text = ''
  for await (const piece of csvPieces(list, { baseUrl: 'http://localhost' }, stream(), about)) text += piece
  return text
}

const written = (...batches: readonly (readonly (readonly Cell[])[])[]) => writtenIn('rfc4180', ...batches)

const cell = async (text: string): Promise<string> => {
  const lines = await written([[text, 1]])
  return lines.slice("name,'=kind\r\n".length, -',1\r\n# complete\r\n'.length)
}

test('a list as CSV has a header, a line for each row of each batch, and a last line that says it is complete', async () => {
  assert.equal(CSV_TYPE, 'text/csv; charset=utf-8; header=present')
  assert.equal(
    await written(
      [
        ['Rye', 1],
        [null, true],
      ],
      [],
      [['a "b", c', false]],
    ),
    'name,\'=kind\r\nRye,1\r\n,true\r\n"a ""b"", c",false\r\n# complete\r\n',
  )
  assert.equal(await written(), "name,'=kind\r\n# complete\r\n")
})

test('a cell with a line break of any kind is in quotation marks', async () => {
  for (const lineEnd of ['\n', '\r', '\r\n']) assert.equal(await cell(`Rye${lineEnd}Oats`), `"Rye${lineEnd}Oats"`)
})

test('a cell that a spreadsheet would read as a formula gets an apostrophe, also in full width and after skipped characters', async () => {
  for (const sign of '=+-@＝＋－＠') {
    assert.equal(await cell(`${sign}A1`), `'${sign}A1`)
    for (const before of [' ', "'", "' '"]) assert.equal(await cell(`${before}${sign}1`), `'${before}${sign}1`)
    assert.equal(await cell(`a${sign}1`), `a${sign}1`, 'within a text it is no formula')
  }
  assert.equal(await cell('"=1'), `"'""'=1"`)
  for (const start of ['\t', '\r', '\n']) assert.match(await cell(`${start}a`), new RegExp(`^"?'${start}a"?$`))
  for (const text of ['', 'a', '1', "'a", ' a', '!a', '(=1)']) assert.equal(await cell(text), text)
})

test('a formula after a separator of another locale gets an apostrophe, and one after only a space does not', async () => {
  for (const separator of [',', ';', '\t', '|', '"', '\r', '\n'])
    for (const sign of '=+-@＝＋－＠') {
      const shown = (await cell(`a${separator}${sign}1 ${separator} ${sign}2`)).replaceAll('""', '"')
      assert.ok(shown.includes(`a${separator}'${sign}1 ${separator} '${sign}2`), shown)
    }
  assert.equal(await cell('a = 1 - 2 ='), 'a = 1 - 2 =')
  assert.equal(await cell('a; b'), 'a; b')
})

test('an amount as a text with a point is a number, also a negative one, and nothing longer is', async () => {
  for (const amount of ['-1', '-39.84', '0.00', '1000000000000.00']) assert.equal(await cell(amount), amount)
  for (const text of ['-1-1', '-1+A1', '--1', '-1.', '-.5', '-1e9', '-1 ', '+1', '-１'])
    assert.equal(await cell(text), `'${text}`)
})

test('numbers and booleans are written unchanged', async () => {
  assert.equal(await written([[-1, false]]), "name,'=kind\r\n-1,false\r\n# complete\r\n")
})

test('a spreadsheet gets a byte order mark, amounts in the major unit, local times and no last line', async () => {
  const at = new Date('2026-07-01T21:30:05Z')
  const rows: readonly (readonly Cell[])[] = [
    [{ decimal: '-1250.50' }, at],
    [
      { plain: -1250, spreadsheet: { decimal: '-12.50' } },
      { plain: '2026-07-01T22:30:05', spreadsheet: at },
    ],
    ['-5,00', 'a;=1'],
    [33.5, '3.14'],
  ]
  assert.equal(
    await writtenIn('spreadsheet', rows),
    `\ufeffname,'=kind\r\n-1250.50,2026-07-01 22:30:05\r\n-12.50,2026-07-01 22:30:05\r\n"'-5,00",a;'=1\r\n33.5,3.14\r\n`,
  )
  assert.equal(
    await writtenIn('spreadsheet_semicolon', rows),
    `\ufeffname;'=kind\r\n-1250,50;2026-07-01 22:30:05\r\n-12,50;2026-07-01 22:30:05\r\n'-5,00;"a;'=1"\r\n33,5;3.14\r\n`,
  )
  assert.equal(
    await written(rows),
    `name,'=kind\r\n-1250.50,2026-07-01T21:30:05.000Z\r\n-1250,2026-07-01T22:30:05\r\n"'-5,00",a;'=1\r\n33.5,3.14\r\n# complete\r\n`,
  )
})
