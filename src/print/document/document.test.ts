import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Document, type DocumentBlock, documentLimits, isolated } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { buildInvoice } from '#testing/invoices.ts'
import { type ReadText, readPdf } from '#testing/pdf.ts'
import { createPrinter } from '../index.ts'
import { layOut, PAGE } from './layout.ts'

// Long enough that no busy machine decides what is printed.
const limits = { waiting: 16, waitMs: 120_000, printMs: 120_000, cacheBytes: 1_000_000 }
const printer = createPrinter(limits)
after(() => printer.stop())

let names = 0
const printPdf = async (document: Document): Promise<Buffer> => {
  names += 1
  const printed = await printer.print(`document ${names}`, async () => document)
  assert.ok('pdf' in printed, JSON.stringify(printed))
  return printed.pdf
}

const [LEFT, RIGHT] = [PAGE.left, PAGE.width - PAGE.right]

const wordsOn = (page: readonly ReadText[]): string[] => page.map(({ text }) => text).filter(text => text.trim() !== '')

const rowsOn = (page: readonly ReadText[]): string[][] => {
  const rows = new Map<number, string[]>()
  for (const { text, y } of page) {
    if (text.trim() === '') continue
    rows.set(y, [...(rows.get(y) ?? []), text])
  }
  return [...rows.values()]
}

test('an invoice with three lines is one page: texts at the left, amounts at the right, every text once', async () => {
  const pages = await readPdf(await printPdf(buildInvoice('en', 3)))
  assert.equal(pages.length, 1)
  const [page = []] = pages
  const rows = rowsOn(page)
  for (const row of [
    ['Crumb & Crust Lda.'],
    ['Description', 'Qty', 'Unit price', 'VAT', 'Amount'],
    ['Sourdough from scratch', '1', '€49.50', '23%', '€49.50'],
    ['Rye for the patient: twelve weeks with a', '2', '€86.50', '23%', '€173.00'],
    ['starter of your own'],
    ['Ticket: open bakery', '3', '€123.50', '23%', '€370.50'],
    ['Subtotal', '€593.00'],
    ['VAT 23 %', '€136.39'],
    ['Total', '€729.39'],
    ['Crumb & Crust Lda. · Rua do Forno 12, 1200-194 Lisboa, Portugal', 'Page 1 of 1'],
  ])
    assert.equal(rows.filter(read => read.join('|') === row.join('|')).length, 1, `${row} in ${JSON.stringify(rows)}`)
  const ends = page
    .filter(({ text }) => /^€(?:49.50|173.00|370.50|593.00|729.39)$/.test(text))
    .map(one => one.x + one.width)
  assert.equal(ends.filter(end => Math.abs(end - RIGHT) < 0.5).length, 5, String(ends))
  for (const text of ['Invoice 2027-000014', 'Description', 'Sourdough from scratch'])
    assert.ok(Math.abs((page.find(one => one.text === text)?.x ?? 0) - LEFT) < 0.5, text)
})

test('the same document gives the same bytes', async () => {
  for (const language of ['en', 'ar', 'zh'] as const) {
    const [one, other] = [await printPdf(buildInvoice(language, 30)), await printPdf(buildInvoice(language, 30))]
    assert.ok(one.equals(other), language)
  }
})

test('an invoice with sixty lines repeats the header of the table, and its totals are below the last line', async () => {
  const pages = await readPdf(await printPdf(buildInvoice('en', 60)))
  assert.equal(pages.length, 3)
  const words = pages.map(wordsOn)
  for (const [index, page] of words.entries()) {
    assert.equal(page.filter(text => text === 'Unit price').length, 1)
    assert.ok(page.includes(`Page ${index + 1} of 3`))
    assert.equal(page.filter(text => /^Page \d/.test(text)).length, 1)
  }
  const numbers = words.flat().flatMap(text => /\((\d+)\)$/.exec(text)?.[1] ?? [])
  assert.deepEqual(
    numbers,
    Array.from({ length: 57 }, (_, index) => String(index + 4)),
  )
  assert.deepEqual(
    words.map(page => page.includes('Subtotal')),
    [false, false, true],
  )
  assert.ok(words[2]?.includes('Ticket: open bakery (60)'))
})

test('totals are never alone: wherever the last row falls, they are on its page, or they take it with them', () => {
  for (const count of [1, 2, ...Array.from({ length: 12 }, (_, index) => index + 15), 42, 43, 44]) {
    const pages = layOut(buildInvoice('en', count)) ?? []
    const textsOn = pages.map(({ lines }) => lines.map(({ line }) => line.text))
    const page = textsOn.find(texts => texts.includes('Subtotal')) ?? []
    assert.ok(page.includes('Total'))
    const last = count < 4 ? 'Sourdough from scratch' : `(${count})`
    assert.ok(
      page.some(text => text.endsWith(last)),
      String(count),
    )
    for (const texts of textsOn.slice(1))
      if (texts.some(text => text.startsWith('€'))) assert.ok(texts.includes('Unit price') || texts.includes('Total'))
  }
})

test('in Arabic the page begins at the right, columns run to the left, and numbers keep their order', async () => {
  const [page] = layOut(buildInvoice('ar', 3)) ?? []
  const at = (text: string) => page?.lines.find(({ line }) => line.text === text)
  for (const text of ['مدرسة الخبز', 'الوصف', 'خبز العجين المخمّر من الصفر', 'عمر بن محمد']) {
    const { x = 0, width = 0 } = at(text) ?? {}
    assert.ok(Math.abs(x + width - RIGHT) < 0.5, text)
  }
  assert.ok(Math.abs((at('المبلغ')?.x ?? 0) - LEFT) < 0.5)
  assert.ok(Math.abs((at('صفحة 1 من 1')?.x ?? 0) - LEFT) < 0.5)
  const [read = []] = await readPdf(await printPdf(buildInvoice('ar', 3)))
  const texts = wordsOn(read)
  for (const number of ['2027-000014', 'ord_2027-000231', '49.500', '173.000', '370.500', '687.880'])
    assert.ok(
      texts.some(text => text.includes(number)),
      `${number} in ${texts.join('|')}`,
    )
})

test('a code within text from right to left keeps its order when it is isolated, as a browser shows it', () => {
  const readText = (text: string) => {
    const [page] = layOut({ ...buildInvoice('en', 0), locale: 'he', blocks: [{ type: 'text', text }] }) ?? []
    const [first] = page?.lines ?? []
    return first?.line.runs.map(run => run.text).join('')
  }
  assert.equal(readText(`חשבונית ${isolated('2027-000014')}`)?.startsWith('2027-000014'), true)
  assert.equal(readText('12 − 5')?.trim(), '5 − 12', 'a text without letters has the direction of the document')
})

test('a character that no font has is named, and nothing is printed', async () => {
  const document = buildInvoice('en', 1)
  const printed = await printer.print('fox', async () => ({
    ...document,
    blocks: [
      ...document.blocks,
      { type: 'text', text: 'A \u{1f98a}, a \u{13000} of\u2060 \u200f1\u202f234,00\u00a0€' },
    ],
  }))
  assert.deepEqual(printed, { missing: ['\u{13000}'] })
})

const small = (blocks: readonly DocumentBlock[]): Document => ({ ...buildInvoice('en', 0), blocks, foot: [] })

const table = (rows: readonly (readonly string[])[], columns = 2): DocumentBlock => ({
  type: 'table',
  columns: Array.from({ length: columns }, (_, index) => ({ title: `Column ${index}`, width: 1 })),
  rows,
  totals: [],
})

test('a document with too many rows, columns, characters or pages is refused, and the printer goes on', async () => {
  const row = ['a', 'b']
  const { rows, columns, characters } = documentLimits
  const refused: readonly Document[] = [
    small([table(Array(rows + 1).fill(row))]),
    small([table(Array(rows).fill(row)), { type: 'pairs', pairs: [{ label: 'a', value: 'b' }] }]),
    small([table([], columns + 1)]),
    small([{ type: 'text', text: 'a'.repeat(characters + 1) }]),
    small([{ type: 'text', text: '\n'.repeat(characters) }]),
    { ...small([]), foot: ['a'.repeat(documentLimits.footCharacters + 1)] },
    { ...small([]), foot: Array(documentLimits.footLines + 1).fill('') },
  ]
  for (const document of refused) {
    names += 1
    await assert.rejects(
      printer.print(`refused ${names}`, async () => document),
      (error: unknown) => error instanceof Refusal && error.problem.code === 'document_too_large',
    )
  }
  assert.ok((await printPdf(small([]))).length > 0, 'a document without blocks is an empty page')
})

test('the largest list and the longest text are printed whole', async () => {
  const rows = Array.from({ length: documentLimits.rows - 1 }, (_, index) => [
    `Row ${index}`,
    `ada${index}@bread.example`,
  ])
  const listed = (await readPdf(await printPdf(small([table(rows)])))).flatMap(wordsOn)
  assert.deepEqual(
    listed.filter(text => /^Row /.test(text)),
    rows.map(([name]) => name),
  )
  const text = 'Bread is flour, water, salt and time. '.repeat(3000).slice(0, documentLimits.characters)
  const pages = (await readPdf(await printPdf(small([{ type: 'text', text }])))).map(page =>
    wordsOn(page).slice(0, -1).join(' '),
  )
  assert.equal(pages.join(' ').replace(/\s+/g, ' '), text.trim())
})

test('a row that is higher than a page continues on the next ones, line by line below a repeated header', async () => {
  const long = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n')
  const pages = await readPdf(
    await printPdf(
      small([
        table([
          ['before', 'x'],
          [long, 'y'],
          ['after', 'z'],
        ]),
      ]),
    ),
  )
  assert.equal(pages.length, 3)
  const words = pages.map(wordsOn)
  for (const page of words) assert.equal(page.filter(text => text === 'Column 0').length, 1)
  assert.deepEqual(
    words.flat().filter(text => /^(?:line|before|after)/.test(text)),
    ['before', ...long.split('\n'), 'after'],
  )
})
