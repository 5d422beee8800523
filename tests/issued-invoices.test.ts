import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { sql } from '#src/db/sql.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()

test('the login of the application can neither change nor delete what was issued', async () => {
  const stored = () => app.database.query('select * from invoices order by id')
  const before = await stored()
  assert.ok(before.length > 0)
  const database = openDatabase(app.database.appUrl)
  try {
    for (const change of [
      sql`update invoices set total = total where school_id = ${app.a.id}`,
      sql`update invoices set lines = '[]' where school_id = ${app.a.id}`,
      sql`update invoices set number = 'X' where school_id = ${app.a.id}`,
      sql`update invoices set issued_on = '2020-01-01' where school_id = ${app.a.id}`,
      sql`update invoices set changed_in = 0 where school_id = ${app.a.id}`,
      sql`delete from invoices where school_id = ${app.a.id}`,
    ])
      await assert.rejects(
        database.transaction(app.a.id, db => db.run(change)),
        /permission denied/,
      )
  } finally {
    await database.close()
  }
  assert.deepEqual(await stored(), before)
})
