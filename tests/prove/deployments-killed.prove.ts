import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { buildSite } from '#testing/archives.ts'
import { deployer, setPagesHost, siteObjects } from '#testing/deployments.ts'
import { send } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { computeRounds } from '#testing/rounds.ts'
import { until } from '#testing/until.ts'

// Without a mailbox the application of the test has no worker: the processes unpack.
const app = testApp()
const ROUNDS = computeRounds(6)
const FILES = 300

const start = (): Promise<ServerProcess> =>
  startProcess({ databaseUrl: app.database.appUrl, secret: app.secret }, { STOA_STORAGE: app.folder })

const site = (text: string) => ({
  'index.html': text,
  ...Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`${at}.txt`, randomBytes(4000).toString('hex')] as const),
  ),
})

const stored = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    'select count(*)::integer as count from page_objects where school_id = $1 and stored_at is not null',
    [app.a.id],
  )
  return row?.count ?? 0
}

const hashes = (texts: readonly string[]): string[] =>
  texts.map(text => createHash('sha256').update(text).digest('hex')).toSorted()

test(`a deployment that ${ROUNDS} kills interrupt is not shown before it is whole, and then has every file`, {
  timeout: 400_000,
}, async () => {
  const ada = await deployer(app)
  const host = await setPagesHost(app)
  const page = await ada.page('/killed')
  const files = site('Whole')
  const created = await ada.deploy(page, buildSite(files))
  const path = `/pages/${page}/deployments/${created.json.id}`
  const before = await stored()
  let interrupted = 0
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start()
    // The claim of the process that was killed has expired.
    await app.database.query(`update jobs set due_at = stoa.now() where kind = 'deployment'`)
    const wanted = before + Math.min(FILES, 50 * round + 1)
    await until(async () => (await siteObjects(app)).length >= wanted - before, 'objects in the store')
    await server.kill()
    const { json } = await ada.get(path)
    if (json.status !== 'uploaded') break
    interrupted += 1
    assert.deepEqual([json.files, json.preview_url], [[], null])
    assert.equal((await ada.promote(page, created.json.id)).status, 409)
  }
  assert.ok(interrupted > 0, 'a process was killed while it unpacked')
  const server = await start()
  await app.database.query(`update jobs set due_at = stoa.now() where kind = 'deployment'`)
  await until(async () => (await ada.get(path)).json.status !== 'uploaded', 'the deployment is checked')
  const { json } = await ada.get(path)
  assert.deepEqual([json.status, json.file_count], ['preview', FILES + 1])
  assert.deepEqual((await siteObjects(app)).toSorted(), hashes(Object.values(files)))
  assert.equal((await ada.promote(page, created.json.id)).status, 200)
  assert.equal((await ada.publish(page)).status, 200)
  for (const [name, text] of Object.entries(files))
    assert.equal((await send(server.port, { path: `/killed/${name}`, host })).text, text, name)
  await server.stop()
})

test('promotions, deletions and requests at once in two processes: one deployment is live, and shown as a whole', async () => {
  const ada = await deployer(app)
  const [server, page] = [await start(), await ada.page('/raced')]
  const [{ host } = { host: '' }] = await app.database.query<{ host: string }>(
    `select host from hosts where purpose = 'pages'`,
  )
  const deployed = async (text: string): Promise<string> =>
    (await ada.deployed(page, buildSite({ 'index.html': text, 'style.css': `/* ${text} */` }))).id
  const base = await deployed('Base')
  await ada.promote(page, base)
  await ada.publish(page)
  const at = async (port: number, method: string, path: string, headers = {}) =>
    send(port, {
      method,
      path: `/api/v1${path}`,
      host: new URL(app.a.baseUrl).host,
      headers: { authorization: `Bearer ${ada.token}`, ...headers },
    })
  for (let round = 0; round < ROUNDS; round++) {
    const texts = [`${round} a`, `${round} b`] as const
    const ids = [await deployed(texts[0]), await deployed(texts[1])] as const
    const etag = String((await ada.get(`/pages/${page}`)).headers.etag)
    const path = (id: string) => `/pages/${page}/deployments/${id}`
    const promote = (port: number, id: string) => at(port, 'PUT', `${path(id)}/promotion`, { 'if-match': etag })
    const [one, two, gone] = await Promise.all([
      promote(app.port, ids[0]),
      promote(server.port, ids[1]),
      at(server.port, 'DELETE', path(ids[0])),
    ])
    const statuses = `${one.status} ${two.status} ${gone.status}`
    assert.ok(
      ['200 412 409', '412 200 204', '404 200 204'].includes(statuses),
      `of two promotions one is done, and nothing live is deleted: ${statuses}`,
    )
    const live = one.status === 200 ? 0 : 1
    const { live_deployment_id: shown } = (await ada.get(`/pages/${page}`)).json
    assert.equal(shown, ids[live])
    for (const port of [app.port, server.port]) {
      assert.equal((await send(port, { path: '/raced/', host })).text, texts[live])
      assert.equal((await send(port, { path: '/raced/style.css', host })).text, `/* ${texts[live]} */`)
    }
    for (const id of [base, ...ids]) if (id !== shown) await ada.write('DELETE', path(id))
  }
  await server.stop()
})
