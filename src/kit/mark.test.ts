import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeInitials, markFile, renderMark, takeInitial } from './mark.ts'

test('a mark has the initials of the first two capitalised words, and one letter where two would join or are missing', () => {
  for (const [name, initials] of [
    ['Crumb & Crust', 'CC'],
    ['Escola de Pão', 'EP'],
    ['Bakery', 'B'],
    ['Bakery for beginners', 'B'],
    ['the bread school', 'TB'],
    ['E\u0301cole Noël', 'ÉN'],
    ['“Öland” brød', 'Ö'],
    ['42 Lisboa', '4L'],
    ['Школа Хлеба', 'ШХ'],
    ['酵母学校', '酵'],
    ['مدرسة الخبز', 'م'],
    ['कि ताब', 'कि'],
    ['ßeta', 'S'],
    ['🥖', '🥖'],
    ['🥖 Bakery', 'B'],
    ['', ''],
  ] as const)
    assert.equal(computeInitials(name), initials, name)
})

test('the initial of a text is one character in upper case', () => {
  for (const [text, initial] of [
    [' élan', 'É'],
    ['ﬁne', 'F'],
    ['👩🏽‍🍳 bakes', '👩🏽‍🍳'],
    ['', ''],
  ] as const)
    assert.equal(takeInitial(text), initial, text)
})

test('a mark escapes the name and is hidden from screen readers, as the name stands beside it', () => {
  assert.match(
    renderMark('<b>').html,
    /^<svg class="mark"[^>]* aria-hidden="true"[^>]*><rect[^>]*\/><text[^>]*>B<\/text><\/svg>$/,
  )
  assert.match(renderMark('<').html, /<text[^>]*>&lt;<\/text>/)
  assert.match(markFile('</title><script>'), /<title>&lt;\/title&gt;&lt;script&gt;<\/title>/)
})
