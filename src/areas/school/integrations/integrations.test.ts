import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount, formTo, listFields, listForms, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { form as formRequest, type TestReply } from '#testing/http.ts'

const app = testApp()
const PATH = '/staff/integrations'

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

const readNotice = ({ text }: TestReply): string =>
  /<p class="(?:note|done)" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

const secretIn = ({ text }: TestReply): string => /<code class="copy">(stoa_cs_\w+)<\/code>/.exec(text)?.[1] ?? ''
const idIn = ({ text }: TestReply): string => /<code class="copy">(c3_\w+)<\/code>/.exec(text)?.[1] ?? ''
const buildPath = (id: string): string => `${PATH}/app?client_id=${id}`

const press = async (browser: Browser, id: string, act: string, fields: Readonly<Record<string, string>> = {}) =>
  browser.submit(formTo(await browser.open(buildPath(id)), buildPath(id), { act }), Object.entries(fields))

// A client with a wrong secret is refused before its token is looked at.
const isAccepted = async (id: string, secret: string): Promise<boolean> => {
  const request = formRequest('/api/oauth/revoke', [
    ['token', 'stoa_at_unknown'],
    ['client_id', id],
    ['client_secret', secret],
  ])
  return (await app.send(request)).status === 200
}

const create = async (browser: Browser, fields: Readonly<Record<string, string>>) => {
  const page = await browser.open(`${PATH}/new`)
  return browser.submit(formTo(page, `${PATH}/new`), Object.entries(fields))
}

test('an owner registers an app, whose secret is shown once and works, changes the secret twice, and removes the app', async () => {
  const ada = await enter('ada')
  for (const [fields, pattern] of [
    [{ name: 'Till', uris: 'http://till.example/callback' }, /redirect URIs/],
    [{ name: '', uris: 'https://till.example/callback' }, /enter a name/],
    [{ name: 'Till', uris: '' }, /redirect URIs/],
    [{ name: 'Till', uris: 'https://till.example/callback', scope: 'bread:bake' }, /permissions/],
  ] as const) {
    const refused = await create(ada, fields)
    assert.deepEqual([refused.status, pattern.test(readNotice(refused))], [422, true], refused.text)
    assert.ok(refused.text.includes(fields.uris))
  }
  const created = await create(ada, { name: 'Till', uris: 'https://till.example/callback', scope: 'school:read' })
  const [id, first] = [idIn(created), secretIn(created)]
  assert.ok(id !== '' && first !== '', created.text)
  assert.ok(await isAccepted(id, first))
  const shown = await ada.open(buildPath(id))
  assert.ok(!shown.text.includes('stoa_cs_') && shown.text.includes('value="school:read" checked'), shown.text)

  const second = secretIn(await press(ada, id, 'rotate'))
  assert.deepEqual([await isAccepted(id, first), await isAccepted(id, second)], [true, true])
  const again = await press(ada, id, 'rotate')
  assert.deepEqual([again.status, secretIn(again)], [409, ''])
  const third = secretIn(await press(ada, id, 'rotate', { at_once: 'yes' }))
  assert.deepEqual(await Promise.all([first, second, third].map(secret => isAccepted(id, secret))), [
    false,
    false,
    true,
  ])
  const stored = await app.database.query(
    `select 1 from audit_log where fields::text like '%stoa_cs_%' union all select 1 from facts where payload::text like '%stoa_cs_%'
     union all select 1 from idempotency_keys where body like '%stoa_cs_%'`,
  )
  assert.deepEqual(stored, [])

  const removed = await press(ada, id, 'remove')
  assert.match(readNotice(removed), /removed/)
  assert.equal(await isAccepted(id, third), false)
  const gone = await ada.open(buildPath(id))
  assert.deepEqual(listForms(gone), [])
  const facts = await app.database.query<{ type: string }>(
    "select type from facts where type like 'integration.%' order by id",
  )
  assert.deepEqual(
    facts.map(({ type }) => type),
    ['integration.created', 'integration.secret_rotated', 'integration.secret_rotated', 'integration.deleted'],
  )
})

test('a change of an app ends the approvals that have more than it may request from then on, and no others', async () => {
  const ada = await enter('ada')
  const id = idIn(await create(ada, { name: 'Till', uris: 'https://till.example/callback', confidential: 'no' }))
  const insert = (scopes: readonly string[]) =>
    app.database.query(
      `insert into grants (school_id, id, member_id, client_id, scopes, resources, redirect_uri, code_hash, code_challenge,
         code_expires_at, session_id, amr, auth_time, created_at, expires_at)
       select school_id, gen_random_uuid(), member_id, $1, $2, '{}', 'https://till.example/callback', gen_random_uuid()::text::bytea, '',
         stoa.now(), id, '{}', stoa.now(), stoa.now(), stoa.now() + interval '1 day' from sessions where school_id = $3 limit 1`,
      [id, scopes, app.a.id],
    )
  await insert(['openid', 'school:read'])
  await insert(['school:read', 'orders:read'])
  const changed = await press(ada, id, 'save', {
    name: 'Bakery till',
    uris: 'https://till.example/callback',
    scope: 'school:read',
  })
  assert.equal(changed.status, 200, changed.text)
  const scoped = await app.database.query<{ scopes: string[]; ended: boolean }>(
    'select scopes, revoked_at is not null as ended from grants where client_id = $1 order by array_length(scopes, 1), scopes',
    [id],
  )
  assert.deepEqual(
    scoped.map(({ ended }) => ended),
    [true, true],
    'neither fits within school:read alone',
  )
  const widened = await press(ada, id, 'save', { uris: 'https://till.example/callback\ncom.example.till:/callback' })
  assert.equal(widened.status, 200, widened.text)
  const [client] = await app.database.query<{ name: string; redirect_uris: string[] }>(
    'select name, redirect_uris from clients where id = $1',
    [id],
  )
  assert.deepEqual(client, {
    name: 'Bakery till',
    redirect_uris: ['com.example.till:/callback', 'https://till.example/callback'],
  })
  const empty = await press(ada, id, 'save', { uris: '' })
  assert.equal(empty.status, 422)
})

test('admins have no integrations, those of another school are not there, and self-registered apps cannot be changed', async () => {
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const id = idIn(await create(ada, { name: 'Till', uris: 'https://till.example/callback' }))
  const refused = await ben.open(PATH)
  assert.deepEqual([refused.status, /for owners of the school/.test(refused.text)], [403, true])
  const token = new Map(listFields(formTo(await ben.open('/account'), '/account/sign-out'))).get('token') ?? ''
  for (const act of ['rotate', 'remove']) {
    const reply = await post(app.port, ben, buildPath(id), Object.entries({ act, token }))
    assert.equal(reply.status, 403)
  }
  const other = await enterAccount({ port: app.port, school: app.b, email: 'ada@crumb.example', password: PASSWORD })
  assert.equal((await other.open(buildPath(id))).status, 404)
  const actor = await app.actor('ada', { scopes: ['school:read'] })
  assert.equal((await actor.get('/school')).status, 200)
  const [client] = await app.database.query<{ id: string }>('select id from clients where arranged_at is null limit 1')
  assert.equal((await ada.open(buildPath(client?.id ?? 'c1_none'))).status, 404)
  assert.equal(await isAccepted(id, 'stoa_cs_wrong'), false)
})
