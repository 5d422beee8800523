import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { listSchools } from '#src/db/schools.ts'
import { people } from '#src/demo/index.ts'
import { hashPassword } from '#src/identity/index.ts'
import { sha256, systemRandom } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { createInstallation, type TestInstallation } from '#testing/backup.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { createTestDatabase } from '#testing/database.ts'
import { send, type TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK, openConsent, pkce, register, tokenRequest } from '#testing/oauth.ts'
import { PASSWORD } from '#testing/password.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'

const SECRET = 'a secret of an installation from before, long enough'
const MIGRATIONS = new URL('../migrations/', import.meta.url)
const FIRST_WITH_SITES = '0085'
const LITERAL = 'http://127.0.0.1:3000'
// Version 7 UUIDs of one moment begin alike.
const SCHOOLS = [
  [LITERAL, '01900000-0000-7000-8000-0000aaaa0001', '127.0.0.1:3000'],
  ['http://[::1]:3000', '01900000-0000-7000-8000-0000aaaa0002', '[::1]:3000'],
  ['http://127.0.0.1:4000', '01900000-0000-7000-8000-0000aaaa0003', '127.0.0.1:4000'],
  ['https://learn.example.org', '01900000-0000-7000-8000-0000aaaa0004', 'learn.example.org'],
] as const
const [[, ID]] = SCHOOLS
const ADA = { email: people.ada.email, password: PASSWORD }
const TOKEN = newToken('stoa_at_', systemRandom)

let old: TestInstallation & { readonly database: Awaited<ReturnType<typeof createTestDatabase>> }
let server: ServerProcess

const migrateToBefore = async ({ database: { query } }: TestInstallation): Promise<void> => {
  const names = (await readdir(MIGRATIONS)).filter(name => /^\d{4}_/.test(name) && name < FIRST_WITH_SITES).sort()
  await query('create schema stoa')
  await query(
    'create table stoa.migrations (name text primary key, hash text not null, applied_at timestamptz not null)',
  )
  for (const name of names) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
    await query(text)
    await query('insert into stoa.migrations values ($1, $2, clock_timestamp())', [name, sha256(text).toString('hex')])
  }
}

const fill = async ({ database: { query } }: TestInstallation): Promise<void> => {
  const [member, session, grant] = [randomUUID(), randomUUID(), randomUUID()]
  for (const [baseUrl, id, host] of SCHOOLS) {
    await query(`insert into schools (id, base_url, name, created_at, updated_at) values ($1, $2, $2, now(), now())`, [
      id,
      baseUrl,
    ])
    await query(`insert into hosts (host, school_id, purpose) values ($1, $2, 'school')`, [host, id])
  }
  await query(`insert into hosts (host, school_id, purpose) values ('localhost:3000', $1, 'pages')`, [ID])
  await query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, role, created_at, updated_at)
     values ($1, $2, $3, $3, 'Ada', 'ada', 'owner', now(), now())`,
    [ID, member, ADA.email],
  )
  await query(`insert into credentials values ($1, $2, 'password', $3, now(), now())`, [
    ID,
    member,
    await hashPassword(PASSWORD),
  ])
  await query(
    `insert into sessions (school_id, id, secret_hash, member_id, amr, auth_time, created_at, started_at, recent_until, expires_at)
     values ($1, $2, $3, $4, '{pwd}', now(), now(), now(), now(), now() + interval '1 hour')`,
    [ID, session, sha256('session'), member],
  )
  for (const [id, uri] of [
    ['before', CALLBACK],
    ['api-reference', `${LITERAL}/docs/callback`],
  ])
    await query(
      `insert into clients (school_id, id, name, redirect_uris, auth_method, grant_types, application_type, id_token_alg,
         created_at, last_seen_at)
       values ($1, $2, $2, array[$3::text], 'none', '{authorization_code}', 'native', 'RS256', now(), now())`,
      [ID, id, uri],
    )
  await query(
    `insert into grants (school_id, id, member_id, client_id, scopes, resources, redirect_uri, code_hash, code_challenge,
       code_expires_at, code_used_at, session_id, amr, auth_time, created_at, expires_at)
     values ($1, $2, $3, 'before', '{openid,account:read}', array[$4::text], $5, $6, 'x', now(), now(), $7, '{pwd}', now(), now(), now() + interval '1 year')`,
    [ID, grant, member, LITERAL, CALLBACK, sha256('code'), session],
  )
  await query(
    `insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
     values ($1, $2, $3, $4, '{openid,account:read}', now(), now() + interval '1 hour')`,
    [ID, sha256(TOKEN), grant, LITERAL],
  )
}

before(async () => {
  const database = await createTestDatabase('template0')
  const { run, secret, folder } = await createInstallation(database, SECRET)
  old = { database, run, secret, folder }
  await migrateToBefore(old)
  await fill(old)
  const { code, err } = await old.run('migrate')
  assert.equal(code, 0, err)
  server = await startProcess({ databaseUrl: database.appUrl, secret: SECRET })
})
after(async () => {
  await server?.stop()
  await old?.database.drop()
})

const get = (host: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> =>
  send(server.port, { path, host, headers: { accept: 'text/html', ...headers } })

test('schools on loopback get hosts and an origin of their pages, and a host for static pages makes room for them', async () => {
  const schools = (await listSchools(old.database.elsewhere().shared)).map(({ baseUrl, siteOrigin }) => [
    baseUrl,
    siteOrigin,
  ])
  assert.deepEqual(schools, [
    [LITERAL, 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://s-aaaa0002.localhost:3000'],
    ['http://127.0.0.1:4000', 'http://localhost:4000'],
    ['https://learn.example.org', 'https://learn.example.org'],
  ])
  const hosts = await old.database.query<{ base_url: string; host: string; purpose: string }>(
    'select s.base_url, h.host, h.purpose from hosts h join schools s on s.id = h.school_id order by s.id, h.host',
  )
  assert.deepEqual(
    hosts.map(({ base_url, host, purpose }) => [base_url, host, purpose]),
    [
      [LITERAL, '127.0.0.1:3000', 'school'],
      [LITERAL, 'localhost:3000', 'site'],
      [LITERAL, 'pages.localhost:3000', 'pages'],
      ['http://[::1]:3000', '[::1]:3000', 'school'],
      ['http://[::1]:3000', 's-aaaa0002.localhost:3000', 'site'],
      ['http://127.0.0.1:4000', '127.0.0.1:4000', 'school'],
      ['http://127.0.0.1:4000', '[::1]:4000', 'alias'],
      ['http://127.0.0.1:4000', 'localhost:4000', 'site'],
      ['https://learn.example.org', 'learn.example.org', 'school'],
    ],
  )
})

test('sessions of loopback end once; tokens from before work, and their issuer stays', async () => {
  const sessions = await old.database.query<{ is_over: boolean }>(
    'select ended_at is not null as is_over from sessions',
  )
  assert.deepEqual(sessions, [{ is_over: true }])
  for (const host of ['127.0.0.1:3000', 'localhost:3000']) {
    const { status, json } = await get(host, '/api/v1/account', { accept: '*/*', authorization: `Bearer ${TOKEN}` })
    assert.deepEqual([status, json.email], [200, ADA.email], host)
    assert.equal((await get(host, '/.well-known/openid-configuration')).json.issuer, LITERAL)
  }
})

test('an authorization that begins at the base URL goes on at the pages, and its app gets the issuer that it knows', async () => {
  const [school] = await listSchools(old.database.elsewhere().shared)
  assert.ok(school)
  const { verifier, challenge } = pkce()
  const { json: client } = await register(server.port, school)
  const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, scope: 'openid', code_challenge: challenge }
  const begun = await get('127.0.0.1:3000', authorizePath(parameters))
  assert.deepEqual([begun.status, begun.headers.location], [307, `http://localhost:3000${authorizePath(parameters)}`])
  const browser = openBrowser(server.port, school)
  const consent = await openConsent(browser, ADA, parameters)
  const { headers } = await browser.submit(parseForm(consent), [['decision', 'approve']])
  const answer = new URL(String(headers.location)).searchParams
  assert.equal(answer.get('iss'), LITERAL)
  const exchange = { grant_type: 'authorization_code', client_id: client.client_id, redirect_uri: CALLBACK }
  const reply = await tokenRequest(server.port, school, {
    ...exchange,
    code: answer.get('code') ?? '',
    code_verifier: verifier,
  })
  assert.equal(reply.status, 200, reply.text)
  const [, claims = ''] = String(reply.json.id_token).split('.')
  assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).iss, LITERAL)
})

test('the API reference signs people in at the origin of the pages, also where it was used before', async () => {
  const request = (redirectUri: string) =>
    authorizePath({
      client_id: 'api-reference',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 's',
      code_challenge: pkce().challenge,
    })
  const { status, headers } = await get('localhost:3000', request('http://localhost:3000/docs/callback'))
  assert.equal(status, 303)
  assert.match(String(headers.location), /^\/oauth\/authorize\//)
  assert.equal((await get('localhost:3000', request(`${LITERAL}/docs/callback`))).status, 400)
})
