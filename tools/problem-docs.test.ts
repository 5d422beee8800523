// Runs in its own process: areas of other tests declare problems, which the page would list too.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { problems } from '#src/contract/problem.ts'
import { PROBLEMS_PAGE, problemsPage } from './problem-docs.ts'

test('docs/problems.md is what npm run docs writes', () => {
  const written = readFileSync(join(import.meta.dirname, '..', PROBLEMS_PAGE), 'utf8')
  assert.ok(written === problemsPage(), `${PROBLEMS_PAGE} is not up to date: run npm run docs`)
})

test('every problem has one row, and no cell breaks the table', () => {
  const rows = problemsPage().split('\n')
  for (const { code } of problems())
    assert.ok(rows.some(row => row.startsWith('| ') && row.includes(` \`${code}\` | **`)))
  for (const row of rows.filter(line => line.startsWith('| '))) assert.ok([5, 7].includes(row.split('|').length), row)
})
