import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyWords } from './search-words.ts'

test('a body has its parts folded, each once, without addresses of links, up to a number and a length', () => {
  assert.equal(
    bodyWords('# Zoë’s *bread* & [Bread](https://evil.example/path?q=1 "Title") bread'),
    `# zoe's *bread* & [bread] "title") bread`,
  )
  assert.equal(bodyWords('Brot\u00adteig Brotteig BROTTEIG'), 'brotteig')
  assert.equal(bodyWords(''), '')
  assert.equal(bodyWords(Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' ')).split(' ').length, 2000)
  assert.equal(bodyWords('面'.repeat(100_000)).length, 60_000)
})
