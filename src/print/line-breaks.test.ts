import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitPieces } from './line-breaks.ts'

const pieces = (text: string, locale = 'en') => splitPieces(text, locale, 1, () => 1)

test('UAX #14 a line ends between words, not before a comma, after a bracket, in an amount or at a no-break space', () => {
  const cases: readonly (readonly [text: string, pieces: readonly string[], locale?: string])[] = [
    ['Bread, butter (and salt).', ['Bread,', ' ', 'butter', ' ', '(and', ' ', 'salt).']],
    ['1\u202f234,00\u00a0€ net', ['1\u202f234,00\u00a0€', ' ', 'net']],
    ['€1,234.00/month -5 %', ['€1,234.00/month', ' ', '-5', ' ', '%']],
    ['self-published', ['self-', 'published']],
    ['2027-000014', ['2027-000014']],
    ['ada@bread.example', ['ada@bread.example']],
    ['面包，学校。', ['面包，', '学校。'], 'zh'],
    ['（面包）学校', ['（面包）', '学校'], 'zh'],
    ['ขนมปังอร่อย', ['ขนมปัง', 'อร่อย'], 'th'],
    ['빵 학교', ['빵', ' ', '학교'], 'ko'],
  ]
  for (const [text, expected, locale] of cases) assert.deepEqual(pieces(text, locale), expected, text)
})

test('a word that is wider than a line is divided into characters as a reader sees them', () => {
  assert.deepEqual(
    splitPieces('Zoe\u0308 ab', 'en', 2, piece => piece.length),
    ['Z', 'o', 'e\u0308', ' ', 'ab'],
  )
})
