import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { testApp } from '#testing/app.ts'
import { eraseIdentity, onMailsDeleted } from './index.ts'

const app = testApp()

test('the files of the mails of an erased member are removed, and nothing that is no id of a mail', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-erased-'))
  try {
    const [one, two, kept] = [randomUUID(), randomUUID(), randomUUID()]
    const files = [one, two, kept, `x${one}`, `${one}x`].map(name => `${name}.eml`)
    for (const file of files) await writeFile(join(folder, file), '')
    const handle = (rowIds: readonly string[]) =>
      onMailsDeleted(folder)(
        { id: one, type: 'mail.deleted', payload: { row_ids: rowIds, count: rowIds.length }, sequence: '1' },
        {} as never,
      )
    for (const nothing of [[], [`x${one}`, `${one}x`, `../${one}`, '7']]) await handle(nothing)
    assert.deepEqual((await readdir(folder)).sort(), [...files].sort())
    await handle([one, two, randomUUID(), 'x'])
    assert.deepEqual((await readdir(folder)).sort(), files.slice(2).sort())
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('erasure removes credentials, sessions and mails of one member only', async () => {
  const { query } = app.database
  const ids = await Promise.all(
    ['dev@crumb.example', 'eli@crumb.example'].map(
      async email =>
        (
          await query<{ id: string }>('select id from members where school_id = $1 and email = $2', [app.a.id, email])
        )[0]?.id ?? '',
    ),
  )
  const [dev = '', eli = ''] = ids
  await Promise.all([app.actor('dev'), app.actor('eli')])
  for (const [member, email] of [
    [dev, 'dev@crumb.example'],
    [eli, 'eli@crumb.example'],
    [null, 'DEV@crumb.example'],
    [dev, 'old@crumb.example'],
  ] as const) {
    await query(
      `insert into address_codes (school_id, bound_to, purpose, email, member_id, code_hash, created_at, expires_at)
       values ($1, sha256($4::text::bytea), 'reset', $2, $3, '\\x00', stoa.now(), stoa.now())`,
      [app.a.id, email, member, randomUUID()],
    )
    await query(
      `insert into kept_forms (school_id, id, handle_hash, member_id, path, sealed, bytes, created_at, expires_at)
       select $1, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), $2::uuid, '/account', '\\x00', 1, stoa.now(), stoa.now()
       where $2 is not null`,
      [app.a.id, member],
    )
    await query(
      `insert into mails (school_id, id, member_id, recipient, kind, locale, "values", recorded_at, not_before)
       values ($1, gen_random_uuid(), $3, $2, 'account_deleted', 'en', '{}', stoa.now(), stoa.now())`,
      [app.a.id, email, member],
    )
  }
  const left = async (table: string, member: string) =>
    (await query(`select from ${table} where school_id = $1 and member_id = $2`, [app.a.id, member])).length
  const tables = ['mails', 'credentials', 'known_browsers', 'address_codes', 'kept_forms', 'sessions']
  for (const table of tables) for (const id of ids) assert.ok((await left(table, id)) > 0, table)
  const elis = await Promise.all(tables.map(table => left(table, eli)))
  const mails = await query<{ id: string }>('select id from mails where school_id = $1 and member_id = $2', [
    app.a.id,
    dev,
  ])
  const database = openDatabase(app.database.appUrl, { wait: 10_000, max: 6 })
  const forget = () =>
    database.transaction(app.a.id, db => eraseIdentity(db, app.a.id, { id: dev, email: 'dev@crumb.example' }))
  try {
    assert.deepEqual((await forget()).sort(), mails.map(({ id }) => id).sort())
    for (const table of tables) assert.equal(await left(table, dev), 0, table)
    assert.deepEqual(await Promise.all(tables.map(table => left(table, eli))), elis)
    assert.equal(
      (await query(`select from address_codes where email ilike 'dev@%' and school_id = $1`, [app.a.id])).length,
      0,
    )
    const unnamed = 'update mails set member_id = null, recipient = $2 where school_id = $1 and member_id = $3'
    await query(unnamed, [app.a.id, 'dev@crumb.example', eli])
    assert.equal((await forget()).length, elis[0], 'what was mailed to the address')
  } finally {
    await database.close()
  }
})
