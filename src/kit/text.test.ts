import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { cleanLine, cleanText, isEmail, isLine, isText, isVisible } from './text.ts'

const joined = [
  ['Persian, with U+200C', 'می\u200cخواهم'],
  ['Malayalam, with U+200D behind a virama', 'ന്\u200d'],
  ['a family', '👩\u200d👩\u200d👧'],
  ['a skin colour before a joiner', '👨🏽\u200d🚀'],
  ['a flag with a variation selector', '🏳\ufe0f\u200d🌈'],
  ['a heart with a variation selector', '❤\ufe0f'],
  ['the flag of Scotland, of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
] as const

suite('one line of text', () => {
  for (const [what, text] of joined)
    test(`keeps ${what}`, () => {
      assert.equal(isLine(text), true)
      assert.equal(cleanLine(text, 64), text.normalize('NFC'))
      assert.equal(cleanLine(`${text} Café`, 64), `${text} Café`.normalize('NFC'))
    })

  const controls = ['\u0000', '\u0007', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029']
  const noncharacters = ['\ufdd0', '\ufdef', '\ufffe', '\uffff', '\u{1fffe}', '\u{10ffff}']
  const bidi = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']
  for (const one of [...controls, ...noncharacters, ...bidi])
    test(`refuses U+${one.codePointAt(0)?.toString(16).padStart(4, '0')}, and cleans it away`, () => {
      assert.equal(isLine(`Gus${one}Moore`), false)
      assert.equal(cleanLine(`Gus${one}Moore`, 64), 'Gus Moore')
    })

  const unseen = [
    ...' \u00a0\u1680\u2000\u200a\u202f\u205f\u3000\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180e\u3164\uffa0\u115f\u1160',
    ...'\u2800\u17b4\ufe0f\ufff9\u{e0020}\u{e0041}\u{e007f}\u{e0100}\u{1d159}\u{1d173}',
  ]
  for (const one of unseen)
    test(`refuses nothing but U+${one.codePointAt(0)?.toString(16).padStart(4, '0')}`, () => {
      assert.equal(isVisible(one.repeat(3)), false)
      assert.equal(isLine(one), false)
      assert.equal(isLine(` ${one} `), false)
      assert.equal(cleanLine(`${one} ${one}`, 64), '')
      assert.equal(isLine(`a${one}b`), true, 'beside what is seen it does no harm')
    })

  test('is cleaned of joiners and tags that shape nothing', () => {
    assert.equal(cleanLine('Goo\u200dgle\u200c', 64), 'Google')
    assert.equal(cleanLine('Loaf\u{e0069}\u{e0067}\u{e006e} \u00adTracker\ufeff', 64), 'Loaf Tracker')
    assert.equal(cleanLine('\u200dLoaf \ufe0f', 64), 'Loaf')
  })

  test('is cut by characters, and does not end in a space', () => {
    assert.equal(cleanLine('👩 b', 2), '👩')
    assert.equal(cleanLine(`${'\u3164'.repeat(70)}Loaf`, 4), 'Loaf')
  })

  test('may be empty, where its length allows that', () => assert.equal(isLine(''), true))
})

test('text of several lines has tabs and line ends, no other control characters and no noncharacters', () => {
  assert.equal(isText('a\tb\r\nc\u2028d\u202e'), true)
  for (const one of [...'\u0000\u0008\u000b\u001b\u007f\u0085\u009f\ufdd0\ufffe\uffff\u{1fffe}\u{10ffff}']) {
    assert.equal(isText(`a${one}b`), false)
    assert.equal(cleanText(`a${one}b`), 'a b')
  }
})

test('a text for a document keeps all else, and a lone surrogate becomes U+FFFD', () => {
  for (const text of ['a\tb\r\nc', '\u2028\u202e\ufdcf\ufdf0\ufffd', '😀\u{1fffd}\u{10fffd}', ''])
    assert.equal(cleanText(text), text)
  assert.equal(cleanText('a\ud800b\udc00'), 'a\ufffdb\ufffd')
})

test('an address has nothing invisible', () => {
  for (const one of ['\u200b', '\u202e', '\u00ad', '\u3164', '\u2800', '\u00a0'])
    assert.equal(isEmail(`ada${one}@crumb.example`), false)
  assert.equal(isEmail('ada@crumb.example'), true)
})
