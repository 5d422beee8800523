import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { type StoredTable, storedTables } from '#testing/files/tables/index.ts'
import { importer, readTable } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

// With a mailbox the worker runs.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

type Mapping = readonly { readonly column: number; readonly field: string }[]

/** Imports a table with no more choices than are described, and undoes it, so that the next finds nobody of it. */
const importTable = async (table: StoredTable): Promise<void> => {
  const { name, kind, source, columns, ambiguous, created, failed = [], skipped = [] } = table
  const ada = await importer(app, 'ada', kind)
  const begun = await ada.begin(await readTable(name), name)
  assert.equal(begun.status, 201, begun.text)
  const { id } = begun.json
  const read = await ada.read(id)
  assert.deepEqual([read.status, read.source], ['ready', source], JSON.stringify(read.problem))
  const fieldOf = (index: number) => (read.mapping as Mapping).find(({ column }) => column === index)?.field ?? 'ignore'
  const found = read.format.columns.map(({ index, heading }: { index: number; heading: string }) => [
    heading,
    fieldOf(index),
  ])
  assert.deepEqual(found, columns)
  const open = read.ambiguous.map(({ field }: { field: string }) => field)
  assert.deepEqual(open, ambiguous === undefined ? [] : [ambiguous])
  if (ambiguous !== undefined) {
    const mapping = read.mapping.map((one: { field: string }) =>
      one.field === ambiguous ? { ...one, format: 'month_day_year' } : one,
    )
    assert.equal((await ada.change(id, { mapping })).status, 200)
  }
  const checked = await ada.check(id)
  assert.equal(checked.status, 'checked', JSON.stringify(checked.problem))
  const rows = await ada.listRows(id)
  const refused = rows.filter(({ status }) => status === 'failed')
  assert.deepEqual(
    refused.map(({ number, errors }) => [number, errors[0]?.code]),
    failed,
  )
  for (const { errors } of refused) for (const { message } of errors) assert.match(message, /\w \w/)
  assert.deepEqual(
    rows.filter(({ status }) => status === 'skipped').map(({ number }) => number),
    skipped,
  )
  assert.equal(checked.counts.created, created)
  const done = await ada.run(id)
  assert.deepEqual([done.status, done.counts], ['completed', checked.counts], JSON.stringify(done.problem))
  const undone = await ada.undo(id)
  assert.equal(undone.status, 'undone')
  const left = (await ada.listRows(id)).filter(({ status }) => status === 'kept')
  assert.deepEqual(left, [])
}

for (const table of storedTables)
  test(`${table.name} (${table.program}) is imported with ${table.ambiguous === undefined ? 'no choice' : 'one choice'} by hand`, () =>
    importTable(table))
