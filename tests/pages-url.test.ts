import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { testApp } from '#testing/app.ts'
import { type Ran, stoaHere } from '#testing/stoa.ts'

const app = testApp()

const run = (...args: string[]): Promise<Ran> =>
  stoaHere(args, {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  })

const set = (school: { readonly baseUrl: string }, url: string) =>
  run('schools', 'set', '--school', school.baseUrl, '--pages-url', url, '--json')

const hosts = async (): Promise<readonly string[]> => {
  const rows = await app.database.query<{ host: string }>(
    `select host from hosts where purpose = 'pages' order by host`,
  )
  return rows.map(({ host }) => host)
}

test('schools set --pages-url sets, replaces and removes the one host for the uploaded pages of a school', async () => {
  const url = 'https://pages.example.net'
  const first = await set(app.b, url)
  assert.deepEqual([first.code, JSON.parse(first.out || '{}').pages_url], [0, url], first.err)
  assert.equal((await set(app.b, url)).code, 0, 'once more changes nothing')
  assert.deepEqual(await hosts(), ['pages.example.net'])
  const { out } = await run('schools', 'list', '--json')
  const listed = JSON.parse(out).map((one: { base_url: string; pages_url: string | null }) => [
    one.base_url,
    one.pages_url,
  ])
  assert.deepEqual(
    listed.sort(),
    [
      [app.a.baseUrl, null],
      [app.b.baseUrl, url],
    ].sort(),
  )
  assert.match((await run('schools', 'list')).out, /\(pages: https:\/\/pages\.example\.net\)/)
  const local = 'http://127.0.0.1:1'
  assert.equal((await set(app.a, local)).code, 0)
  assert.equal((await set(app.b, 'https://other.example.net')).code, 0)
  assert.deepEqual(await hosts(), ['127.0.0.1:1', 'other.example.net'])
  const removed = await set(app.b, 'none')
  assert.deepEqual([removed.code, JSON.parse(removed.out).pages_url], [0, null])
  assert.deepEqual(await hosts(), ['127.0.0.1:1'])
  assert.equal((await set(app.a, 'none')).code, 0)
})

test('a host for pages is neither one of a school nor one of another school, and has the scheme of the school', async () => {
  const own = new URL(app.b.baseUrl)
  assert.equal((await set(app.a, 'http://127.0.0.1:2')).code, 0)
  const before = await app.database.query('select * from hosts order by host')
  for (const [school, url, says] of [
    [app.b, app.b.baseUrl, /another host/],
    [app.b, `https://${own.hostname}:8443`, /another host/],
    [app.a, app.a.baseUrl, /another host/],
    [app.a, 'http://localhost:3', /another host/],
    [app.a, `http://127.0.0.1:${app.port}`, /is in use/],
    [app.a, `http://[::1]:${app.port}`, /is in use/],
    [app.b, 'http://127.0.0.1:3', /another scheme/],
    [app.a, 'https://pages.example.net', /another scheme/],
    [app.b, 'https://127.0.0.1:2', /is in use/],
    [app.b, 'https://pages.example.net/', /is an origin without a trailing slash/],
    [app.b, 'pages.example.net', /is an origin/],
  ] as const) {
    const { code, err } = await set(school, url)
    assert.equal(code, 1, url)
    assert.match(err, says, url)
  }
  assert.deepEqual(await app.database.query('select * from hosts order by host'), before)
  const created = await run('schools', 'create', 'https://127.0.0.1:2', '--owner-email', 'zoe@example.org')
  assert.equal(created.code, 1)
  assert.match(created.err, /with the base URL https:\/\/127\.0\.0\.1:2, or with its host, exists already/)
  assert.equal((await app.database.query('select from schools')).length, 2)
})

test('the login of the application gives up only the host for pages of its own school', async () => {
  await app.database.query(`insert into hosts (host, school_id, purpose) values ('b.example', $1, 'pages')`, [app.b.id])
  const database = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
  try {
    const text = 'delete from hosts'
    await database.transaction(app.a.id, db => db.run({ text, values: [] } as never))
    const rows = await app.database.query<{ host: string; purpose: string }>('select host, purpose from hosts')
    const purposes = rows.map(({ purpose }) => purpose).sort()
    assert.deepEqual(purposes, ['alias', 'alias', 'pages', 'school', 'school'])
  } finally {
    await database.close()
  }
})
