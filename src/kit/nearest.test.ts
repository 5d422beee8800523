import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

const names = ['STOA_DATABASE_URL', 'STOA_DATABASE_WAIT', 'STOA_DATA', 'STOA_DEMO', 'STOA_PORT', 'STOA_HOST']

test('the nearest name is found for swapped, missing, additional and wrong letters', () => {
  const typed = [
    ['STOA_DATABASE_ULR', 'STOA_DATABASE_URL'],
    ['STOA_DATBASE_URL', 'STOA_DATABASE_URL'],
    ['STOA_DATABASE_WAITS', 'STOA_DATABASE_WAIT'],
    ['STOA_PROT', 'STOA_PORT'],
    ['STOA_DATE', 'STOA_DATA'],
    ['STOA_DEMO', 'STOA_DEMO'],
  ] as const
  for (const [name, expected] of typed) assert.equal(nearest(name, names), expected)
  assert.equal(nearest('STOA_X', []), undefined)
})
