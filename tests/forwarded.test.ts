import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'

const MOST = 1_000_000
const app = testApp({ trustProxy: '127.0.0.1, 10.0.0.0/8, fd00::/8' })

/** How many requests of the network's rate were counted, this one included, when a proxy forwards it so. */
const countedFor = async (...forwarded: string[]): Promise<number> => {
  const headers = { 'x-forwarded-for': forwarded }
  const { status, headers: replyHeaders } = await app.send({ path: '/api/v1/school', headers })
  assert.equal(status, 200)
  return MOST - Number(/"network";r=(\d+)/.exec(String(replyHeaders.ratelimit))?.[1])
}

suite('J-05 the address that a trusted proxy forwards', () => {
  // Each row is one network of its own, in the ways that proxies write an address of it.
  const rows: readonly (readonly [name: string, ...spellings: string[]])[] = [
    ['IPv4', '203.0.113.1', '203.0.113.1:5678', '203.0.113.1:80', '::ffff:203.0.113.1', '[::ffff:203.0.113.1]:443'],
    ['IPv4 in an IPv6 socket, in hexadecimal', '203.0.113.2', '::ffff:cb00:7102', '[::FFFF:CB00:7102]:1'],
    ['IPv6', '2001:db8:0:1::1', '[2001:db8:0:1::1]', '[2001:db8:0:1::2]:443', '2001:DB8:0:1:0::9'],
    ['IPv6 with an IPv4 tail', '2001:db8:0:2::1', '2001:db8:0:2::203.0.113.9', '2001:db8:0:2:1:1:203.0.113.9'],
    ['the syntax of RFC 7239', '203.0.113.3', 'for=203.0.113.3', 'For="203.0.113.3:4711"', '"203.0.113.3"'],
    ['RFC 7239 with IPv6', '2001:db8:0:3::1', 'for="[2001:db8:0:3::1]:4711"', 'for=[2001:db8:0:3::1]'],
    ['RFC 7239 with further parameters', '203.0.113.4', 'for=203.0.113.4;proto=https;by=203.0.113.43'],
    ['behind a second proxy', '203.0.113.5', '203.0.113.5:1, 10.1.2.3:5678', '203.0.113.5, [fd00::1]:443, 10.0.0.1'],
    ['after what the client says itself', '203.0.113.6', '198.51.100.1, 203.0.113.6:9', 'garbage, 203.0.113.6'],
  ]
  for (const [name, ...spellings] of rows)
    test(name, async () => {
      for (const [index, spelling] of spellings.entries())
        assert.equal(await countedFor(spelling), index + 1, `${spelling} is the same network as ${spellings[0]}`)
    })

  test('an invalid address counts as the proxy that wrote it, whatever precedes it', async () => {
    const garbage = ['unknown', '_hidden', '-', '', '203.0.113.7:port', '203.0.113.7:', '203.0.113.7:99999', '1.2.3']
    const more = ['[203.0.113.7]', '[2001:db8::1', '2001:db8::1]:443', '[::1]x', '203.0.113.7 198.51.100.7', 'a:b:c']
    const first = await countedFor('unknown')
    for (const [index, text] of [...garbage, ...more].entries())
      assert.equal(await countedFor(`198.51.100.${index}, ${text}`), first + index + 1, text)
    assert.equal(await countedFor('198.51.100.0'), 1, 'what a client said of itself was not believed')
  })

  test('one network uses up only its own limits', async () => {
    assert.equal(await countedFor('203.0.113.100:1'), 1)
    assert.equal(await countedFor('203.0.113.101:1'), 1)
    assert.equal(await countedFor('203.0.113.100:2'), 2)
  })
})
