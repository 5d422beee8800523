import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { send } from '#testing/http.ts'
import { freshSettings, type Serving, serve, stoa, stoaHere } from '#testing/stoa.ts'

let env: Record<string, string>
let server: Serving
const port = () => Number(env.STOA_PORT)

before(async () => {
  env = await freshSettings()
  server = await serve(env)
})
after(async () => {
  server.child.kill('SIGTERM')
  await server.ended()
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
})

test('serve greets with the address, the people with their passwords, what to open next and the database', () => {
  const { out } = server.output
  assert.match(out, new RegExp(`Stoa is running: http://localhost:${port()}\n`))
  assert.match(out, /owner\s+ada@crumb\.example\s+\S{20}/)
  assert.match(out, /\/auth\.md/)
  assert.match(out, /postgres:\/\/stoa_app@/)
  assert.match(out, /This school is for the person at this computer: serve other people over https/)
})

test('S-14 a second server on the same data folder is refused in one line', async () => {
  const second = await stoa(['serve'], { ...env, STOA_PORT: '0', STOA_BASE_URL: 'http://127.0.0.1:1' })
  assert.equal(second.code, 1)
  const lines = second.err
    .trim()
    .split('\n')
    .filter(line => line.startsWith('stoa:'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /postgres:\/\//)
  assert.equal((await send(port(), { path: '/readyz' })).status, 200)
})

test('commands work while the server runs, for people and for programs', async () => {
  const created = await stoa(['members', 'create', 'gil@crumb.example', '--name', 'Gil', '--json'], env)
  assert.equal(created.code, 0, created.err)
  const { password, role } = JSON.parse(created.out)
  assert.equal(role, 'member')
  assert.ok(password.length >= 20)
  const again = await stoa(['members', 'create', 'GIL@crumb.example'], env)
  assert.deepEqual([again.code, again.err.trim()], [1, 'stoa: GIL@crumb.example already has an account'])
  const promoted = await stoa(['members', 'set-role', 'gil@crumb.example', 'admin'], env)
  assert.match(promoted.out, /gil@crumb\.example is admin now/)
  const typed = 'levain at four in the morning'
  for (const args of [
    ['members', 'create', 'hal@crumb.example', '--password', typed],
    ['members', 'reset-password', 'hal@crumb.example', '--password', typed, '--json'],
  ]) {
    const told = await stoaHere(args, env)
    assert.equal(told.code, 0, told.err)
    assert.match(told.out, /hal@crumb\.example/)
    assert.ok(!`${told.out}${told.err}`.includes(typed), 'a password that was given is not printed')
  }
  const reset = await stoaHere(['members', 'reset-password', 'gil@crumb.example', '--json'], env)
  assert.notEqual(JSON.parse(reset.out).password, password)
})

test('the last owner stays owner', async () => {
  const { code, err } = await stoaHere(['members', 'set-role', 'ada@crumb.example', 'member'], env)
  assert.equal(code, 1)
  assert.match(err, /last owner/)
})

test('a school created by command is served immediately under its own host, as its own issuer', async () => {
  const created = await stoa(
    ['schools', 'create', 'https://rye.example', '--owner-email', 'rita@rye.example', '--json'],
    env,
  )
  assert.equal(created.code, 0, created.err)
  const twice = await stoaHere(['schools', 'create', 'https://rye.example', '--owner-email', 'rita@rye.example'], env)
  assert.match(twice.err, /exists already/)
  const listed = await stoaHere(['schools', 'list', '--json'], env)
  assert.deepEqual(
    JSON.parse(listed.out).map((school: { base_url: string }) => school.base_url),
    [`http://localhost:${port()}`, 'https://rye.example'],
  )
  const metadata = await send(port(), { path: '/.well-known/openid-configuration', host: 'rye.example' })
  assert.equal(metadata.json.issuer, 'https://rye.example')
  const owned = ['schools', 'create', 'https://oat.example', '--owner-email', 'olga@oat.example', '--owner-password']
  const given = await stoaHere([...owned, 'levain at four in the morning'], env)
  assert.match(given.out, /olga@oat\.example, password as in --owner-password/)
  assert.ok(!given.out.includes('levain'))
  const unnamed = await stoaHere(['members', 'create', 'x@rye.example'], env)
  assert.match(unnamed.err, /several schools/)
})

test('a base URL that cannot be an issuer is refused', async () => {
  for (const url of [
    'http://learn.example',
    'https://learn.example/',
    'https://learn.example/a',
    'learn.example',
    'http://a.b.localhost:3000',
    'http://localhost.example:3000',
    'http://127.0.0.1.example:3000',
    'http://[::2]:3000',
    'http://localhost:3000/',
    'http://LOCALHOST:3000',
    'http://localhost.:3000',
  ]) {
    const { code, err } = await stoaHere(['schools', 'create', url, '--owner-email', 'a@b.example'], env)
    assert.equal(code, 1, url)
    assert.equal(err.trim().split('\n').length, 1, err)
  }
})

test('doctor shows the settings without secrets and fails when a school does not answer at its address', async () => {
  const { code, out } = await stoa(['doctor', '--json'], { ...env, STOA_SECRET: 's'.repeat(40) })
  const { settings, findings } = JSON.parse(out)
  assert.equal(settings.secret, '(set, not shown)')
  assert.ok(!out.includes('s'.repeat(40)))
  const byCheck = new Map(findings.map((finding: { check: string; ok: boolean }) => [finding.check, finding.ok]))
  assert.deepEqual(
    ['login', 'migrations', 'history', 'clock'].map(check => byCheck.get(check)),
    [true, true, true, true],
  )
  assert.equal(byCheck.get(`school http://localhost:${port()}`), true)
  const { says } = findings.find(({ check }: { check: string }) => check === `school http://localhost:${port()}`)
  assert.equal(says, 'answers as its own issuer, at this computer; serve other people over https (docs/operations.md)')
  const foreign = [...byCheck].filter(([check]) => String(check).includes('rye.example'))
  assert.equal(code, foreign.length === 0 ? 0 : 1)
})

test('the demo school shows a static page at a name of its own, where doctor finds its host and says what to do for other browsers', async () => {
  const host = `pages.localhost:${port()}`
  const page = await send(port(), { path: '/open-day/', host })
  assert.deepEqual([page.status, /<h1>Open day<\/h1>/.test(page.text)], [200, true])
  const style = await send(port(), { path: '/open-day/style.css', host })
  assert.equal(style.headers['content-type'], 'text/css; charset=utf-8')
  const { headers } = await send(port(), { path: '/open-day', host: `localhost:${port()}` })
  assert.equal(headers.location, `http://${host}/open-day/`)
  const finding = async () => {
    const { out } = await stoaHere(['doctor', '--json'], env)
    const { findings } = JSON.parse(out)
    return findings.find(({ check }: { check: string }) => check === `static pages of http://localhost:${port()}`)
  }
  assert.deepEqual(await finding(), {
    check: `static pages of http://localhost:${port()}`,
    ok: true,
    says: `http://${host} shows them, and nothing else; for a browser that does not resolve the name, add this line to the hosts file: 127.0.0.1 pages.localhost`,
  })
  const set = (url: string) =>
    stoaHere(['schools', 'set', '--school', `http://localhost:${port()}`, '--pages-url', url], env)
  assert.equal((await set('none')).code, 0)
  const without = await finding()
  assert.deepEqual([without.ok, without.warning], [true, true])
  assert.match(without.says, /^no host shows the published ones \(1\)/)
  await set('http://127.0.0.1:1')
  const silent = await finding()
  assert.deepEqual([silent.ok, /does not answer/.test(silent.says)], [false, true])
  await set(`http://${host}`)
})

test('a school at a name below localhost is asked there by doctor, which needs no resolver for it', async () => {
  const baseUrl = `http://rye.localhost:${port()}`
  const created = await stoaHere(['schools', 'create', baseUrl, '--owner-email', 'rita@rye.example'], env)
  assert.equal(created.code, 0, created.err)
  const { findings } = JSON.parse((await stoaHere(['doctor', '--json'], env)).out)
  const found = findings.find(({ check }: { check: string }) => check === `school ${baseUrl}`)
  assert.equal(found.ok, true, found.says)
  assert.match(found.says, /add this line to the hosts file: 127\.0\.0\.1 rye\.localhost$/)
})

test('help names every command, and errors are reported in one line', async () => {
  const { out } = await stoa(['--help'], env)
  for (const name of ['serve', 'migrate', 'seed', 'doctor', 'schools', 'integrations', 'members'])
    assert.match(out, new RegExp(`stoa ${name}`))
  const wrong: [string[], Record<string, string>, RegExp][] = [
    [['bake'], {}, /no command bake/],
    [['members', 'create', '--school', 'https://rye.example'], {}, /e-mail address/],
    [['members', 'list', '--nope'], {}, /--nope/],
    [['doctor'], { STOA_PORT: 'http' }, /STOA_PORT/],
    [['doctor'], { STOA_BASE_URL: 'http://example.org' }, /STOA_BASE_URL/],
    [['doctor'], { STOA_LOG_LEVEL: 'loud' }, /STOA_LOG_LEVEL/],
    [['doctor'], { STOA_TRUST_PROXY: 'everyone' }, /STOA_TRUST_PROXY/],
    [['serve'], { STOA_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, /STOA_SECRET/],
    [
      ['serve'],
      { STOA_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', STOA_SECRET: 's'.repeat(40) },
      /does not answer/,
    ],
    [['migrate'], { STOA_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, /STOA_OWNER_DATABASE_URL/],
  ]
  for (const [args, more, expected] of wrong) {
    const fresh = more.STOA_DATABASE_URL === undefined ? env : { STOA_DATA: '/nonexistent/stoa' }
    const { code, err } = await stoaHere(args, { ...fresh, ...more })
    assert.equal(code, 1, args.join(' '))
    assert.match(err, expected)
    assert.equal(err.trim().split('\n').length, 1, err)
  }
})
