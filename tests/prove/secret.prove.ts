import assert from 'node:assert/strict'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { send } from '#testing/http.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { freshSettings, type Ran, type Serving, serve, stoa } from '#testing/stoa.ts'

const PASSWORD = 'a starter needs patience'
const NEEDS_PERSON = 78

let env: Record<string, string>
let server: Serving | undefined
const secretFile = () => join(env.STOA_DATA ?? '', 'secret')
const keptFile = () => join(env.STOA_DATA ?? '', 'kept-apart')

const stop = async (): Promise<void> => {
  server?.child.kill('SIGTERM')
  assert.equal(await server?.ended(), 0)
  server = undefined
}

const schoolAt = (port: number): School => ({
  id: '',
  baseUrl: `http://localhost:${port}`,
  siteOrigin: `http://localhost:${port}`,
  name: '',
  locale: 'en',
  timeZone: 'UTC',
  currency: 'EUR',
  signupMode: 'open',
  isTest: false,
  lifetimes: { code: 0, access: 0, idle: 0, family: 0 },
})

/** A person signs in to an app, which gets an ID token. */
const signsIn = async (): Promise<void> => {
  const port = Number(env.STOA_PORT)
  const school = schoolAt(port)
  const { exchange } = await approve({ port, school, email: people.ada.email, password: PASSWORD }, {})
  const { status, json, text } = await tokenRequest(port, school, exchange)
  assert.equal(status, 200, text)
  assert.ok(json.id_token, text)
}

const kids = async (): Promise<string[]> => {
  const port = Number(env.STOA_PORT)
  const { json } = await send(port, { path: '/api/oauth/jwks', host: `127.0.0.1:${port}` })
  return json.keys.map(({ kid }: { kid: string }) => kid)
}

const buildLine = ({ err }: Ran): string => {
  const lines = err.split('\n').filter(line => line.startsWith('stoa: '))
  assert.equal(lines.length, 1, err)
  assert.doesNotMatch(err, /\n +at /, 'no stack')
  return lines[0] ?? ''
}

const refused = async (args: readonly string[], expected: RegExp, more: Record<string, string> = {}): Promise<void> => {
  const ran = await stoa(args, { ...env, ...more })
  assert.deepEqual([ran.code, ran.out], [NEEDS_PERSON, ''], `${args.join(' ')}: ${ran.err}`)
  assert.match(buildLine(ran), expected)
}

before(async () => {
  env = { ...(await freshSettings()), STOA_OWNER_PASSWORD: PASSWORD }
  server = await serve(env)
  await signsIn()
})
after(async () => {
  server?.child.kill('SIGTERM')
  await server?.ended()
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
})

test('a secret is a file that only its owner reads', async () => {
  assert.equal((await stat(secretFile())).mode & 0o777, 0o600)
  assert.match(await readFile(secretFile(), 'utf8'), /^[\w-]{43}\n$/)
  const names = await readdir(env.STOA_DATA ?? '')
  assert.deepEqual(
    names.filter(name => name.startsWith('secret')),
    ['secret'],
  )
})

test('a secret that is removed while a server runs is not created again by a command, and the keys are kept', async () => {
  await rename(secretFile(), keptFile())
  await refused(['members', 'invite', 'new@crumb.example'], /the secret is missing: .*stoa keys replace-lost/)
  const running = await stoa(['keys', 'replace-lost', '--yes'], env)
  assert.match(buildLine(running), /a server runs on this data folder/)
  await signsIn()
  assert.ok(!(await readdir(env.STOA_DATA ?? '')).includes('secret'))
  await stop()
})

test('without its secret neither the server nor a command that needs it starts, and nothing is created', async () => {
  const missing = /the secret is missing: there is no file \S+\/secret, .*restore the file .*stoa keys replace-lost/
  await refused(['serve'], missing)
  await refused(['members', 'invite', 'new@crumb.example'], missing)
  await refused(['schools', 'create', 'https://rye.example', '--owner-email', 'rita@rye.example'], missing)
  await refused(['keys', 'rotate', '--now'], missing)
  const { code, out } = await stoa(['doctor'], env)
  assert.equal(code, 1)
  assert.match(out, /FAIL secret: the secret is missing: /)
  assert.equal((await stoa(['schools', 'list', '--json'], env)).code, 0, 'what needs no secret works')
  assert.ok(!(await readdir(env.STOA_DATA ?? '')).includes('secret'))
})

test('a secret that is another one, too short, or cannot be read is refused too', async () => {
  const wrong = { STOA_SECRET: 'w'.repeat(43) }
  await refused(['serve'], /the secret in STOA_SECRET does not unseal \d+ of \d+ keys .*stoa keys replace-lost/, wrong)
  await refused(['backup', join(env.STOA_DATA ?? '', 'x.stoa')], /does not unseal \d+ of \d+ keys/, wrong)
  await writeFile(secretFile(), '')
  await refused(['serve'], /secret does not hold a secret/)
  await rm(secretFile())
  await writeFile(secretFile(), `${'w'.repeat(43)}\n`)
  await refused(['serve'], /the secret in \S+\/secret does not unseal/)
  await rm(secretFile())
  assert.deepEqual(
    (await readdir(env.STOA_DATA ?? '')).filter(name => /secret|stoa/.test(name)),
    [],
  )
})

test('a secret that is put back opens everything again; the file is named where STOA_SECRET is wrong', async () => {
  await rename(keptFile(), secretFile())
  await refused(['serve'], /the one in \S+\/secret does: unset STOA_SECRET/, { STOA_SECRET: 'w'.repeat(43) })
  server = await serve(env)
  await signsIn()
  await stop()
})

test('a secret that is lost for good is replaced when an option says so, and people sign in again', async () => {
  server = await serve(env)
  const before = await kids()
  await stop()
  await rm(secretFile())
  const output = await stoa(['keys', 'replace-lost'], env)
  assert.equal(output.code, 1)
  assert.match(buildLine(output), /\d+ keys of 1 schools cannot be unsealed and would be replaced.*--yes/)
  assert.ok(!(await readdir(env.STOA_DATA ?? '')).includes('secret'))
  const done = await stoa(['keys', 'replace-lost', '--yes', '--json'], env)
  assert.equal(done.code, 0, done.err)
  const [replaced] = JSON.parse(done.out).replaced
  assert.ok(replaced.keys.length >= 1)
  const again = await stoa(['keys', 'replace-lost', '--yes'], env)
  assert.match(again.out, /nothing was replaced/)
  server = await serve(env)
  await signsIn()
  assert.ok((await kids()).every(kid => !before.includes(kid)))
  await stop()
})
