import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { freshSettings, type Ran, stoa } from '#testing/stoa.ts'
import { type Connected, callAt, connect, lastCallAt, REFRESHING, refreshAt } from '#testing/tokens.ts'

const app = testApp()
let folder: Record<string, string>

before(async () => {
  folder = await freshSettings()
})
after(() => rm(folder.STOA_DATA ?? '', { recursive: true, force: true }))

const run = (...args: string[]): Promise<Ran> =>
  stoa(args, { ...folder, STOA_DATABASE_URL: app.database.appUrl, STOA_SECRET: app.secret })
const isValid = async (client: Connected): Promise<boolean> =>
  (await callAt(app.port, client.school, client.access)) === 200
/** Whether the access is over, a second later at the latest. */
const isRevoked = async (client: Connected): Promise<boolean> =>
  (await lastCallAt(app.port, client.school, client.access)) === 401

const assertRefused = async (ran: Promise<Ran>, expected: RegExp): Promise<void> => {
  const { code, err, out } = await ran
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, expected)
  assert.equal(err.trim().split('\n').length, 1, err)
}

const readCode = (metadata: Readonly<Record<string, unknown>>) =>
  approve({ port: app.port, school: app.a, email: people.dev.email, password: PASSWORD }, { metadata })

suite('stoa tokens revoke', () => {
  test('a leaked access token, refresh token of any generation, or code ends its grant, whichever school it is of', async () => {
    const access = await connect(app, 'dev', { metadata: { client_name: 'leaked access' } })
    const refresh = await connect(app, 'eli', { school: app.b, metadata: { client_name: 'leaked refresh' } })
    const mate = await connect(app, 'dev', { metadata: { client_name: 'leaked access' } })
    const { json: next } = await refreshAt(app.port, refresh, refresh.refresh)
    const output = await run('tokens', 'revoke', access.access, '--json')
    assert.equal(output.code, 0, output.err)
    assert.deepEqual(JSON.parse(output.out), { school: app.a.baseUrl, client_id: access.clientId, ended_now: true })
    const abroad = await run('tokens', 'revoke', refresh.refresh)
    assert.match(abroad.out, new RegExp(`client ${refresh.clientId} at https://rye\\.example`))
    assert.ok(!abroad.out.includes(refresh.refresh))
    assert.equal((await refreshAt(app.port, access, access.refresh)).json.error, 'invalid_grant')
    assert.equal((await refreshAt(app.port, refresh, next.refresh_token)).json.error, 'invalid_grant')
    assert.deepEqual([await isRevoked(access), await isRevoked(refresh), await isValid(mate)], [true, true, true])
    const { clientId, exchange } = await readCode({ ...REFRESHING, client_name: 'leaked code' })
    assert.equal((await run('tokens', 'revoke', exchange.code ?? '')).code, 0)
    assert.equal((await tokenRequest(app.port, app.a, exchange)).json.error, 'invalid_grant')
    const events = await app.database.query(
      `select kind from security_events where client_id = any($1) order by recorded_at`,
      [[access.clientId, refresh.clientId, clientId]],
    )
    assert.deepEqual(events, Array(3).fill({ kind: 'token_leaked' }))
    const again = await run('tokens', 'revoke', access.access, '--json')
    assert.equal(JSON.parse(again.out).ended_now, false)
  })

  test('an invalid or unknown token is refused in one line that does not repeat it', async () => {
    const client = await connect(app, 'dev', { metadata: { client_name: 'unharmed' } })
    const wrong: [string[], RegExp][] = [
      [[], /name the leaked value/],
      [[`${client.access}x`], /not a code, access token or refresh token/],
      [['stoa_cs_abc'], /client secret/],
      [[client.access, '--school', app.b.baseUrl], /no school here knows/],
      [[client.access, '--school', 'https://nowhere.example'], /no school has the base URL/],
    ]
    for (const [args, expected] of wrong) {
      const ran = run('tokens', 'revoke', ...args)
      await assertRefused(ran, expected)
      assert.ok(!(await ran).err.includes(client.access))
    }
    await assertRefused(run('tokens', 'rotate'), /usage: stoa tokens/)
    assert.equal(await isValid(client), true)
  })
})

suite('stoa tokens expire', () => {
  test('contradictory arguments are refused, and nothing ends', async () => {
    const client = await connect(app, 'dev', { metadata: { client_name: 'refused' } })
    const wrong: [string[], RegExp][] = [
      [[], /either --all or --issued-before/],
      [['--all', '--issued-before', '2026-01-01T00:00:00Z'], /either --all or --issued-before/],
      [['--issued-before', '2999-01-01T00:00:00Z'], /in the future/],
      ...['yesterday', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01T24:00:00Z'].map(
        (text): [string[], RegExp] => [['--issued-before', text], /is an instant such as/],
      ),
    ]
    for (const [args, expected] of wrong) await assertRefused(run('tokens', 'expire', ...args), expected)
    assert.equal(await isValid(client), true)
  })

  test('--issued-before ends approvals from before it with codes, tokens and families, and no later one', async () => {
    const before = await connect(app, 'dev', { metadata: { client_name: 'before' } })
    const { exchange } = await readCode({ ...REFRESHING, client_name: 'before, a code' })
    await app.moveClock(10)
    const [row] = await app.database.query<{ at: Date }>('select stoa.now() as at')
    await app.moveClock(10)
    const after = await connect(app, 'dev', { metadata: { client_name: 'after' } })
    const { json: renewed } = await refreshAt(app.port, before, before.refresh)
    const ran = await run('tokens', 'expire', '--issued-before', row?.at.toISOString() ?? '', '--school', app.a.baseUrl)
    assert.equal(ran.code, 0, ran.err)
    assert.deepEqual([await isRevoked(before), await isValid(after)], [true, true])
    assert.equal(
      await lastCallAt(app.port, app.a, renewed.access_token),
      401,
      'a renewed token of an old family is dead too',
    )
    assert.equal((await refreshAt(app.port, before, renewed.refresh_token)).json.error, 'invalid_grant')
    assert.equal((await tokenRequest(app.port, app.a, exchange)).json.error, 'invalid_grant')
    assert.equal((await refreshAt(app.port, after, after.refresh)).status, 200)
  })

  test('the epoch never moves back', async () => {
    const client = await connect(app, 'dev', { metadata: { client_name: 'back' } })
    await run('tokens', 'expire', '--all', '--school', app.a.baseUrl)
    assert.equal((await run('tokens', 'expire', '--issued-before', '2001-01-01T00:00:00+01:00')).code, 0)
    assert.equal(await isRevoked(client), true)
  })

  test('--all at one school leaves the other unchanged, and without --school ends everything everywhere', async () => {
    const here = await connect(app, 'dev', { metadata: { client_name: 'all' } })
    const there = await connect(app, 'dev', { school: app.b, metadata: { client_name: 'all' } })
    await run('tokens', 'expire', '--all', '--school', app.a.baseUrl)
    assert.deepEqual([await isRevoked(here), await isValid(there)], [true, true])
    const ran = await run('tokens', 'expire', '--all', '--json')
    assert.deepEqual(
      JSON.parse(ran.out).map(({ school }: { school: string }) => school),
      [app.a.baseUrl, app.b.baseUrl],
    )
    assert.equal(await isRevoked(there), true)
    const fresh = await connect(app, 'dev', { metadata: { client_name: 'all' } })
    assert.equal(await isValid(fresh), true, 'people connect again')
  })

  test('S-16 what a backup brings back to life, the epoch ends', async () => {
    const client = await connect(app, 'dev', { metadata: { client_name: 'restored' } })
    await app.database.query('create table kept as select * from refresh_families')
    const { json: next } = await refreshAt(app.port, client, client.refresh)
    await app.database.query(
      `update refresh_families f set secret_hash = k.secret_hash, previous_hash = null, salt = null, rotated_at = null
       from kept k where k.grant_id = f.grant_id`,
    )
    await run('tokens', 'expire', '--all')
    for (const token of [client.refresh, next.refresh_token])
      assert.equal((await refreshAt(app.port, client, token)).json.error, 'invalid_grant')
    assert.equal(await isRevoked(client), true)
  })
})

suite('stoa keys and doctor', () => {
  test('keys rotate prints which key signs from when, and which one is already next', async () => {
    const first = await run('keys', 'rotate', '--alg', 'ES256', '--school', app.a.baseUrl, '--json')
    const again = await run('keys', 'rotate', '--alg', 'ES256', '--school', app.a.baseUrl, '--json')
    const [key] = JSON.parse(first.out).keys
    const [finding] = JSON.parse(again.out).keys
    assert.deepEqual([key.is_new, finding.is_new], [true, false])
    assert.deepEqual([key.kid, key.signs_from], [finding.kid, finding.signs_from])
    assert.equal(new Date(key.signs_from).toISOString(), key.signs_from)
    await run('schools', 'create', 'https://new.example', '--owner-email', 'nia@new.example')
    const others = await run('keys', 'rotate', '--school', 'https://new.example', '--json')
    assert.deepEqual(
      JSON.parse(others.out).keys.map(({ alg, is_new: isNew }: { alg: string; is_new: boolean }) => [alg, isNew]),
      [
        ['RS256', true],
        ['ES256', true],
      ],
    )
    await assertRefused(run('keys', 'rotate', '--alg', 'HS256', '--school', app.b.baseUrl), /RS256, ES256/)
    await assertRefused(run('keys', 'rotate'), /several schools/)
  })

  test('with a wrong STOA_SECRET doctor lists the keys that cannot be unsealed, and only rotate --now works', async () => {
    const wrong = { ...folder, STOA_DATABASE_URL: app.database.appUrl, STOA_SECRET: 'w'.repeat(40) }
    const findings = async (settings: Record<string, string>) => {
      const { out } = await stoa(['doctor', '--json'], settings)
      const found: { check: string; ok: boolean; says: string }[] = JSON.parse(out).findings
      return found.find(({ check }) => check === `keys ${app.a.baseUrl}`)
    }
    const right = { ...wrong, STOA_SECRET: app.secret }
    assert.equal((await findings(right))?.ok, true)
    const finding = await findings(wrong)
    assert.equal(finding?.ok, false)
    assert.match(finding?.says ?? '', /cannot be unsealed with this STOA_SECRET: [\w-]{43}/)
    const rotate = (...more: string[]) => stoa(['keys', 'rotate', '--school', app.a.baseUrl, ...more], wrong)
    await assertRefused(rotate(), /cannot be unsealed with this STOA_SECRET/)
    assert.equal((await findings(right))?.ok, true)
    assert.equal((await rotate('--now')).code, 0)
    assert.equal((await findings(wrong))?.ok, true)
    await stoa(['keys', 'rotate', '--now', '--school', app.a.baseUrl], right)
  })
})
