import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSheet } from 'read-excel-file/node'
import type { ArchiveEntry } from '#testing/archives.ts'
import { buildWorkbook, chunkBytes, type WorkbookDraft } from '#testing/tables.ts'
import { inspectTable, readRows, type TableFormat, type TableRow } from '../index.ts'

const isHeading = (text: string): boolean => ['email', 'name', 'value'].includes(text.toLowerCase())

const inspect = (file: Buffer, chosen: Partial<TableFormat> = {}) =>
  inspectTable(chunkBytes(file), { chosen, isHeading })

const readAll = async (draft: WorkbookDraft, chosen: Partial<TableFormat> = {}): Promise<TableRow[]> => {
  const file = buildWorkbook(draft)
  const { format } = await inspect(file, chosen)
  const rows: TableRow[] = []
  for await (const row of readRows(chunkBytes(file), format)) rows.push(row)
  return rows
}

const HEADINGS =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Value</t></is></c></row>'

/** The values of cells that are written beside a name, one per row. */
const readValues = async (
  cells: readonly string[],
  draft: WorkbookDraft = {},
): Promise<(string | null | undefined)[]> => {
  const rows = cells.map((cell, at) => `<row r="${at + 2}"><c r="A${at + 2}"><v>${at}</v></c>${cell}</row>`)
  const read = await readAll({ ...draft, rows: HEADINGS + rows.join('') })
  return read.map(row => row.cells[1])
}

test('texts are shared, with runs, or in place; escapes are decoded, and how they are pronounced is left out', async () => {
  const strings = `<si><t>Name</t></si><si><t xml:space="preserve"> Value </t></si>
    <si><r><rPr><b/></rPr><t>Lars </t></r><r><t>Sørensen</t></r></si>
    <si><t>課長</t><rPh sb="0" eb="2"><t>カチョウ</t></rPh><phoneticPr fontId="1"/></si>
    <si><t>one_x000D_\ntwo_x005F_x000D_</t></si><si><t/></si><si/>`
  const shared = (at: number) => `<c t="s"><v>${at}</v></c>`
  const rows = [
    `<row>${shared(0)}${shared(1)}</row>`,
    ...[2, 3, 4, 5, 6].map(at => `<row><c><v>1</v></c>${shared(at)}</row>`),
  ]
  const values = (await readAll({ strings, rows: rows.join('') })).map(({ cells }) => cells[1])
  assert.deepEqual(values, ['Lars Sørensen', '課長', 'one\ntwo_x000D_', null, null])
  assert.deepEqual(
    await readValues([
      '<c t="inlineStr"><is><r><t>Lars </t></r><r><t xml:space="preserve">Sørensen </t></r></is></c>',
      '<c t="inlineStr"><is><t>課長</t><rPh sb="0" eb="2"><t>カチョウ</t></rPh></is></c>',
      '<c t="inlineStr"><is><t>a_x0009_b &amp; &lt;c&gt;</t></is></c>',
      '<c t="inlineStr"/>',
    ]),
    ['Lars Sørensen', '課長', 'a\tb & <c>', null],
  )
})

test('formulas have their last value; errors, and formulas that were never calculated, have none', async () => {
  assert.deepEqual(
    await readValues([
      '<c t="str"><f>"a"&amp;"b"</f><v>ab</v></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c><f>1+1</f></c>',
      '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="b"><v>0</v></c>',
    ]),
    ['ab', '2', null, null, 'true', 'false'],
  )
})

test('numbers are their shortest decimals; digits that were lost when they were typed are not made up', async () => {
  const numbers: readonly (readonly [written: string, read: string])[] = [
    ['42', '42'],
    ['-1.50', '-1.5'],
    ['0.10000000000000001', '0.1'],
    ['0.30000000000000004', '0.3'],
    ['4.91701234567E11', '491701234567'],
    ['123456789012345', '123456789012345'],
    ['1234567890123456', '1.23456789012346E+15'],
    ['1E-7', '0.0000001'],
    ['-0', '0'],
    ['n/a', 'n/a'],
  ]
  assert.deepEqual(
    await readValues(numbers.map(([written]) => `<c><v>${written}</v></c>`)),
    numbers.map(([, read]) => read),
  )
})

const FORMATS: readonly (readonly [format: string | number, value: number, shown: string])[] = [
  [14, 45903, '2025-09-03'],
  [14, 45903.4166666667, '2025-09-03T10:00:00'],
  [22, 45903, '2025-09-03'],
  [14, 1, '1900-01-01'],
  [14, 59, '1900-02-28'],
  [14, 61, '1900-03-01'],
  [14, 2958465, '9999-12-31'],
  [14, 2958466, '2958466'],
  [14, -1, '-1'],
  [20, 0.4375, '10:30:00'],
  [46, 1.0625, '25:30:00'],
  [18, 45903.4375, '2025-09-03T10:30:00'],
  [9, 0.45, '45 %'],
  [10, 0.07, '7 %'],
  [0, 45903, '45903'],
  [2, 1.5, '1.5'],
  [49, 42, '42'],
  ['dd/mm/yyyy', 45903, '2025-09-03'],
  ['[$-407]d. mmmm yyyy;@', 45903, '2025-09-03'],
  ['yyyy\\-mm\\-dd\\Thh:mm', 45903.5, '2025-09-03T12:00:00'],
  ['mmm', 45903, '2025-09-03'],
  ['h:mm AM/PM', 0.5, '12:00:00'],
  ['[h]:mm', 1.5, '36:00:00'],
  ['[Red]0.00', 1.5, '1.5'],
  ['0.00" days"', 1.5, '1.5'],
  ['#,##0.00\\ "USD"', 1.5, '1.5'],
  ['_-* #,##0.00\\ _d_-;-* #,##0.00\\ _d_-', 1.5, '1.5'],
  ['[$USD] 0.00', 1.5, '1.5'],
  ['0.0%', 0.125, '12.5 %'],
  ['General', 45903, '45903'],
  ['00000', 42, '00042'],
  ['00000', 1234567, '1234567'],
]

test('dates, times, durations and percentages are known by their formats, built-in and custom', async () => {
  const custom = FORMATS.flatMap(([format], at) => (typeof format === 'string' ? [[at, format] as const] : []))
  const quote = (text: string) => text.replaceAll('"', '&quot;')
  const styles = `<numFmts>${custom.map(([at, code]) => `<numFmt numFmtId="${200 + at}" formatCode="${quote(code)}"/>`).join('')}</numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs>${FORMATS.map(([format], at) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + at}"/>`).join('')}</cellXfs>
    <dxfs><dxf><numFmt numFmtId="${200 + (custom[0]?.[0] ?? 0)}" formatCode="0"/></dxf></dxfs>`
  const cells = FORMATS.map(([, value], at) => `<c s="${at}"><v>${value}</v></c>`)
  const values = await readValues(cells, { styles })
  for (const [at, [format, value, shown]] of FORMATS.entries()) assert.equal(values[at], shown, `${format} of ${value}`)
  assert.deepEqual(await readValues(['<c s="999"><v>1</v></c>', '<c s="x"><v>1</v></c>'], { styles }), ['1', '1'])
})

test('the system of dates of a Macintosh, and dates as texts of ISO 8601, give the same days', async () => {
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
  const cells = ['<c s="1"><v>44441</v></c>', '<c s="1"><v>0</v></c>']
  for (const flag of ['1', 'true'])
    assert.deepEqual(await readValues(cells, { styles, properties: `<workbookPr date1904="${flag}"/>` }), [
      '2025-09-03',
      '1904-01-01',
    ])
  assert.deepEqual(
    await readValues(
      ['2025-09-03', '2025-09-03T00:00:00.000Z', '2025-09-03T10:30:00Z'].map(text => `<c t="d"><v>${text}</v></c>`),
    ),
    ['2025-09-03', '2025-09-03', '2025-09-03T10:30:00'],
  )
})

test('rows and cells without references follow each other; those with them leave gaps', async () => {
  const text = (value: string, reference = '') =>
    `<c ${reference === '' ? '' : `r="${reference}"`} t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = `<row>${text('Name')}${text('Value')}${text('Email')}</row><row/><row>${text('Ann')}</row>
    <row r="7">${text('Bo', 'A7')}${text('bo@example.com', 'C7')}</row><row r="8"><c r="B8" s="0"/></row><row>${text('Cy')}${text('x', 'D9')}</row>`
  assert.deepEqual(await readAll({ rows }), [
    { number: 3, cells: ['Ann', null, null] },
    { number: 7, cells: ['Bo', null, 'bo@example.com'] },
    { number: 9, cells: ['Cy', null, null], fault: 'too_long' },
  ])
})

test('a cell merged over rows is that of each of them, in its first column; what has no other value stays empty', async () => {
  const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = `<row r="1">${text('A1', 'Students of mergeCell')}</row>
    <row r="2">${text('A2', 'Name')}${text('B2', 'Email')}${text('C2', 'Value')}</row>
    <row r="3">${text('A3', 'Ann')}${text('B3', 'a@example.com')}${text('C3', 'Baking')}</row>
    <row r="4">${text('A4', 'Bo')}</row>
    <row r="5"><c r="A5"/><c r="C5"/></row>
    <row r="6">${text('A6', 'Cy')}${text('B6', 'c@example.com')}</row>`
  const after =
    '<mergeCells count="3"><mergeCell ref="A1:C1"/><mergeCell ref="C3:D5"/><mergeCell ref="A6:A6"/></mergeCells>'
  const read = (await readAll({ rows, after })).map(({ cells }) => cells)
  assert.deepEqual(read, [
    ['Ann', 'a@example.com', 'Baking'],
    ['Bo', null, 'Baking'],
    ['Cy', 'c@example.com', null],
  ])
})

const NAMED = `<row><c t="inlineStr"><is><t>Name</t></is></c><c t="inlineStr"><is><t>Email</t></is></c></row>`
const buildSheet = (name: string): ArchiveEntry['data'] =>
  `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>${NAMED.replaceAll(/<(\/?)/g, '<$1x:')}
  <x:row><x:c t="inlineStr"><x:is><x:t>${name}</x:t></x:is></x:c><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`

test('the first sheet that is not hidden is read unless one is chosen, wherever it is in the archive', async () => {
  const relate = (id: string, target: string, type = 'worksheet') =>
    `<Relationship Id="${id}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${type}" Target="${target}"/>`
  const draft: WorkbookDraft = {
    sheets: `<sheet name="Chart" sheetId="9" r:id="c"/><sheet name="Lists" sheetId="1" state="veryHidden" r:id="a"/>
      <sheet name="People &amp; more" sheetId="2" r:id="b"/><sheet name="Absolute" sheetId="3" state="visible" r:id="d"/>`,
    relationships:
      relate('a', 'worksheets/lists.xml') +
      relate('b', '../other/People.XML') +
      relate('d', '/abs.xml') +
      relate('c', 'chart.xml', 'chartsheet'),
    entries: [
      { name: 'xl/worksheets/lists.xml', data: buildSheet('hidden') ?? '' },
      { name: 'other/people.xml', data: buildSheet('first') ?? '' },
      { name: 'abs.xml', data: buildSheet('second') ?? '' },
    ],
  }
  const { sheets, format } = await inspect(buildWorkbook(draft))
  assert.deepEqual([sheets, format.sheet], [['People & more', 'Absolute'], 'People & more'])
  for (const [sheet, name] of [
    ['People & more', 'first'],
    ['Absolute', 'second'],
    ['Lists', 'hidden'],
  ] as const)
    assert.equal((await readAll(draft, { sheet }))[0]?.cells[0], name)
  await assert.rejects(inspect(buildWorkbook(draft), { sheet: 'Chart' }), { fault: 'no_sheet' })
  await assert.rejects(inspect(buildWorkbook({ sheets: '<sheet name="x" sheetId="1" state="hidden" r:id="rId1"/>' })), {
    fault: 'no_sheet',
  })
})

test('another reader reads the same of a workbook of shared strings, formulas and dates', async () => {
  const file = buildWorkbook({
    strings: '<si><t>Name</t></si><si><t>Value</t></si><si><r><t>Lars </t></r><r><t>Sørensen</t></r></si>',
    styles: '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    rows: `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
      <row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>45903</v></c></row>
      <row r="3"><c r="A3" t="str"><f>A2</f><v>Lars Sørensen</v></c><c r="B3"><v>1.5</v></c></row>`,
  })
  const theirs = await readSheet(file)
  assert.deepEqual(
    theirs.slice(1).map(([name, value]) => [name, value]),
    [
      ['Lars Sørensen', new Date('2025-09-03')],
      ['Lars Sørensen', 1.5],
    ],
  )
  const rows: TableRow[] = []
  for await (const row of readRows(chunkBytes(file), (await inspect(file)).format)) rows.push(row)
  assert.deepEqual(
    rows.map(({ cells }) => cells),
    [
      ['Lars Sørensen', '2025-09-03'],
      ['Lars Sørensen', '1.5'],
    ],
  )
})

test('archives of other programs are refused by what they are', async () => {
  const refuses = (fault: string, draft: WorkbookDraft) => assert.rejects(inspect(buildWorkbook(draft)), { fault })
  await refuses('other_spreadsheet', {
    entries: [{ name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet' }],
  })
  await refuses('other_spreadsheet', { entries: [{ name: 'Index/Document.iwa', data: 'x' }] })
  await refuses('other_spreadsheet', { entries: [{ name: 'xl/workbook.bin', data: 'x' }] })
  const word =
    '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>'
  await refuses('not_a_table', { entries: [{ name: '_rels/.rels', data: word }] })
  await refuses('protected', { entries: [{ name: 'xl/secret.xml', data: 'x', flags: 0x0801 }] })
  await refuses('empty', {})
  await refuses('empty', { rows: HEADINGS })
})

test('the last line of a list of our own is left out, once a spreadsheet has saved it', async () => {
  const end = '<row r="3"><c r="A3" t="inlineStr"><is><t># complete</t></is></c></row>'
  const row = '<row r="2"><c r="A2" t="inlineStr"><is><t>Ann</t></is></c></row>'
  assert.deepEqual(await readAll({ rows: HEADINGS + row + end }), [{ number: 2, cells: ['Ann', null] }])
})
