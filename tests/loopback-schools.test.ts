import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'
import { addSchool } from '#testing/schools.ts'
import { stoaHere } from '#testing/stoa.ts'

const app = testApp()
before(async () => {
  for (const baseUrl of [
    'http://127.0.0.1:4901',
    'http://localhost:4902',
    'http://rye.localhost:4903',
    'http://two.localhost:4901',
    'http://localhost',
  ])
    await addSchool(app, baseUrl, 'Rye')
})

const ask = (host: string, path: string) => send(app.port, { path, host, headers: { accept: 'text/html' } })

const run = (...args: string[]) =>
  stoaHere(args, {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  })

const readHosts = async (baseUrl: string) => {
  const rows = await app.database.query<{ host: string; purpose: string; site_origin: string | null }>(
    `select h.host, h.purpose, s.site_origin from schools s join hosts h on h.school_id = s.id
     where s.base_url = $1 order by h.host`,
    [baseUrl],
  )
  return { site: rows[0]?.site_origin, hosts: rows.map(({ host, purpose }) => [host, purpose]) }
}

suite('further schools on a port', () => {
  const create = (baseUrl: string) => run('schools', 'create', baseUrl, '--owner-email', 'zoe@rye.example', '--json')

  test('an address literal is refused with a proposal, whatever the name of the school that has the port', async () => {
    const before = await app.database.query('select host from hosts order by host')
    for (const baseUrl of [
      'http://127.0.0.1:4901',
      'http://127.0.0.2:4901',
      'http://[::1]:4901',
      'http://127.0.0.1:4903',
      'http://[::1]:4902',
    ]) {
      const { port } = new URL(baseUrl)
      const { code, err } = await create(baseUrl)
      assert.equal(code, 1, baseUrl)
      assert.match(
        err,
        new RegExp(`has this port already; use a name of its own, such as http://NAME\\.localhost:${port}$`, 'm'),
      )
    }
    const { code, err } = await create('http://127.0.0.1')
    assert.deepEqual([code, err.trim().split(' ').at(-1)], [1, 'http://NAME.localhost'])
    assert.deepEqual(await app.database.query('select host from hosts order by host'), before)
  })

  test('a name of its own is accepted, and has that host alone', async () => {
    const { code, err } = await create('http://oat.localhost:4901')
    assert.equal(code, 0, err)
    assert.deepEqual(await readHosts('http://oat.localhost:4901'), {
      site: null,
      hosts: [['oat.localhost:4901', 'school']],
    })
    assert.equal((await ask('oat.localhost:4901', '/')).status, 200)
    const taken = await create('http://localhost:4901')
    assert.equal(taken.code, 1)
    assert.match(taken.err, /or with its host, exists already/)
  })

  test('an address literal on a port of its own has every name of this computer there', async () => {
    const { code, err } = await create('http://127.0.0.1:4906')
    assert.equal(code, 0, err)
    assert.deepEqual(await readHosts('http://127.0.0.1:4906'), {
      site: 'http://localhost:4906',
      hosts: [
        ['127.0.0.1:4906', 'school'],
        ['[::1]:4906', 'alias'],
        ['localhost:4906', 'site'],
      ],
    })
  })

  test('of two address literals from before, the second has its pages at a name made of its id', async () => {
    const baseUrl = 'http://127.0.0.2:4901'
    const { id } = await addSchool(app, baseUrl, 'Spelt')
    const site = `s-${id.slice(-8)}.localhost:4901`
    assert.deepEqual(await readHosts(baseUrl), {
      site: `http://${site}`,
      hosts: [
        ['127.0.0.2:4901', 'school'],
        [site, 'site'],
      ],
    })
    const { status, headers } = await ask('127.0.0.2:4901', '/account')
    assert.deepEqual([status, headers.location], [307, `http://${site}/account`])
    assert.match((await ask(site, '/')).text, /Spelt/)
    const { json } = await ask(site, '/.well-known/openid-configuration')
    assert.equal(json.issuer, baseUrl)
    assert.match((await ask('localhost:4901', '/')).text, /Rye/)
  })
})
