import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { deleteUnused } from '#src/oauth/clients/queries.ts'
import { testApp } from '#testing/app.ts'
import { register } from '#testing/oauth.ts'

const app = testApp()

test('a client with a webhook and without a grant is kept when unused clients have to go', async () => {
  const carla = await app.actor('carla', { as: 'admin', scopes: ['school:read'] })
  const body = { url: 'https://hooks.example.org/', types: ['school.updated'] }
  assert.equal((await carla.write('POST', '/webhooks', body)).status, 201)
  const ids = []
  for (const client_name of ['Kept by its webhook', 'Kept by nothing']) {
    const { json } = await register(app.port, app.a, { client_name })
    ids.push(json.client_id)
  }
  await app.database.query('update webhooks set client_id = $1', [ids[0]])
  await app.database.query(`update clients set last_seen_at = stoa.now() - interval '2 hours' where id = any ($1)`, [
    ids,
  ])
  const database = openDatabase(app.database.appUrl, { wait: 10_000, max: 1 })
  try {
    await database.transaction(app.a.id, db => deleteUnused(db, app.a.id, ''))
  } finally {
    await database.close()
  }
  const left = await app.database.query<{ id: string }>('select id from clients where id = any ($1)', [ids])
  assert.deepEqual(
    left.map(({ id }) => id),
    [ids[0]],
  )
})
