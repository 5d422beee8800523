import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ibanError, showIban, writeIban } from './iban.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const EXAMPLES = ['DE89 3704 0044 0532 0130 00', 'PT50 0002 0123 1234 5678 9015 4', 'gb82 west 1234 5698 7654 32']

test('IBANs of the registry are valid, with and without spaces, and are shown in groups of four', () => {
  for (const text of EXAMPLES) {
    assert.equal(ibanError(text), undefined, text)
    assert.equal(showIban(writeIban(text)), text.toUpperCase())
  }
})

test('an IBAN with one wrong or two exchanged characters is not valid', () => {
  const iban = writeIban(EXAMPLES[1] ?? '')
  fc.assert(
    fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 0, max: 9 }), (at, digit) => {
      const wrong = `${iban.slice(0, at)}${digit}${iban.slice(at + 1)}`
      assert.equal(ibanError(wrong) === undefined, wrong === iban, wrong)
      const [one = '', other = ''] = iban.slice(at - 1, at + 1)
      const exchanged = `${iban.slice(0, at - 1)}${other}${one}${iban.slice(at + 1)}`
      if (at > 4 && one !== other) assert.notEqual(ibanError(exchanged), undefined, exchanged)
    }),
    { seed },
  )
})

test('other texts are not IBANs', () => {
  for (const text of ['', 'DE89', 'DE89370400440532013000370400440532013', '89DE370400440532013000', 'DE89-3704'])
    assert.notEqual(ibanError(text), undefined, text)
})
