import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forwardedAddress, networks } from './net.ts'

test('an address is read as proxies write it: alone, with a port, or in the syntax of RFC 7239', () => {
  const table: readonly (readonly [element: string, address: string])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['192.0.2.1:65535', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['for=192.0.2.1', '192.0.2.1'],
    ['FOR="[2001:db8::1]:443"', '2001:db8::1'],
    ['for="192.0.2.1:1";proto=https', '192.0.2.1'],
  ]
  for (const [element, address] of table) assert.equal(forwardedAddress(element), address, element)
})

test('anything else is no address', () => {
  const wrong = [
    '',
    'unknown',
    '_hidden',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1:',
    '192.0.2.1:65536',
    '192.0.2.1:123456',
  ]
  const six = ['[192.0.2.1]', '[2001:db8::1', '2001:db8::1]', '[]', '[x]:1', '2001:db8::1:x', '[2001:db8::1]x']
  const pairs = ['by=192.0.2.1', 'xfor=192.0.2.1', 'for=', '"192.0.2.1', 'a 192.0.2.1', '192.0.2.1 b', '192.0.2.1:1a']
  for (const element of [...wrong, ...six, ...pairs]) assert.equal(forwardedAddress(element), undefined, element)
})

test('a trusted address without a prefix is one address, in both families', () => {
  const isProxy = networks('10.0.0.1,2001:db8::1, ,')
  for (const [address, is] of [
    ['10.0.0.1', true],
    ['10.0.0.0', false],
    ['10.0.0.2', false],
    ['2001:db8::1', true],
    ['2001:db8::', false],
    ['2001:db8::2', false],
  ] as const)
    assert.equal(isProxy(address), is, address)
  assert.throws(() => networks('10.0.0.1, x'), /"x" is not a network/)
})
