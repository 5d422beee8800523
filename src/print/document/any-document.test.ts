import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Document, DocumentBlock } from '#src/contract/print.ts'
import { type ReadText, readPdf } from '#testing/pdf.ts'
import { createPrinter } from '../index.ts'
import { layOut, PAGE } from './layout.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_122)

// Long enough that no busy machine decides what is printed.
const printer = createPrinter({ waiting: 16, waitMs: 120_000, printMs: 120_000, cacheBytes: 1_000_000 })
after(() => printer.stop())

const [LEFT, RIGHT] = [PAGE.left, PAGE.width - PAGE.right]

const wordsOn = (page: readonly ReadText[]): string[] => page.map(({ text }) => text).filter(text => text.trim() !== '')

// Words of each script; a number follows each, so that every word of a document is another one.
const WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ['bread', 'Crust,', '(rye)', 'Zoë', '€'],
  el: ['ψωμί', 'Ξένια'],
  ru: ['хлеб', 'Анна'],
  ar: ['خبز', 'عمر', '(محمد)', 'PDF'],
  he: ['לחם', 'דוד', '(12%)', 'PDF'],
  th: ['ขนมปัง', 'สมชาย'],
  'zh-CN': ['面包', '王小明', '，（酵头）'],
  ja: ['パン', '高橋さくら'],
  ko: ['빵', '김민준'],
  hi: ['रोटी', 'मीरा'],
}

/** A document of numbered words, and how many words it has. */
const documents = fc
  .record({
    locale: fc.constantFrom(...Object.keys(WORDS)),
    rows: fc.integer({ min: 0, max: 70 }),
    columns: fc.integer({ min: 1, max: 4 }),
    lengths: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 10, maxLength: 10 }),
    blocks: fc.array(fc.constantFrom('heading', 'text', 'pairs', 'table', 'beside'), { minLength: 1, maxLength: 6 }),
  })
  .map(({ locale, rows, columns, lengths, blocks }) => {
    const words = WORDS[locale] ?? []
    let count = 0
    let texts = 0
    const text = (): string => {
      texts += 1
      return Array.from({ length: lengths[texts % lengths.length] ?? 1 }, () => {
        count += 1
        return `${words[count % words.length]}${10_000 + count}`
      }).join(' ')
    }
    const pairs = () => Array.from({ length: 3 }, () => ({ label: text(), value: text() }))
    const block = (type: string): DocumentBlock => {
      if (type === 'heading') return { type, text: text(), level: 1 }
      if (type === 'pairs') return { type, pairs: pairs() }
      if (type === 'beside')
        return { type, start: [{ type: 'text', text: text() }], end: [{ type: 'pairs', pairs: pairs() }] }
      if (type === 'text') return { type, text: `${text()}\n${text()}` }
      return {
        type: 'table',
        columns: Array.from({ length: columns }, (_, index) => ({
          title: 'T',
          width: 1,
          ...(index > 0 ? { align: 'end' } : {}),
        })),
        rows: Array.from({ length: rows }, () => Array.from({ length: columns }, text)),
        totals: [{ label: text(), value: text(), isBold: true }],
      }
    }
    const document: Document = {
      title: 'Words',
      locale,
      createdAt: new Date(0),
      accent: '#000000',
      blocks: blocks.map(block),
      foot: ['F'],
    }
    return { document, count }
  })

const numbersIn = (texts: readonly string[]): number[] =>
  texts.flatMap(text => [...text.matchAll(/1\d{4}/g)].map(([number]) => Number(number)))

const expected = (count: number): number[] => Array.from({ length: count }, (_, index) => 10_001 + index)

test('whatever a document has: each word once, rows in order, nothing outside the margins or over other text', () => {
  fc.assert(
    fc.property(documents, ({ document, count }) => {
      const pages = layOut(document) ?? []
      const texts = pages.flatMap(({ lines }) => lines.map(({ line }) => line.text))
      assert.deepEqual(
        numbersIn(texts).sort((a, b) => a - b),
        expected(count),
      )
      for (const [index, { lines }] of pages.entries()) {
        const bottom = PAGE.height - PAGE.bottom
        for (const { x, width, baseline, size } of lines) {
          assert.ok(x >= LEFT - 0.5 && x + width <= RIGHT + 0.5, `${x} to ${x + width} on page ${index + 1}`)
          assert.ok(baseline - size >= PAGE.top - 0.5 && baseline <= bottom + 0.5, `${baseline} on page ${index + 1}`)
        }
        for (const one of lines)
          for (const other of lines) {
            if (one === other || Math.abs(one.baseline - other.baseline) >= Math.min(one.size, other.size)) continue
            const isApart = one.x + one.width <= other.x + 0.5 || other.x + other.width <= one.x + 0.5
            assert.ok(isApart, `${one.line.text} over ${other.line.text}`)
          }
      }
      // The first words of rows and paragraphs follow each other from top to bottom.
      for (const block of document.blocks) {
        if (block.type !== 'table') continue
        const firsts = block.rows.map(([cell = '']) => numbersIn([cell])[0] ?? 0)
        const found = texts.flatMap(text => numbersIn([text])).filter(number => firsts.includes(number))
        assert.deepEqual(found, firsts)
      }
    }),
    { seed, numRuns: 40 },
  )
})

let names = 0

test('read from the PDF, each word is there once, within the margins, and each page says its number', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async ({ document, count }) => {
      names += 1
      const printed = await printer.print(`document ${names}`, async () => document)
      assert.ok('pdf' in printed, JSON.stringify(printed))
      const pages = await readPdf(printed.pdf)
      assert.deepEqual(
        numbersIn(pages.flatMap(page => page.map(({ text }) => text))).sort((a, b) => a - b),
        expected(count),
      )
      for (const page of pages)
        for (const { text, x, width, y } of page) {
          if (text.trim() === '') continue
          // pdf.js adds the way back from the dots of Arabic letters to the width of a text.
          const most = /\p{sc=Arab}/u.test(text) ? RIGHT + 20 : RIGHT + 1
          assert.ok(x >= LEFT - 1 && x + width <= most && y >= PAGE.top && y <= PAGE.height - PAGE.bottom, text)
        }
      const numbers = pages.map(page => wordsOn(page).at(-1) ?? '')
      if (document.locale === 'en')
        assert.deepEqual(
          numbers,
          pages.map((_, index) => `Page ${index + 1} of ${pages.length}`),
        )
    }),
    { seed, numRuns: 8 },
  )
})
