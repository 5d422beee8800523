import assert from 'node:assert/strict'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { emptyInstallation, testFolder } from '#testing/backup.ts'
import { send } from '#testing/http.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { startProcess } from '#testing/process.ts'
import { freshSettings, type Serving, serve, stoa } from '#testing/stoa.ts'

const USUAL_LIFETIMES = { code: 120, access: 3600, idle: 30 * 86_400, family: 365 * 86_400 }

let env: Record<string, string>
let elsewhere: Record<string, string>
let server: Serving
before(async () => {
  env = await freshSettings()
  elsewhere = await freshSettings()
  server = await serve(env)
})
after(async () => {
  server?.child.kill('SIGTERM')
  await server?.ended()
  for (const { STOA_DATA } of [env, elsewhere]) await rm(STOA_DATA ?? '', { recursive: true, force: true })
})

const secretIn = ({ STOA_DATA = '' }: Record<string, string>): string => join(STOA_DATA, 'secret')

test('the embedded database of a running server moves to another folder, and to a PostgreSQL of one’s own', async () => {
  const file = join(await testFolder(), 'school.stoa')
  const created = await stoa(['backup', file], env)
  assert.equal(created.code, 0, created.err)
  assert.match(created.out, /rows of \d+ tables as of .*\n(?:.*\n)*STOA_SECRET is not in the backup/)
  const refused = await stoa(['restore', file, '--json'], env)
  assert.deepEqual([refused.code, refused.out], [1, ''])
  assert.match(refused.err, /has a school already/)
  assert.equal((await send(Number(env.STOA_PORT), { path: '/readyz' })).status, 200)

  await copyFile(secretIn(env), secretIn(elsewhere))
  const moved = await stoa(['restore', file], elsewhere)
  assert.equal(moved.code, 0, moved.err)
  assert.match(moved.out, /^Restored \d+ rows/)
  const listed = await stoa(['schools', 'list', '--json'], elsewhere)
  const [{ base_url: baseUrl }] = JSON.parse(listed.out)
  assert.equal(baseUrl, `http://localhost:${env.STOA_PORT}`)

  const own = await emptyInstallation((await readFile(secretIn(env), 'utf8')).trim())
  const { code, err } = await own.run('restore', file)
  assert.equal(code, 0, err)
  const storage = { STOA_STORAGE: join(own.folder, 'objects') }
  const process = await startProcess({ databaseUrl: own.database.appUrl, secret: own.secret }, storage)
  const password = /ada@crumb\.example\s+(\S+)/.exec(server.output.out)?.[1] ?? ''
  const school: School = {
    id: '',
    baseUrl,
    siteOrigin: baseUrl,
    name: '',
    locale: 'en',
    timeZone: 'UTC',
    currency: 'EUR',
    signupMode: 'open',
    isTest: false,
    lifetimes: USUAL_LIFETIMES,
  }
  const { exchange } = await approve({ port: process.port, school, email: 'ada@crumb.example', password })
  const answer = await tokenRequest(process.port, school, exchange)
  const page = await send(process.port, { path: '/open-day/', host: `pages.localhost:${env.STOA_PORT}` })
  await process.stop()
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([page.status, /<h1>Open day/.test(page.text)], [200, true], 'files of deployments are in the backup')
})
