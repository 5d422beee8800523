import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeFormulas, unescapeFormulas } from './formulas.ts'

test('what was escaped is what it was, for any text without an apostrophe after a separator', () => {
  const part = fc.constantFrom('=', '+', '-', '@', '\uff1d', ',', ';', '|', '"', ' ', '\t', '\n', '1', 'a', 'é', '.')
  fc.assert(
    fc.property(fc.array(part), parts => {
      const text = parts.join('')
      assert.equal(unescapeFormulas(escapeFormulas(text)), text)
    }),
    { numRuns: 2000 },
  )
})

test('apostrophes of others stay', () => {
  for (const text of ["'tis", "O'Neill", "rock 'n' roll", "'", "Ann 'the boss' Lee, 'Bo'"])
    assert.equal(unescapeFormulas(text), text)
  assert.equal(unescapeFormulas("'+49 170 1234567"), '+49 170 1234567')
  assert.equal(unescapeFormulas("baking, '-bread"), 'baking, -bread')
})
