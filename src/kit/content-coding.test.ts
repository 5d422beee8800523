import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePreference } from './content-coding.ts'

const cases: readonly (readonly [header: string | undefined, coding: string | undefined, refusesPlain?: true])[] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate, zstd', undefined],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.5 , gzip ; q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['gzip, *;q=0', 'gzip', true],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', undefined],
  ['identity;q=0, br', 'br', true],
  ['identity;q=0, *', 'br', true],
  ['br;q=2', undefined],
  ['br;q=0.1234', undefined],
  ['br;level=4, gzip', 'gzip'],
  ['brotli', undefined],
  [',,, gzip ,', 'gzip'],
]

for (const [header, coding, refusesPlain = false] of cases)
  test(`Accept-Encoding: ${header ?? 'none'}`, () =>
    assert.deepEqual(parsePreference(header), { coding, refusesPlain }))
