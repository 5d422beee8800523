import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageViolations } from './production-packages.ts'

const dependencies = { pg: '8.0.0', '@aws-sdk/client-s3': '3.0.0' }

const importing = (path: string, specifier: string) =>
  packageViolations([{ path, imports: [{ specifier, line: 3 }] }], dependencies)

test('src imports only packages that a production installation has', () => {
  for (const specifier of ['pg', 'pg/lib/client.js', '@aws-sdk/client-s3', 'node:fs', './pg.ts', '#src/kit/ids.ts'])
    assert.deepEqual(importing('src/kit/a.ts', specifier), [])
  for (const specifier of ['fast-check', '@aws-sdk/core', 'pg-native'])
    assert.deepEqual(
      importing('src/kit/a.ts', specifier).map(({ file, line }) => [file, line]),
      [['src/kit/a.ts', 3]],
    )
})

test('tests import packages of development', () => {
  assert.deepEqual(importing('src/kit/a.test.ts', 'fast-check'), [])
})
