import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#src/contract/problem.ts'
import { checkPassword, hashPassword } from './passwords.ts'

test('few hashes run at once, and beyond a short queue a sign-in is asked to retry', async () => {
  const results = await Promise.allSettled(Array.from({ length: 80 }, () => checkPassword('bread', undefined)))
  const refused = results.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  assert.equal(refused.length, 14, 'two run, 64 wait')
  for (const reason of refused) {
    assert.ok(reason instanceof Refusal)
    assert.deepEqual([reason.problem.status, reason.extras.headers], [503, { 'retry-after': '2' }])
  }
  assert.deepEqual(await checkPassword('bread', undefined), { ok: false, stale: false })
})

test('E-11 a hash is argon2id of 19 MiB and two passes with a salt of its own, and only its password fits', async () => {
  const [one, other] = [await hashPassword('a starter needs patience'), await hashPassword('a starter needs patience')]
  for (const hash of [one, other]) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.notEqual(one.split('$')[4], other.split('$')[4])
  assert.deepEqual(await checkPassword('a starter needs patience', one), { ok: true, stale: false })
  assert.deepEqual(await checkPassword('a starter needs patiencE', one), { ok: false, stale: false })
})
