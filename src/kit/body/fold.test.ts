import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitFold } from './fold.ts'
import { textOfHtml } from './plain.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

test('a text is divided at the first line that marks the fold, and at nothing else', () => {
  for (const [text, before, whole] of [
    ['a\n<!--more-->\nb', 'a\n', 'a\n\n\nb'],
    ['a\r\n  <!-- more -->\t\r\nb', 'a\r\n', 'a\r\n\n\nb'],
    ['<!--more-->b', undefined, '<!--more-->b'],
    ['a <!--more-->\nb', undefined, 'a <!--more-->\nb'],
    ['<!--more-->', '', '\n'],
    ['a', undefined, 'a'],
    ['a\n<!--more-->\nb\n<!--more-->\nc', 'a\n', 'a\n\n\nb\n<!--more-->\nc'],
  ] as const)
    assert.deepEqual(splitFold(text), { before, whole }, text)
})

test('what is before the fold never depends on what is behind it', () => {
  const part = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '<!--', 'more', '-->', '[x]: /') })
  fc.assert(
    fc.property(part, part, part, (before, one, other) => {
      const [first, second] = [one, other].map(rest => splitFold(`${before}\n<!--more-->\n${rest}`))
      assert.ok(first?.before !== undefined && first.before === second?.before)
    }),
    { seed },
  )
})

test('the text of HTML has its words, and entities once', () => {
  assert.equal(textOfHtml('<p>Salt &amp; <b>rye</b> &amp;lt;</p>').trim().replace(/\s+/g, ' '), 'Salt & rye &lt;')
})
