import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRouted } from '#src/contract/operation.ts'
import { pinboard } from '#testing/pinboard.ts'
import { areas } from '../src/areas.ts'
import { PERMISSIONS_PAGE, permissionsPage } from './permission-docs.ts'

const written = readFileSync(join(import.meta.dirname, '..', PERMISSIONS_PAGE), 'utf8').split('\n')

test('docs/permissions.md says of every operation what is declared; npm run docs writes it', () => {
  const declared = permissionsPage(areas).split('\n')
  for (const [at, line] of declared.entries())
    assert.equal(written[at], line, `${PERMISSIONS_PAGE} is not up to date: review the change, then run npm run docs`)
  assert.equal(written.length, declared.length)
})

test('every operation has one row with all cells, in a table of its own without a route', () => {
  const lines = permissionsPage([...areas, pinboard]).split('\n')
  for (const operation of [...areas, pinboard].flatMap(({ operations }) => operations)) {
    const { id } = operation
    const rows = lines.filter(line => line.startsWith(`| ${id} |`))
    assert.equal(rows.length, 1, id)
    assert.equal(rows[0]?.split('|').length, isRouted(operation) ? 13 : 10, rows[0])
  }
})
