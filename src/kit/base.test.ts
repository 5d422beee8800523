import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { base32, base32OfUuid, base62, fromBase32 } from './base.ts'
import { fromId, newUuid, toId } from './ids.ts'

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

// The same by arithmetic on one number.
const toDigits = (bytes: Uint8Array, length: number): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; text.length < length; rest /= 32n) text = `${DIGITS[Number(rest % 32n)]}${text}`
  return text
}

test('base32 has the last digits of the number that the bytes are', () => {
  const bytes = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(bytes, fc.integer({ min: 0, max: 70 }), (value, length) => {
      assert.equal(base32(value, length), toDigits(value, length))
    }),
  )
})

test('what base32 writes is read again, and nothing else is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), value => {
      assert.deepEqual(fromBase32(base32(value, 26), 16), Buffer.from(value))
    }),
  )
  const most = 'z'.repeat(25)
  assert.equal(fromBase32(`7${most}`, 16)?.toString('hex'), 'f'.repeat(32))
  for (const text of [`8${most}`, `z${most}`, most, `0${most}z`, `7${most.slice(1)}u`, `7${most.slice(1)}Z`, ''])
    assert.equal(fromBase32(text, 16), undefined, text)
})

test('base32OfUuid writes the same as base32 of the bytes of a UUID', () => {
  fc.assert(
    fc.property(fc.uuid(), uuid => {
      assert.equal(base32OfUuid(uuid), base32(Buffer.from(uuid.replaceAll('-', ''), 'hex'), 26))
    }),
  )
})

test('ids are read as the rows that they name', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), at => {
      const uuid = newUuid(at)
      assert.equal(fromId('mem', toId('mem', uuid)), uuid)
    }),
  )
})

test('base62 is padded to its length', () => {
  assert.equal(base62(Uint8Array.of(), 3), '000')
  assert.equal(base62(Uint8Array.of(61), 3), '00z')
  assert.equal(base62(Uint8Array.of(62), 3), '010')
})
