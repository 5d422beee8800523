import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNetworkRate } from './rate.ts'

const rate = { requests: 3, seconds: 60 }
const allowed = (count: (network: string) => { allowed: boolean }, networks: readonly string[]): boolean[] =>
  networks.map(network => count(network).allowed)

test('D-13 a request over the limit is refused until the window ends', () => {
  let at = 0
  const count = createNetworkRate(rate, () => at)
  assert.deepEqual(allowed(count, ['203.0.113.1', '203.0.113.1', '203.0.113.1']), [true, true, true])
  const refused = count('203.0.113.1')
  assert.deepEqual([refused.allowed, refused.wait], [false, 60])
  assert.equal(refused.headers.ratelimit, '"network";r=0;t=60')
  assert.equal(count('203.0.113.2').allowed, true)
  at = 59_999
  assert.equal(count('203.0.113.1').allowed, false)
  at = 60_000
  assert.equal(count('203.0.113.1').allowed, true)
})

test('D-13 IPv6 networks share a limit per /48 and per /32, for which refused requests do not count', () => {
  const count = createNetworkRate(rate, () => 0)
  const flood = Array.from({ length: 100 }, () => '2001:db8:1:1::/64')
  assert.equal(allowed(count, flood).filter(Boolean).length, 3)
  const customer = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index + 2}::/64`)
  assert.equal(allowed(count, customer).filter(Boolean).length, 9, 'twelve of the /48')
  const provider = Array.from({ length: 60 }, (_, index) => `2001:db8:${(index + 2).toString(16)}:1::/64`)
  assert.equal(allowed(count, provider).filter(Boolean).length, 36, '48 of the /32, of which 12 were used')
  assert.equal(count('2001:db9:1:1::/64').allowed, true, 'another provider')
})
