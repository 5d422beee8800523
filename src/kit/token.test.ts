import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { systemRandom } from './crypto.ts'
import { isToken, newRefreshToken, newToken, readRefreshToken, writeRefreshToken } from './token.ts'

const COUNT = 10_000

// Of each position of the secret, every digit must turn up: no version, no clock, no counter.
const assertRandom = (texts: readonly string[], from: number): void => {
  assert.equal(new Set(texts).size, texts.length)
  const length = texts[0]?.length ?? 0
  for (let at = from; at < length; at++) {
    const characters = new Set(texts.map(text => text[at]))
    assert.ok(characters.size > 3, `position ${at} has ${characters.size} digits`)
  }
  const first = new Set(texts.map(text => text.slice(from, from + 4)))
  assert.ok(first.size > COUNT * 0.9, `${first.size} beginnings`)
}

suite('C-13 ten thousand secrets', () => {
  for (const tag of ['stoa_ac_', 'stoa_at_', 'stoa_cs_'] as const)
    test(tag, () => {
      const texts = Array.from({ length: COUNT }, () => newToken(tag, systemRandom))
      for (const text of texts) assert.ok(isToken(tag, text) && new RegExp(`^${tag}[0-9A-Za-z]{49}$`).test(text))
      assertRandom(texts, tag.length)
    })

  test('stoa_rt_: handle and secret alike', () => {
    const parts = Array.from({ length: COUNT }, () => newRefreshToken(systemRandom))
    assertRandom(
      parts.map(({ handle }) => handle),
      0,
    )
    assertRandom(
      parts.map(({ secret }) => secret),
      0,
    )
    for (const part of parts) {
      const text = writeRefreshToken(part)
      assert.match(text, /^stoa_rt_[0-9A-Za-z]{71}$/)
      assert.deepEqual(readRefreshToken(text), part)
    }
  })
})

test('a refresh token with one character changed, added or removed is invalid', () => {
  const text = writeRefreshToken(newRefreshToken(systemRandom))
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === 'Z' ? 'Y' : 'Z'
    assert.equal(readRefreshToken(text.slice(0, at) + other + text.slice(at + 1)), undefined)
    assert.equal(readRefreshToken(text.slice(0, at) + text.slice(at + 1)), undefined)
    assert.equal(readRefreshToken(`${text.slice(0, at)}0${text.slice(at)}`), undefined)
  }
  assert.equal(readRefreshToken(newToken('stoa_at_', systemRandom)), undefined)
})
