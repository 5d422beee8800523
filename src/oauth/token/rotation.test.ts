import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '#src/kit/crypto.ts'
import { isToken, newRefreshToken, readRefreshToken } from '#src/kit/token.ts'
import { newSalt, rotationOf } from './rotation.ts'

const client = { auth_method: 'none' } as const

test('the same token under the same salt gives the same answer, so that a lost one can be given again', () => {
  const [token, salt] = [newRefreshToken(systemRandom), newSalt(systemRandom)]
  assert.deepEqual(rotationOf(client, token, salt), rotationOf(client, token, salt))
})

test('without the salt nobody computes what follows a token, and without the token nobody what follows from a salt', () => {
  const token = newRefreshToken(systemRandom)
  const salt = newSalt(systemRandom)
  assert.equal(salt.length, 32)
  const first = rotationOf(client, token, salt)
  const others = [
    rotationOf(client, token, newSalt(systemRandom)),
    rotationOf(client, { ...token, secret: newRefreshToken(systemRandom).secret }, salt),
  ]
  for (const other of others) {
    assert.notEqual(other.refreshToken, first.refreshToken)
    assert.notEqual(other.accessToken, first.accessToken)
  }
})

test('the successor keeps the handle, and tells nothing of the access token that comes with it', () => {
  const token = newRefreshToken(systemRandom)
  const { secret, refreshToken, accessToken } = rotationOf(client, token, newSalt(systemRandom))
  assert.deepEqual(readRefreshToken(refreshToken), { handle: token.handle, secret })
  assert.ok(isToken('stoa_at_', accessToken))
  assert.ok(!accessToken.includes(secret))
  assert.notEqual(secret, token.secret)
})
