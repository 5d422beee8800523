import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import type { ArchiveEntry } from '#testing/archives.ts'
import { buildWorkbook, chunkBytes, type WorkbookDraft } from '#testing/tables.ts'
import { inspectTable, readRows, TableError, type TableRow } from '../index.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const isHeading = (text: string): boolean => text === 'Email' || text === 'Name'

const inspect = (file: Buffer) => inspectTable(chunkBytes(file), { isHeading })

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const HEADINGS = `<row>${text('Email')}${text('Name')}</row>`
const ROWS = `${HEADINGS}<row>${text('a@example.com')}${text('Ann')}</row>`

const refuses = (fault: string, draft: WorkbookDraft): Promise<void> =>
  assert.rejects(inspect(buildWorkbook(draft)), error => {
    assert.ok(error instanceof TableError, String(error))
    assert.equal(error.fault, fault)
    return true
  })

const withEntry = (entry: ArchiveEntry): WorkbookDraft => ({ rows: ROWS, entries: [entry] })

test('more than 400 MB unpacked are refused by what the directory says, and what unpacks to more than that is damaged', async () => {
  await refuses('too_large', withEntry({ name: 'xl/media/a.bin', data: 'x', size: 400_000_000 }))
  await refuses('too_large', withEntry({ name: 'xl/media/a.bin', data: 'x', size: 2 ** 40, isZip64: true }))
  const bomb = deflateRawSync(Buffer.alloc(50_000_000, ' '))
  for (const name of [SHEET, 'xl/workbook.xml', 'xl/sharedStrings.xml', 'xl/styles.xml'])
    await refuses('damaged', withEntry({ name, raw: bomb, method: 8, size: 1000 }))
  await refuses('too_large', withEntry({ name: 'xl/styles.xml', data: Buffer.alloc(10_000_001, ' ') }))
})

test('archives of too many entries, with entries that share bytes, with links and with two names are damaged', async () => {
  await refuses('damaged', { entries: Array.from({ length: 10_001 }, (_, at) => ({ name: `a${at}` })) })
  await refuses('damaged', {
    rows: ROWS,
    entries: [{ name: 'xl/styles.xml', data: '<styleSheet/>', isListedOnly: true, offset: 0 }],
  })
  await refuses('damaged', withEntry({ name: 'xl/a.xml', mode: 0o120777, data: '/etc/passwd' }))
  await refuses('damaged', withEntry({ name: '../a.xml', data: 'x' }))
  await refuses('damaged', { rows: ROWS, entries: [{ name: 'XL/WORKBOOK.XML', data: 'x' }] })
})

test('a part with a wrong checksum or size is damaged, also where its rows could be read', async () => {
  const sheet = `<worksheet><sheetData>${ROWS}</sheetData></worksheet>`
  await refuses('damaged', withEntry({ name: SHEET, data: sheet, crc: 1 }))
  await refuses('damaged', withEntry({ name: SHEET, data: sheet, size: sheet.length + 1 }))
  await refuses('damaged', withEntry({ name: SHEET, data: sheet, size: sheet.length - 1 }))
})

test('a DOCTYPE, a depth of 101 and a long name are refused in every part', async () => {
  const documents = [
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    `${'<a>'.repeat(101)}${'</a>'.repeat(101)}`,
    `<${'a'.repeat(257)}/>`,
    '<a>',
  ]
  const parts = [
    SHEET,
    'xl/workbook.xml',
    'xl/sharedStrings.xml',
    'xl/styles.xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
  ]
  for (const name of parts) for (const data of documents) await refuses('damaged', withEntry({ name, data }))
})

test('shared strings have a bound, and references to none of them are damaged', async () => {
  const many = `<si><t>${'x'.repeat(10_000)}</t></si>`.repeat(6500)
  await refuses('too_large', { rows: ROWS, strings: many })
  for (const index of ['1', '-1', '0.5', 'x', '1e3'])
    await refuses('damaged', {
      strings: '<si><t>a</t></si>',
      rows: `${HEADINGS}<row><c t="s"><v>${index}</v></c></row>`,
    })
})

test('a text that many cells share counts in each of them', async () => {
  const strings = `<si><t>${'x'.repeat(10_000)}</t></si>`
  const full = `<row>${'<c t="s"><v>0</v></c>'.repeat(10)}</row>`
  await refuses('too_large', { strings, rows: full.repeat(1002) })
  const [row] = await readAll({ strings, rows: `${HEADINGS}${full.replace('</row>', `${text('a')}</row>`)}` })
  assert.equal(row?.fault, 'too_long')
})

test('a sheet that is not in the archive is damaged, wherever it is said to be', async () => {
  const relate = (target: string, mode = 'Internal') =>
    `<Relationship Id="rId1" Type="x/worksheet" Target="${target}" TargetMode="${mode}"/>`
  for (const target of [
    '../../etc/passwd',
    '/etc/passwd',
    '/../etc/passwd',
    'file:///etc/passwd',
    'worksheets/sheet9.xml',
  ])
    await refuses('damaged', { rows: ROWS, relationships: relate(target) })
  await refuses('no_sheet', { rows: ROWS, relationships: relate('http://127.0.0.1/sheet.xml', 'External') })
})

const readAll = async (draft: WorkbookDraft): Promise<TableRow[]> => {
  const file = buildWorkbook(draft)
  const rows: TableRow[] = []
  for await (const row of readRows(chunkBytes(file), (await inspect(file)).format)) rows.push(row)
  return rows
}

test('rows of 200,000 cells, cells of a million characters and numbers that go back are read within the bounds', async () => {
  const [wide] = await readAll({
    rows: `${HEADINGS}<row>${text('a@example.com')}${'<c><v>1</v></c>'.repeat(200_000)}</row>`,
  })
  assert.deepEqual(wide, { number: 2, cells: ['a@example.com', '1'], fault: 'too_long' })
  const runs = `<r><t>${'x'.repeat(100_000)}</t></r>`.repeat(10)
  const [long] = await readAll({
    rows: `${HEADINGS}<row>${text('a@example.com')}<c t="inlineStr"><is>${runs}</is></c></row>`,
  })
  assert.deepEqual([long?.fault, long?.cells[1]?.length], ['cell_too_long', 10_000])
  const full = `<row>${text('x'.repeat(10_000)).repeat(11)}</row>`
  const [large] = await readAll({ rows: `<row>${text('h').repeat(11)}</row>${full}` })
  assert.deepEqual([large?.fault, large?.cells.filter(cell => cell !== null).length], ['row_too_large', 10])
  const back = await readAll({
    rows: `${HEADINGS}<row r="9">${text('a')}</row><row r="2">${text('b')}</row><row r="x">${text('c')}</row>`,
  })
  assert.deepEqual(
    back.map(({ number }) => number),
    [9, 10, 11],
  )
  await refuses('too_many_rows', { rows: ROWS + '<row/>'.repeat(1_048_576) })
  await refuses('too_many_columns', { rows: `<row>${text('h').repeat(101)}</row>` })
})

test('a workbook with any bytes changed is a table, or refused by a fault', async () => {
  const file = buildWorkbook({
    rows: `${ROWS}<row><c t="s"><v>0</v></c><c s="0"><v>45903</v></c></row>`,
    strings: '<si><t>b@example.com</t></si>',
    styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
    after: '<mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
  })
  const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async changes => {
      const bytes = Buffer.from(file)
      for (const [at, value] of changes) bytes[at] = value
      try {
        assert.ok((await inspect(bytes)).rows > 0)
      } catch (error) {
        assert.ok(error instanceof TableError, String(error))
      }
    }),
    { numRuns: 500 },
  )
})
