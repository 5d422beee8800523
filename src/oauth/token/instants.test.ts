// One thing: statements run one by one at instants that a request cannot reach, and after changes between two requests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '#src/contract/db.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { readRefreshToken } from '#src/kit/token.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { later, stopClock } from '#testing/clock.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { REFRESHING } from '#testing/tokens.ts'
import { endGrant } from './end.ts'
import { exchangeCode, rotateFamily, type TokenRequest } from './issue.queries.ts'
import { findActiveRefresh, moveEpoch } from './presented.queries.ts'
import { findToken, shareLockGrant } from './queries.ts'
import { findAnswer, insertBeside } from './refresh.queries.ts'

const app = testApp()
const START = new Date('2030-01-01T12:00:00Z')
const SECOND = 1000
let database: OpenDatabase | undefined
after(() => database?.close())

const opened = (): OpenDatabase => {
  database ??= openDatabase(app.database.appUrl, { wait: 10_000, max: 2 })
  return database
}
const ask = <Result>(work: (db: Db, schoolId: string) => Promise<Result>): Promise<Result> =>
  opened().statements(app.a.id, db => work(db, app.a.id))
const change = (text: string, values: readonly unknown[]) => app.database.query(text, values)
const at = (instant: Date) => stopClock(app.database, instant)

type Grant = { id: string; client_id: string; expires_at: Date; code_expires_at: Date; created_at: Date }

const readGrant = async (codeHash: Buffer): Promise<Grant> => {
  const [row] = await app.database.query<Grant>(
    'select id, client_id, expires_at, code_expires_at, created_at from grants where code_hash = $1',
    [codeHash],
  )
  assert.ok(row)
  return row
}

const approved = async () => {
  await at(START)
  const visitor = { port: app.port, school: app.a, email: 'dev@crumb.example', password: PASSWORD }
  const { exchange } = await approve(visitor, { metadata: REFRESHING })
  const codeHash = sha256(String(exchange.code))
  return { exchange, codeHash, grant: await readGrant(codeHash) }
}

/** A request of a client for tokens; of another one, nothing is issued. */
const buildRequest = async (clientId: string, more: Partial<TokenRequest> = {}): Promise<TokenRequest> => {
  const keys = await app.database.query<{ kid: string }>('select kid from signing_keys', [])
  return {
    ...{ clientId, isAuthenticated: false, resource: undefined, baseUrl: app.a.baseUrl, lifetimes: app.a.lifetimes },
    kids: keys.map(({ kid }) => kid),
    tokenHash: sha256(newUuid(0)),
    ...more,
  }
}

type Hashes = ReturnType<typeof computeHashes>

const tryRefresh = async (presented: Hashes, clientId: string, more: Partial<TokenRequest> = {}) => {
  const values = { nextHash: sha256(newUuid(0)), salt: Buffer.alloc(32, 1), scopes: undefined, givesAccess: true }
  const request = { ...(await buildRequest(clientId, more)), ...presented, ...values }
  return ask((db, id) => rotateFamily(db, id, request))
}

/** What a refresh would meet. */
const readFamily = (presented: Hashes) => tryRefresh(presented, 'another client')

const computeHashes = (refreshToken: string) => {
  const token = readRefreshToken(refreshToken)
  assert.ok(token)
  return { handleHash: sha256(token.handle), secretHash: sha256(token.secret) }
}

const connected = async () => {
  const { exchange, grant } = await approved()
  const { json } = await tokenRequest(app.port, app.a, exchange)
  const refreshed = await tokenRequest(app.port, app.a, {
    grant_type: 'refresh_token',
    client_id: String(exchange.client_id),
    refresh_token: json.refresh_token,
  })
  assert.equal(refreshed.status, 200, refreshed.text)
  const accessHash = sha256(String(refreshed.json.access_token))
  const scopes = String(refreshed.json.scope).split(' ')
  const [stored] = await app.database.query<{ resource: string; scopes: string[] }>(
    'select resource, scopes from access_tokens where token_hash = $1',
    [accessHash],
  )
  assert.deepEqual(stored?.scopes, scopes)
  return {
    grant,
    accessHash,
    firstAccessHash: sha256(String(json.access_token)),
    previous: computeHashes(json.refresh_token),
    current: computeHashes(refreshed.json.refresh_token),
    newAccess: () => ({
      grantId: grant.id,
      tokenHash: sha256(newUuid(0)),
      scopes,
      resource: String(stored?.resource),
      lifetimes: app.a.lifetimes,
    }),
  }
}

type Connected = Awaited<ReturnType<typeof connected>>

/** Makes the client, which all approvals share, a pre-registered one or one with a secret. */
const registerAs = ({ grant }: Connected, arrangedAt: 'null' | 'created_at', method: string) =>
  change(`update clients set arranged_at = ${arrangedAt}, auth_method = $2 where id = $1`, [grant.client_id, method])

/** Whether a refresh token is exchanged. */
const rotates = async ({ grant }: Connected, presented: Hashes, more: Partial<TokenRequest> = {}): Promise<boolean> =>
  ((await tryRefresh(presented, grant.client_id, more))?.expires_in ?? null) !== null

/** Which of the ways to use an approval are open. */
const openWays = async (one: Connected) => {
  const { grant, accessHash, current, previous, newAccess } = one
  const family = await readFamily(current)
  return {
    access: (await ask((db, id) => findToken(db, id, accessHash))) !== undefined,
    family: family?.is_active === true,
    refresh: (await ask((db, id) => findActiveRefresh(db, id, current))) !== undefined,
    locked: (await ask((db, id) => shareLockGrant(db, id, grant.id))) !== undefined,
    beside: (await ask((db, id) => insertBeside(db, id, newAccess(), previous))) !== undefined,
    rotated: await rotates(one, current),
  }
}

const ALL = { access: true, family: true, refresh: true, locked: true, beside: true, rotated: true }
const NONE = { access: false, family: false, refresh: false, locked: false, rotated: false }

test('an approval is open in every way until the instant at which it ends, and closed from then on', async () => {
  const end = later(START, 30 * SECOND)
  const one = await connected()
  await change('update grants set expires_at = $2 where id = $1', [one.grant.id, end])
  await at(end)
  const { beside: _late, ...ways } = await openWays(one)
  assert.deepEqual(ways, NONE)
  await at(later(end, -1))
  assert.deepEqual(await openWays(one), ALL)
})

test('an approval that was ended is closed in every way, also to a request that found it open', async () => {
  const one = await connected()
  assert.equal(await endGrant(opened(), app.a, one.grant.id, 'client_revoked'), true)
  assert.deepEqual(await openWays(one), { ...NONE, beside: false })
  assert.equal(await endGrant(opened(), app.a, one.grant.id, 'client_revoked'), false, 'it had ended')
  const other = await connected()
  assert.deepEqual(await openWays(other), ALL, 'another one is open')
})

test('an epoch ends approvals from before it, and none of its own instant; it moves neither back nor ahead of now', async () => {
  const one = await connected()
  const move = (before: Date | undefined) =>
    ask((db, id) => moveEpoch(db, id, { before, eventId: newUuid(START.getTime()) }))
  assert.equal(await move(later(START, 1)), undefined)
  assert.deepEqual(await move(START), { at: START })
  assert.deepEqual(await move(later(START, -SECOND)), { at: START })
  const events = await change(`select from security_events where kind = 'tokens_expired' and school_id = $1`, [
    app.a.id,
  ])
  assert.equal(events.length, 2)
  const { rotated: _used, ...ways } = await openWays(one)
  assert.deepEqual(Object.values(ways), [true, true, true, true, true])
  await at(later(START, 1))
  assert.deepEqual(await move(undefined), { at: later(START, 1) })
  const { access, family, refresh, locked } = await openWays(one)
  assert.deepEqual([access, family, refresh, locked], [false, false, false, false])
  await change('update schools set tokens_epoch = $2 where id = $1', [app.a.id, START])
})

test('an access token is valid until the instant at which it ends, and so is an unused refresh family', async () => {
  const one = await connected()
  const [accessEnd, idleEnd] = [app.a.lifetimes.access, app.a.lifetimes.idle].map(seconds =>
    later(START, seconds * SECOND),
  )
  const isActiveEntitlement = () => ask((db, id) => findToken(db, id, one.accessHash))
  await at(later(accessEnd ?? START, -1))
  assert.equal((await isActiveEntitlement())?.grant_id, one.grant.id)
  await at(accessEnd ?? START)
  assert.equal(await isActiveEntitlement(), undefined)
  await at(idleEnd ?? START)
  const { beside: _late, locked, ...ways } = await openWays(one)
  assert.equal(locked, true, 'the approval itself')
  assert.deepEqual(Object.values(ways), [false, false, false, false])
  await at(later(idleEnd ?? START, -1))
  assert.deepEqual(await openWays(one), { ...ALL, access: false, beside: false })
})

test('the refresh token before the current one gets the same response for a minute, its last instant included', async () => {
  const one = await connected()
  const readState = async (presented = one.previous) => (await readFamily(presented))?.state
  const beside = () => ask((db, id) => insertBeside(db, id, one.newAccess(), one.previous))
  const last = later(START, 60 * SECOND)
  await at(last)
  assert.deepEqual([await readState(), await readState(one.current)], ['previous', 'current'])
  assert.ok(await beside())
  assert.equal(await ask((db, id) => insertBeside(db, id, one.newAccess(), one.current)), undefined)
  const elsewhere = { ...one.newAccess(), grantId: (await connected()).grant.id }
  await at(last)
  assert.equal(await ask((db, id) => insertBeside(db, id, elsewhere, one.previous)), undefined)
  await at(later(last, 1))
  assert.deepEqual([await readState(), await readState(one.current)], ['other', 'current'])
  assert.equal(await beside(), undefined)
})

test('a response is repeated only while its access token is valid, for the same approval, resource and scopes', async () => {
  const one = await connected()
  const same = { ...one.newAccess(), tokenHash: one.accessHash }
  const found = (access: typeof same) => ask((db, id) => findAnswer(db, id, access))
  const { access, idle } = app.a.lifetimes
  await at(later(START, SECOND))
  assert.deepEqual(await found(same), { expires_in: access - 1, refresh_expires_in: idle - 1 })
  const other = await connected()
  await at(later(START, SECOND))
  for (const wrong of [
    { ...same, grantId: other.grant.id },
    { ...same, resource: `${same.resource}/other` },
    { ...same, scopes: same.scopes.slice(1) },
    { ...same, tokenHash: sha256('none') },
  ])
    assert.equal(await found(wrong), undefined)
  const end = later(START, access * SECOND)
  await at(end)
  assert.equal(await found(same), undefined)
  await at(later(end, -1))
  assert.deepEqual((await found(same))?.expires_in, 1)
  await change('update access_tokens set revoked_at = $2 where token_hash = $1', [one.accessHash, START])
  assert.equal(await found(same), undefined)
})

test('a refresh that comes second, names another family or another secret, stores nothing', async () => {
  const [one, other] = [await connected(), await connected()]
  const count = async () => (await change('select from access_tokens', [])).length
  const stored = await count()
  const wrong = [one.previous, { ...one.current, handleHash: other.current.handleHash }]
  for (const presented of wrong) assert.equal(await rotates(one, presented), false)
  assert.equal(await count(), stored)
  assert.equal(await rotates(one, one.current), true)
  assert.equal(await rotates(one, one.current), false)
  assert.equal(await count(), stored + 1)
})

test('a refresh sweeps away tokens of its own approval that ended more than 30 days before', async () => {
  for (const isKept of [false, true]) {
    const [one, other] = [await connected(), await connected()]
    if (isKept) await registerAs(one, 'created_at', 'client_secret_post')
    const now = later(START, 20 * SECOND)
    await at(now)
    const kept = later(now, -30 * 24 * 3600 * SECOND)
    const end = (hash: Buffer, expires: Date) =>
      change('update access_tokens set expires_at = $2, issued_at = $2 where token_hash = $1', [hash, expires])
    const tokens = async (): Promise<string[]> => {
      const all = [one.firstAccessHash, one.accessHash, other.accessHash]
      const rows = await app.database.query<{ token_hash: Buffer }>('select token_hash from access_tokens', [])
      return all.map(hash => String(rows.some(row => row.token_hash.equals(hash))))
    }
    await end(one.firstAccessHash, later(kept, -1))
    await end(one.accessHash, kept)
    await end(other.accessHash, later(kept, -1))
    assert.ok(await rotates(one, one.current, { isAuthenticated: true }))
    assert.deepEqual(await tokens(), ['false', 'true', 'true'], String(isKept))
    assert.equal((await readFamily(one.current))?.state, isKept ? 'current' : 'previous')
    await registerAs(one, 'null', 'none')
  }
})

test('a code is valid until the instant at which it ends, for its own approval, once', async () => {
  const exchangeAgain = async (one: Awaited<ReturnType<typeof approved>>, more: object = {}) => {
    const request = {
      ...(await buildRequest(one.grant.client_id)),
      ...{ codeHash: one.codeHash, redirectUri: String(one.exchange.redirect_uri) },
      challenge: sha256(String(one.exchange.code_verifier)).toString('base64url'),
      first: { handleHash: sha256(newUuid(0)), secretHash: sha256('secret') },
      ...more,
    }
    return ask((db, id) => exchangeCode(db, id, request))
  }
  const approval = await approved()
  const isExpired = async () => (await exchangeAgain(approval, { clientId: 'another client' }))?.is_expired
  const exchange = async (more: object = {}) => (await exchangeAgain(approval, more))?.expires_in ?? undefined
  const { grant } = approval
  await at(grant.code_expires_at)
  assert.deepEqual([await isExpired(), await exchange()], [true, undefined])
  await at(later(grant.code_expires_at, -1))
  assert.equal(await isExpired(), false)
  assert.equal(await exchange({ codeHash: sha256('other') }), undefined)
  const revoke = (instant: Date | null) =>
    change('update grants set revoked_at = $2, revoked_for = $3 where id = $1', [
      grant.id,
      instant,
      instant && 'client_revoked',
    ])
  await revoke(START)
  assert.equal(await exchange(), undefined)
  await revoke(null)
  assert.equal(await exchange(), app.a.lifetimes.access)
  assert.equal(await exchange(), undefined)
  const short = await approved()
  await change('update grants set expires_at = $2 where id = $1', [short.grant.id, later(START, 90 * SECOND)])
  const both = await exchangeAgain(short)
  assert.deepEqual([both?.expires_in, both?.refresh_expires_in], [90, 90], 'nothing outlives the approval')
})

test('refresh tokens rotate unless the client is pre-registered and has a secret', async () => {
  const one = await connected()
  const cases = [
    ['null', 'none', true],
    ['null', 'client_secret_post', true],
    ['created_at', 'none', true],
    ['created_at', 'client_secret_post', false],
  ] as const
  for (const [arranged, method, rotating] of cases) {
    await registerAs(one, arranged, method)
    assert.equal((await readFamily(one.current))?.rotates, rotating, `${arranged} ${method}`)
  }
  await registerAs(one, 'null', 'none')
})
