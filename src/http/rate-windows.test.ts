import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNetworkRate, createRate } from './rate.ts'

test('the headers contain the policy, the requests left and the seconds until the window ends', () => {
  let at = 0
  const count = createRate('grant', { requests: 2, seconds: 60 }, () => at)
  const buildHeaders = (factor?: number) => Object.values(count('dev', factor).headers)
  assert.deepEqual(buildHeaders(), ['"grant";q=2;w=60', '"grant";r=1;t=60'])
  at = 1
  assert.deepEqual(buildHeaders(), ['"grant";q=2;w=60', '"grant";r=0;t=60'])
  at = 59_001
  assert.deepEqual(buildHeaders(), ['"grant";q=2;w=60', '"grant";r=0;t=1'])
  at = 59_999.5
  assert.deepEqual(buildHeaders(3), ['"grant";q=6;w=60', '"grant";r=2;t=1'])
  at = 60_000
  assert.deepEqual([count('dev').allowed, count('eli').allowed], [true, true])
  assert.deepEqual(buildHeaders(), ['"grant";q=2;w=60', '"grant";r=0;t=60'])
})

test('a rate uses the clock of the process by default', () => {
  const count = createRate('grant', { requests: 1, seconds: 3600 })
  assert.deepEqual([count('dev').allowed, count('dev').allowed, count('eli').allowed], [true, false, true])
})

test('a refusal has the policy of the wider network that refuses, and an allowed request that of the narrowest one', () => {
  const count = createNetworkRate({ requests: 1, seconds: 60 }, () => 0)
  const [own, ...others] = [1, 2, 3, 4, 5].map(net => count(`2001:db8:1:${net}::/64`))
  assert.equal(own?.headers.ratelimit, '"network";r=0;t=60')
  assert.deepEqual(
    others.map(({ allowed }) => allowed),
    [true, true, true, false],
  )
  assert.equal(others.at(-1)?.headers['ratelimit-policy'], '"network";q=4;w=60')
})

test('with very many windows, those that have ended are deleted and open ones are kept', () => {
  let at = 0
  const count = createRate('grant', { requests: 1, seconds: 60 }, () => at)
  for (let key = 0; key <= 100_000; key++) count(`early ${key}`)
  at = 30_000
  count('late')
  at = 60_000
  assert.equal(count('early 0').allowed, true)
  assert.equal(count('late').allowed, false)
  assert.equal(count('early 1').allowed, true)
})
