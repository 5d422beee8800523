import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectTable, readRows } from '#src/kit/tabular/index.ts'
import { pathOfTable, storedTables } from '#testing/files/tables/index.ts'
import { createRowReader, guessMapping, isKnownHeading, type MappedRow, openOneRoster } from './index.ts'

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

const readTable = async (name: string, kind: 'people' | 'learning'): Promise<MappedRow[]> => {
  const { columns, readRows: read } = await openTable(name)
  const guess = await guessMapping({ kind, columns, rows: read(), customFields: [] })
  const mapping = guess.mapping.map(one => {
    const possible = guess.ambiguous.find(({ column }) => column === one.column)?.formats
    return possible === undefined ? one : { ...one, format: possible[0]?.format ?? assert.fail() }
  })
  const readRow = createRowReader({ kind, mapping, customFields: [], zone: 'Europe/Lisbon', tags: [] })
  const rows: MappedRow[] = []
  for await (const row of read()) rows.push(readRow(row))
  return rows
}

for (const { name, kind, failed = [], skipped = [] } of storedTables)
  test(`the rows of ${name} are read`, async () => {
    const rows = await readTable(name, kind)
    assert.deepEqual(
      rows.flatMap(({ number, errors }) => errors.map(({ code }) => [number, code])),
      failed.filter(([, code]) => code !== 'duplicate'),
    )
    assert.deepEqual(
      rows.filter(({ person, learning }) => person.is_inactive || learning?.is_over).map(({ number }) => number),
      skipped,
    )
  })
