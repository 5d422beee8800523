import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfLinks, linksIn, listFaults, listSentences, repeatsIn, unusedKeys } from './check-texts.ts'

const english = '{n, plural, one {{n} code} other {{n} codes}}'

test('the catalogues are complete, and every text of theirs is used', async () => {
  const { checkTexts } = await import('./check-texts.ts')
  assert.deepEqual(checkTexts(process.cwd()), [])
})

test('sentences have the names that the English one fills in, and no other', () => {
  assert.deepEqual(listFaults('{n} códigos', '{n} codes', 'pt-PT'), [])
  assert.deepEqual(listFaults('{m} códigos', '{n} codes', 'pt-PT'), ['it fills in m, and English n'])
  assert.deepEqual(listFaults('códigos', '{n} codes', 'pt-PT'), ['it fills in nothing, and English n'])
  assert.match(listFaults('{n códigos', '{n} codes', 'pt-PT').join(), /no message of ICU/)
  assert.deepEqual(listFaults("'{n}' códigos {n}", '{n} codes', 'pt-PT'), ['a quote before a brace is not for names'])
})

test('plurals are those of the language', () => {
  assert.deepEqual(listFaults('{n, plural, one {{n} código} other {{n} códigos}}', english, 'pt-PT'), [])
  assert.deepEqual(listFaults('{n, plural, other {{n} códigos}}', english, 'pt-PT'), ['the plural one is missing'])
  assert.deepEqual(listFaults('{n, plural, one {{n}} few {{n}} other {{n}}}', english, 'pt-PT'), [
    'pt-PT has no plural few',
  ])
  assert.deepEqual(listFaults(english, english, 'pl'), ['the plural many is missing', 'the plural few is missing'])
})

test('a text is used by its whole name, or through a name for its part', () => {
  const keys = listSentences({ a: { one: '1', two: '2', deep: { x: 'x', y: 'y' } }, b: { one: '1' } }).map(
    ([key]) => key,
  )
  const unused = (text: string) => unusedKeys(keys, [{ path: 'src/a.ts', text }])
  assert.deepEqual(unused('f(texts.a.one, texts.b)'), ['a.two', 'a.deep.x', 'a.deep.y'])
  assert.deepEqual(unused('const text = texts.a\nf(text.two, text.deep[name])'), ['a.one', 'b.one'])
  assert.deepEqual(unused('const text = texts.a\nf({ text: 1 }, my.text, "text")'), keys)
  assert.deepEqual(unused('const text = texts.a\nf({ ...text })'), ['b.one'])
  assert.deepEqual(unused('const text = texts.a\nf(text.one.en.length, texts.b.one)'), [
    'a.two',
    'a.deep.x',
    'a.deep.y',
  ])
})

test('a name that is exported is used in other files', () => {
  const declared = { path: 'src/text.ts', text: 'export const aText = texts.a\n' }
  const user = { path: 'src/page.ts', text: "import { aText } from './text.ts'\nf(aText.one)\n" }
  assert.deepEqual(unusedKeys(['a.one', 'a.two'], [declared, user]), ['a.two'])
})

test('a text that is used by a link that is used is used, and a link that nothing uses is not', () => {
  const links = linksIn(listSentences({ a: { one: '@:words.one', two: '@:words.two' }, words: { one: '1', two: '2' } }))
  const unused = unusedKeys(
    ['a.one', 'a.two', 'words.one', 'words.two'],
    [{ path: 'src/a.ts', text: 'f(texts.a.one)' }],
    links,
  )
  assert.deepEqual(unused, ['a.two', 'words.two'])
})

test('a link leads to a sentence: not to nothing, to a part or to another link', () => {
  const english = listSentences({
    a: { one: '@:words.one', two: '@:a.one', three: '@:words', four: '@:b' },
    words: { one: '1' },
  })
  const links = linksIn(english)
  assert.deepEqual(faultsOfLinks(links, new Map(english.filter(([key]) => !links.has(key)))), [
    'a.two links to no sentence: a.one',
    'a.three links to no sentence: words',
    'a.four links to no sentence: b',
  ])
})

test('a sentence is said once, unless a language says it in two ways', () => {
  const english = new Map([
    ['a', 'Remove'],
    ['b', 'Remove'],
    ['c', 'Remove'],
    ['d', 'Send'],
  ])
  const portuguese = new Map([
    ['a', 'Remover'],
    ['b', 'Retirar'],
    ['c', 'Remover'],
    ['d', 'Enviar'],
  ])
  assert.deepEqual(repeatsIn(english, [portuguese]), ['c repeats a'])
  assert.deepEqual(repeatsIn(english, []), ['b repeats a', 'c repeats a'])
  assert.deepEqual(repeatsIn(english, [portuguese, new Map([...portuguese, ['c', 'Quitar']])]), [])
})
