import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { networkOf, networks } from './net.ts'

suite('D-13 the network a limit is counted for', () => {
  const table: readonly (readonly [address: string, network: string])[] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', 'unknown'],
    ['203.0.113.7:443', 'unknown'],
    ['not an address', 'unknown'],
  ]
  for (const [address, network] of table)
    test(`${address}: ${network}`, () => assert.equal(networkOf(address), network))
})

test('J-05 a list of trusted networks takes addresses and prefixes of both families, and nothing malformed', () => {
  const isProxy = networks('10.0.0.0/8, ::1, 2001:db8::/32')
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::1', '2001:db8:ffff::1']) assert.ok(isProxy(address), address)
  for (const address of ['11.0.0.1', '::2', '2001:db9::1', '', 'x']) assert.ok(!isProxy(address), address)
  for (const list of ['10.0.0/8', 'localhost', '10.0.0.0/33']) assert.throws(() => networks(list), list)
  assert.equal(networks('')('127.0.0.1'), false)
})
