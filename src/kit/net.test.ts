import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { networks, toNetwork, widerNetworks } from './net.ts'

suite('D-13 the network a limit is counted for', () => {
  const table: readonly (readonly [address: string, network: string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::203.0.113.7', '2001:db8:1:2::/64'],
    ['1::2:3:4:5:203.0.113.7', '1:0:2:3::/64'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7'],
    ['::203.0.113.7', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', 'unknown'],
    ['203.0.113.7:443', 'unknown'],
    ['not an address', 'unknown'],
  ]
  for (const [address, network] of table)
    test(`${address}: ${network}`, () => assert.equal(toNetwork(address), network))
})

test('D-13 an IPv6 network lies in a /48 and in a /32, which may do more; an IPv4 address in nothing wider', () => {
  assert.deepEqual(widerNetworks(toNetwork('2001:db8:1:2::7')), [
    { network: '2001:db8:1::/48', factor: 4 },
    { network: '2001:db8::/32', factor: 16 },
  ])
  assert.deepEqual(widerNetworks(toNetwork('203.0.113.7')), [])
  assert.deepEqual(widerNetworks(toNetwork('nobody')), [])
})

test('J-05 a list of trusted networks takes addresses and prefixes of both families, and nothing malformed', () => {
  const isProxy = networks('10.0.0.0/8, ::1, 2001:db8::/32')
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::ffff:a01:203', '::1', '2001:db8:ffff::1'])
    assert.ok(isProxy(address), address)
  for (const address of ['11.0.0.1', '::2', '2001:db9::1', '', 'x']) assert.ok(!isProxy(address), address)
  for (const list of ['10.0.0/8', 'localhost', '10.0.0.0/33']) assert.throws(() => networks(list), list)
  assert.equal(networks('')('127.0.0.1'), false)
})
