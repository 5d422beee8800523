import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bodyWords, searchedWords } from './search-words.ts'

const listOf = (words: string): string[] => words.split(' ').filter(word => word !== '')

test('a body has its words folded, each once, without markup and addresses; scripts without spaces by every beginning', () => {
  const cases: readonly (readonly [text: string, words: string])[] = [
    ['# Zoë’s *bread* & [Bread](https://evil.example/path?q=1 "Title")', 'zoe s bread title'],
    ['Ξένια straße 12.5 %', 'ξενια strasse 12 5'],
    ['面包，酵头PDF', '面包 包 pdf 酵头 头'],
    ['', ''],
    ['… — !', ''],
  ]
  for (const [text, words] of cases) assert.deepEqual(listOf(bodyWords(text)).sort(), listOf(words).sort(), text)
  assert.equal(listOf(bodyWords(Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' '))).length, 2000)
  assert.equal(listOf(searchedWords('a b c d e f g h i j k l')).length, 10)
})

test('every word of a text, and every part of a text without spaces, is found by what is searched', () => {
  const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_122)
  const word = fc.oneof(
    fc.stringMatching(/^[a-zà-ÿ]{3,10}$/),
    fc
      .array(fc.constantFrom(...'面包学校酵头时间水盐'), { minLength: 1, maxLength: 12 })
      .map(letters => letters.join('')),
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), fc.nat(), fc.nat(), (texts, at, cut) => {
      const body = listOf(bodyWords(texts.join(' ')))
      const text = texts[at % texts.length] ?? ''
      const searched = /\p{sc=Han}/u.test(text) ? text.slice(cut % text.length) : text.slice(0, 3 + (cut % 5))
      for (const one of listOf(searchedWords(searched)))
        assert.ok(
          body.some(indexed => indexed.startsWith(one)),
          `${one} of ${searched}`,
        )
    }),
    { seed },
  )
})
