import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePairs, writePairs } from './form.ts'

test('pairs are read in their order, with plus as a space and escapes as UTF-8', () => {
  assert.deepEqual(parsePairs('a=1&b=&c&&a=x=y&=z'), [
    ['a', '1'],
    ['b', ''],
    ['c', ''],
    ['a', 'x=y'],
    ['', 'z'],
  ])
  assert.deepEqual(parsePairs('q=a+b%20c%2B%C3%A9%e2%82%ac+d'), [['q', 'a b c+é€ d']])
  assert.deepEqual(parsePairs('n%61me=%26%3D'), [['name', '&=']])
  assert.deepEqual(parsePairs(''), [])
})

test('unescaped characters beyond ASCII are accepted unchanged', () => {
  assert.deepEqual(parsePairs('q=Zoë+Ünal%21+日本'), [['q', 'Zoë Ünal! 日本']])
  assert.deepEqual(parsePairs('q=\ud800+a'), [['q', '\ufffd a']])
})

test('an escape that is malformed, is no UTF-8 or is a NUL is refused', () => {
  for (const text of ['a=%', 'a=%4', 'a=%zz', 'a=+%4g', 'a=%41%'])
    assert.throws(() => parsePairs(text), { name: 'RangeError' }, text)
  for (const text of ['a=%ff', 'a=%C3', 'a=%ED%A0%80', 'a=%F8%88%80%80%80'])
    assert.throws(() => parsePairs(text), { name: 'TypeError' }, text)
  for (const text of ['a=%00', 'a=b%00c', '%00=a', 'a=\u0000']) assert.throws(() => parsePairs(text), /NUL/, text)
})

test('a byte order mark is part of the text', () => {
  assert.deepEqual(parsePairs('q=%EF%BB%BFa'), [['q', '\ufeffa']])
})

test('what is written is read back', () => {
  const pairs = [
    ['a b', 'c+d&e=f%'],
    ['é', '"\'<>'],
  ] as const
  assert.equal(writePairs([['a b', 'c+d']]), 'a+b=c%2Bd')
  assert.deepEqual(parsePairs(writePairs(pairs)), pairs)
})
