import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '#src/kit/crypto.ts'
import { isToken, newRefreshToken, readRefreshToken } from '#src/kit/token.ts'
import { computeRotation, newSalt } from './rotation.ts'

test('the same token under the same salt gives the same answer, so that a lost one can be given again', () => {
  const [token, salt] = [newRefreshToken(systemRandom), newSalt(systemRandom)]
  assert.deepEqual(computeRotation(token, salt), computeRotation(token, salt))
})

test('neither the token nor the salt alone is enough to compute the next token', () => {
  const token = newRefreshToken(systemRandom)
  const salt = newSalt(systemRandom)
  assert.equal(salt.length, 32)
  const first = computeRotation(token, salt)
  const others = [
    computeRotation(token, newSalt(systemRandom)),
    computeRotation({ ...token, secret: newRefreshToken(systemRandom).secret }, salt),
  ]
  for (const other of others) {
    assert.notEqual(other.refreshToken, first.refreshToken)
    assert.notEqual(other.accessToken, first.accessToken)
  }
})

test('the successor keeps the handle, and discloses nothing of the access token that is issued with it', () => {
  const token = newRefreshToken(systemRandom)
  const { secret, refreshToken, accessToken } = computeRotation(token, newSalt(systemRandom))
  assert.deepEqual(readRefreshToken(refreshToken), { handle: token.handle, secret })
  assert.ok(isToken('stoa_at_', accessToken))
  assert.ok(!accessToken.includes(secret))
  assert.notEqual(secret, token.secret)
})

test('C-13 ten thousand rotations of one refresh token: every secret and access token is new, and the salts decide each bit', () => {
  let token = newRefreshToken(systemRandom)
  const [secrets, accesses] = [new Set<string>(), new Set<string>()]
  for (let n = 0; n < 10_000; n++) {
    const next = computeRotation(token, newSalt(systemRandom))
    assert.ok(isToken('stoa_at_', next.accessToken))
    assert.match(next.secret, /^[0-9A-Za-z]{43}$/)
    secrets.add(next.secret)
    accesses.add(next.accessToken.slice('stoa_at_'.length, -6))
    token = { handle: token.handle, secret: next.secret }
  }
  assert.deepEqual([secrets.size, accesses.size], [10_000, 10_000])
  assert.equal(new Set([...secrets, ...accesses]).size, 20_000)
  // 256 bits do not fill the first two characters evenly.
  for (const values of [secrets, accesses])
    for (let at = 2; at < 43; at++) {
      const counts = new Map<string, number>()
      for (const text of values) counts.set(text[at] ?? '', (counts.get(text[at] ?? '') ?? 0) + 1)
      assert.equal(counts.size, 62)
      // 161 each; eight standard deviations.
      for (const count of counts.values()) assert.ok(Math.abs(count - 161) < 102, `${count} of 10,000 at ${at}`)
    }
})
