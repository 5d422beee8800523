import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { send } from '#testing/http.ts'

const app = testApp()
const PAGES = 'pages.crumb.example'

const paths = [
  '/',
  '/api/v1/school',
  '/api/v1/courses',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/authorize',
  '/account',
  '/staff',
  '/files/fil_00000000000000000000000000/a.png',
  '/openapi.json',
  '/docs',
  '/llms.txt',
  '/anything',
]

test('a host for static pages serves nothing of the school, whoever asks and however', async () => {
  await app.database.query(`insert into hosts (host, school_id, purpose) values ($1, $2, 'pages')`, [PAGES, app.a.id])
  const ada = await app.actor('ada', { scopes: ['school:read'] })
  for (const path of paths)
    for (const method of ['GET', 'POST', 'DELETE']) {
      const headers = { authorization: `Bearer ${ada.token}`, cookie: 'stoa=1' }
      const [pages, unknown] = await Promise.all(
        [PAGES, 'nobody.example'].map(host => send(app.port, { method, path, host, headers })),
      )
      // Its root leads to the school; what it does not have links to the school.
      const leads = path === '/' && method === 'GET'
      const expected = leads ? 302 : method === 'GET' ? 404 : 405
      assert.deepEqual([pages?.status, unknown?.status], [expected, 404], `${method} ${path}`)
      assert.equal(pages?.headers.location, leads ? `${app.a.baseUrl}/` : undefined)
      assert.equal(pages?.headers['set-cookie'], undefined)
      assert.doesNotMatch(pages?.text ?? '', /Sourdough|currency|issuer|<form/, `${method} ${path}`)
    }
  assert.equal((await app.send({ path: '/api/v1/school' })).status, 200, 'the host of the school still serves it')
})

test('a host is for the school or for its pages', async () => {
  const [own] = await app.database.query<{ purpose: string }>('select purpose from hosts where host = $1', [
    new URL(app.a.baseUrl).host,
  ])
  assert.equal(own?.purpose, 'school')
  const other = `insert into hosts (host, school_id, purpose) values ('x.example', $1, 'mail')`
  await assert.rejects(app.database.query(other, [app.a.id]), { code: '23514' })
})
