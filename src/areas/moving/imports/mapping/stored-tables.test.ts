import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectTable, readRows } from '#src/kit/tabular/index.ts'
import { pathOfTable, storedTables } from '#testing/files/tables/index.ts'
import { guessMapping, isKnownHeading, openOneRoster } from './index.ts'

const openTable = async (name: string) => {
  const roster = await openOneRoster(pathOfTable(name))
  if (roster !== undefined) return roster
  const { format, columns } = await inspectTable(pathOfTable(name), { isHeading: isKnownHeading })
  return { columns, readRows: () => readRows(pathOfTable(name), format) }
}

for (const { name, kind, source, columns: expected, ambiguous: asked } of storedTables)
  test(`the columns of ${name} are guessed`, async () => {
    const { columns, readRows: read } = await openTable(name)
    const guess = await guessMapping({ kind, columns, rows: read(), customFields: [] })
    const found = guess.mapping.map(({ column, field }) => [
      columns.find(({ index }) => index === column)?.heading,
      field,
    ])
    assert.deepEqual(found, expected)
    assert.equal(guess.source, source)
    assert.deepEqual(
      guess.ambiguous.map(({ field }) => field),
      asked === undefined ? [] : [asked],
    )
  })
