import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, listForms, post, signInAt } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import type { Browser } from '#testing/browser.ts'
import { form, send, type TestReply, type TestRequest } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { withinASecond } from '#testing/oauth.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const SCOPES = ['school:read', 'school:write', 'account:read', 'account:write']

const personAt = (name: PersonName, port = app.port) => ({
  port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

const readRole = async (name: PersonName): Promise<string | undefined> => {
  const rows = await app.database.query<{ role: string }>(
    'select role from members where school_id = $1 and email = $2',
    [app.a.id, people[name].email],
  )
  return rows[0]?.role
}

const setMember = (name: PersonName, column: 'status', value: string) =>
  app.database.query(`update members set ${column} = $1 where school_id = $2 and email = $3`, [
    value,
    app.a.id,
    people[name].email,
  ])

const count = async (from: string, values: readonly unknown[] = []): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`, values)
  return row?.count ?? -1
}

const readId = async (name: PersonName): Promise<string> => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  if (!['admin', 'owner'].includes(people[name].role))
    return (await app.actor(name)).get('/account').then(({ json }) => json.id)
  const { json } = await ada.get('/school/staff')
  return json.data.find((one: { name: string }) => one.name === people[name].name).id
}

const ids = new Map<PersonName, string>()
const memberId = async (name: PersonName): Promise<string> => {
  const id = ids.get(name) ?? (await readId(name))
  ids.set(name, id)
  return id
}

type Pending = { readonly actor: Actor; readonly id: string; readonly path: string; readonly reply: TestReply }

/** Requests, by an owner's app, another role for a member. */
const ask = async (name: PersonName, role: string, actor?: Actor): Promise<Pending> => {
  const asking = actor ?? (await app.actor('ada', { scopes: SCOPES }))
  const reply = await asking.write('PUT', `/school/staff/${await memberId(name)}`, { role })
  assert.equal(reply.status, 202, reply.text)
  const { id } = reply.json.confirmation
  return { actor: asking, id, path: `/account/confirmations/${id}`, reply }
}

const readStatus = async ({ actor, path }: Pending): Promise<unknown> => {
  const { json } = await actor.get(path)
  return json.outcome === undefined ? json.status : [json.status, json.outcome]
}

const decide = async (browser: Browser, { path }: Pending, decision = 'approve'): Promise<TestReply> => {
  const page = await browser.open(path)
  return browser.submit(formTo(page, path), [['decision', decision]])
}

/** The token of a form of the session, from a page that has one in any case. */
const readToken = async (browser: Browser): Promise<string> => {
  const fields = new Map(listFields(formTo(await browser.open('/account'), '/account/sign-out')))
  return fields.get('token') ?? ''
}

const decideBlindly = async (browser: Browser, { path }: Pending, token?: string): Promise<TestReply> =>
  post(app.port, browser, path, [
    ['token', token ?? (await readToken(browser))],
    ['decision', 'approve'],
  ])

test('an app asks, nothing happens, and the person approves: done once, as that person through that app', async () => {
  const pending = await ask('dev', 'lecturer')
  const { confirmation } = pending.reply.json
  assert.equal(confirmation.status, 'pending')
  assert.equal(confirmation.url, `${app.a.baseUrl}${pending.path}`)
  assert.equal(Date.parse(confirmation.expires_at) - Date.parse(confirmation.created_at), 15 * 60 * 1000)
  // One instant, to the last digit: read twice, the clock would have gone on.
  const [stored] = await app.database.query(
    "select expires_at - created_at = interval '15 minutes' as is_exact from confirmations order by id desc limit 1",
  )
  assert.deepEqual(stored, { is_exact: true })
  assert.match(confirmation.effects[0].access, /Dev Patel becomes a lecturer/)
  assert.equal(await readRole('dev'), 'member')
  assert.equal(await count("audit_log where operation = 'setStaffRole'"), 0)
  assert.equal(await count("facts where type = 'member.role_changed'"), 0)
  assert.equal(await readStatus(pending), 'pending')
  const browser = await enterAccount(personAt('ada'))
  const page = await browser.open(pending.path)
  for (const text of ['Loaf Tracker', 'not verified', 'Set a role', 'Dev Patel becomes a lecturer'])
    assert.ok(page.text.includes(text), text)
  const done = await decide(browser, pending)
  assert.equal(done.status, 200)
  assert.match(done.text, /role="status"[^>]*>You approved this, and it was done/)
  assert.match(done.text, /<h1>Approved<\/h1>/, 'the heading no longer asks')
  assert.equal(await readRole('dev'), 'lecturer')
  assert.deepEqual(await readStatus(pending), ['approved', { status: 200 }])
  const entries = await app.database.query<{
    client_id: string
    resource_ids: string[]
    request_id: string
    email: string
  }>(
    `select a.client_id, a.resource_ids, a.request_id, m.email from audit_log a
      join members m on m.school_id = a.school_id and m.id = a.member_id where a.operation = 'setStaffRole'`,
  )
  assert.equal(entries.length, 1)
  const [entry] = entries
  assert.deepEqual(
    [entry?.client_id, entry?.email, entry?.resource_ids],
    [pending.actor.clientId, people.ada.email, [await memberId('dev')]],
  )
  assert.notEqual(entry?.request_id, pending.reply.headers['x-request-id'])
  assert.equal(await count("facts where type = 'member.role_changed'"), 1)
  await decide(browser, await ask('dev', 'admin'))
  const removed = await pending.actor.write('DELETE', `/school/staff/${await memberId('dev')}`)
  assert.equal(removed.status, 202)
  const { id } = removed.json.confirmation
  const asking = { ...pending, id, path: `/account/confirmations/${id}`, reply: removed }
  await decide(browser, asking)
  assert.deepEqual(await readStatus(asking), ['approved', { status: 204 }])
  assert.equal(await readRole('dev'), 'member')
})

test('a rejected request is not carried out, and cannot be approved afterwards', async () => {
  const pending = await ask('dev', 'admin')
  const browser = await enterAccount(personAt('ada'))
  assert.match((await decide(browser, pending, 'reject')).text, /You rejected this. Nothing was done/)
  assert.equal(await readStatus(pending), 'rejected')
  await decideBlindly(browser, pending)
  assert.equal(await readStatus(pending), 'rejected')
  assert.equal(await readRole('dev'), 'member')
})

test('an invalid request is refused immediately, one without effect is answered immediately; neither needs a confirmation', async () => {
  const [ada, ben] = await Promise.all([app.actor('ada', { scopes: SCOPES }), app.actor('ben', { scopes: SCOPES })])
  const [dev, own] = [await memberId('dev'), await memberId('ada')]
  const waiting = await count('confirmations')
  const nobody = dev.replace(/.{6}$/, '000000')
  const refused = [
    [await ada.write('PUT', `/school/staff/${nobody}`, { role: 'admin' }), 404, 'not_found'],
    [await ada.write('DELETE', `/school/staff/${dev}`), 404, 'not_found'],
    [await ada.write('PUT', `/school/staff/${dev}`, { role: 'member' }), 422, 'invalid_body'],
    [await ada.write('DELETE', `/school/staff/${own}`), 409, 'last_owner'],
    [await ada.write('PUT', `/school/staff/${own}`, { role: 'admin' }), 409, 'last_owner'],
    [await ben.write('PUT', `/school/staff/${dev}`, { role: 'admin' }), 403, 'role_required'],
  ] as const
  for (const [reply, status, code] of refused) assert.deepEqual([reply.status, reply.json.code], [status, code])
  const immediate = await ada.write('PUT', `/school/staff/${own}`, { role: 'owner' })
  assert.deepEqual([immediate.status, immediate.json.role], [200, 'owner'])
  const dry = await ada.write('PUT', `/school/staff/${dev}?dry_run=true`, { role: 'admin' })
  assert.deepEqual([dry.status, dry.json.status, dry.json.result.role], [200, 200, 'admin'])
  assert.match(dry.json.effects[0].access, /Dev Patel becomes an admin/)
  assert.equal(await count('confirmations'), waiting)
  assert.equal(await readRole('dev'), 'member')
})

test('a repeated request with the same key returns the same confirmation, without a key another one; the second has no effect', async () => {
  const actor = await app.actor('ada', { scopes: SCOPES })
  const path = `/school/staff/${await memberId('dev')}`
  const key = { 'idempotency-key': 'ask-once' }
  const [first, again] = [
    await actor.write('PUT', path, { role: 'admin' }, key),
    await actor.write('PUT', path, { role: 'admin' }, key),
  ]
  assert.deepEqual([first.status, again.status, again.text], [202, 202, first.text])
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.headers.location, first.headers.location)
  const [one, two] = [await ask('dev', 'lecturer', actor), await ask('dev', 'lecturer', actor)]
  assert.notEqual(one.id, two.id)
  const browser = await enterAccount(personAt('ada'))
  const entries = await count('audit_log')
  for (const pending of [one, two]) await decide(browser, pending)
  for (const pending of [one, two]) assert.deepEqual(await readStatus(pending), ['approved', { status: 200 }])
  assert.equal(await count('audit_log'), entries + 1)
  await app.setRole('dev', 'member')
})

test('approved twice, one after the other: the second press changes nothing', async () => {
  const pending = await ask('eli', 'lecturer')
  const browser = await enterAccount(personAt('ada'))
  const entries = await count('audit_log')
  await decide(browser, pending)
  await app.setRole('eli', 'member')
  const again = await decideBlindly(browser, pending)
  assert.deepEqual([again.status, again.headers.location], [303, pending.path])
  assert.equal(await readRole('eli'), 'member')
  assert.equal(await count('audit_log'), entries + 1)
  await decideBlindly(browser, pending, 'not a token')
})

test('a proof older than two hours requires the password before anything is shown or decided', async () => {
  const browser = await enterAccount(personAt('ada'))
  const token = await readToken(browser)
  await app.moveClock(2 * 60 * 60)
  const pending = await ask('eli', 'lecturer')
  const stepUp = await browser.open(pending.path)
  assert.match(stepUp.text, /name="password"/)
  assert.ok(!stepUp.text.includes('Eli Sørensen'))
  const blind = await decideBlindly(browser, pending, token)
  assert.deepEqual([blind.status, await readRole('eli'), await readStatus(pending)], [303, 'member', 'pending'])
  const page = await browser.submit(formTo(stepUp, '/account/confirm'), [['password', PASSWORD]])
  assert.ok(page.text.includes('Eli Sørensen becomes a lecturer'))
  assert.match((await browser.submit(formTo(page, pending.path), [['decision', 'reject']])).text, /You rejected this/)
})

test('after a quarter of an hour it has expired: the page says so, an approval has no effect, and the request is deleted', async () => {
  const pending = await ask('eli', 'admin')
  await app.moveClock(15 * 60)
  const browser = await enterAccount(personAt('ada'))
  const page = await browser.open(pending.path)
  assert.match(page.text, /not decided in time/)
  assert.deepEqual(listForms(page), [])
  assert.ok(!page.text.includes('Eli'))
  const late = await decideBlindly(browser, pending)
  assert.equal(late.status, 303)
  assert.deepEqual([await readStatus(pending), await readRole('eli')], ['expired', 'member'])
  // The worker polls each second.
  const left = () =>
    count('confirmations where expires_at <= stoa.now() and (asked is not null or effects is not null)')
  const end = performance.now() + 10_000
  while ((await left()) > 0 && performance.now() < end);
  assert.equal(await left(), 0)
  assert.equal(
    await count('confirmations where decision is not null and (asked is not null or effects is not null)'),
    0,
  )
})

test('a role that was lost meanwhile: approved, and refused as a call would be now', async () => {
  await app.setRole('ben', 'owner')
  const pending = await ask('eli', 'admin', await app.actor('ben', { scopes: SCOPES }))
  await app.setRole('ben', 'admin')
  const done = await decide(await enterAccount(personAt('ben')), pending)
  assert.match(done.text, /role="alert"[^>]*>You approved this, but it could no longer be done/)
  assert.ok(done.text.includes('href="/problems/role_required"'))
  assert.deepEqual(await readStatus(pending), ['failed', { status: 403, code: 'role_required' }])
  assert.equal(await readRole('eli'), 'member')
})

test('the current state of the school decides: the last owner remains', async () => {
  await app.setRole('ben', 'owner')
  const pending = await ask('ada', 'admin')
  await app.setRole('ben', 'admin')
  await decide(await enterAccount(personAt('ada')), pending)
  assert.deepEqual(await readStatus(pending), ['failed', { status: 409, code: 'last_owner' }])
  assert.equal(await readRole('ada'), 'owner')
})

test('E-24 an app that was withdrawn meanwhile gets nothing more done', async () => {
  const actor = await app.actor('ada', { scopes: SCOPES, metadata: { client_name: 'Withdrawn' } })
  const pending = await ask('eli', 'admin', actor)
  const browser = await enterAccount(personAt('ada'))
  const apps = await browser.open('/account/apps')
  const { json } = await actor.get('/account/connected-apps')
  const uuid = json.data.find((one: { current: boolean }) => one.current).id
  assert.ok(uuid)
  const page = await browser.open(pending.path)
  assert.equal((await actor.write('DELETE', `/account/connected-apps/${uuid}`)).status, 204)
  const { status } = await withinASecond(
    () => actor.get('/account'),
    reply => reply.status === 401,
  )
  assert.equal(status, 401)
  const done = await browser.submit(formTo(page, pending.path), [['decision', 'approve']])
  assert.ok(apps.status === 200 && done.text.includes('href="/problems/invalid_token"'), done.text)
  assert.equal(await readRole('eli'), 'member')
  const [row] = await app.database.query(
    "select outcome_status, outcome_code, asked from confirmations where outcome_code = 'invalid_token'",
  )
  assert.deepEqual(row, { outcome_status: 401, outcome_code: 'invalid_token', asked: null })
})

test('a person who was suspended meanwhile decides nothing, whatever page was still open', async () => {
  await app.setRole('ben', 'owner')
  const pending = await ask('eli', 'admin', await app.actor('ben', { scopes: SCOPES }))
  const browser = await enterAccount(personAt('ben'))
  const token = await readToken(browser)
  await setMember('ben', 'status', 'suspended')
  const blind = await decideBlindly(browser, pending, token)
  assert.equal(new URL(blind.headers.location ?? '', app.a.baseUrl).pathname, '/account/sign-in')
  assert.equal(await readRole('eli'), 'member')
  await setMember('ben', 'status', 'active')
  await app.setRole('ben', 'admin')
  assert.equal(await readStatus(pending), 'pending')
})

// The approval waits for the lock of the school until the change that invalidates it is committed.
const whileHeldUp = async (browser: Browser, pending: Pending, work: () => Promise<unknown>): Promise<TestReply> => {
  const token = await readToken(browser)
  const holder = new pg.Client({ connectionString: app.database.ownerUrl })
  await holder.connect()
  await holder.query(`begin; select from schools where id = '${app.a.id}' for no key update`)
  const deciding = retryWhileBusy(() => decideBlindly(browser, pending, token))
  const end = performance.now() + 900
  const waiting = () => count(`pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  while ((await waiting()) === 0 && performance.now() < end);
  await work()
  await holder.query('commit')
  await holder.end()
  return deciding
}

test('E-24 signing out, being demoted or disconnecting the app during the approval prevents it', async () => {
  const browser = await enterAccount(personAt('ada'))
  const signedOut = await ask('eli', 'admin')
  const signOut = formTo(await browser.open('/account'), '/account/sign-out')
  await whileHeldUp(browser, signedOut, () => post(app.port, browser, '/account/sign-out', listFields(signOut)))
  assert.equal(await readStatus(signedOut), 'pending')
  const again = await enterAccount(personAt('ada'))
  const actor = await app.actor('ada', { scopes: SCOPES, metadata: { client_name: 'Withdrawn meanwhile' } })
  const withdrawn = await ask('eli', 'admin', actor)
  const own = (await actor.get('/account/connected-apps')).json.data.find((one: { current: boolean }) => one.current)
  await whileHeldUp(again, withdrawn, () => actor.write('DELETE', `/account/connected-apps/${own.id}`))
  assert.match((await again.open(withdrawn.path)).text, /problems\/invalid_token/)
  const demoted = await ask('eli', 'admin')
  await whileHeldUp(again, demoted, () => app.setRole('ada', 'admin'))
  assert.deepEqual(await readStatus(demoted), ['failed', { status: 403, code: 'role_required' }])
  await app.setRole('ada', 'owner')
  assert.equal(await readRole('eli'), 'member')
})

test('only the person sees and decides it: not an admin, not another owner, not another app of the same person', async () => {
  const pending = await ask('eli', 'admin')
  await app.setRole('ben', 'owner')
  const ben = await enterAccount(personAt('ben'))
  const [page, unknown] = [await ben.open(pending.path), await ben.open(pending.path.replace(/.{4}$/, '0000'))]
  assert.deepEqual([page.status, page.text], [404, unknown.text])
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.equal((await decideBlindly(ben, pending)).status, 404)
  await app.setRole('ben', 'admin')
  const stranger = await app.actor('ada', { scopes: SCOPES, metadata: { client_name: 'Recipe Box' } })
  assert.equal((await stranger.get(pending.path)).status, 404)
  assert.deepEqual([await readStatus(pending), await readRole('eli')], ['pending', 'member'])
})

test('E-14 a decision without the token of the person, or from another site, is 403 and decides nothing', async () => {
  const pending = await ask('eli', 'admin')
  const [browser, other] = [await enterAccount(personAt('ada')), await enterAccount(personAt('ada'))]
  const stranger = await enterAccount(personAt('ben'))
  const right = listFields(formTo(await browser.open(pending.path), pending.path), { decision: 'approve' })
  const refused = [
    await post(app.port, browser, pending.path, [['decision', 'approve']]),
    await decideBlindly(browser, pending, await readToken(stranger)),
    await post(app.port, browser, pending.path, right, { 'sec-fetch-site': 'cross-site' }),
    await post(app.port, browser, pending.path, right, { origin: 'null' }),
    await post(app.port, browser, pending.path, right, { origin: 'https://evil.example' }),
    await post(app.port, browser, pending.path, right, { 'content-type': 'text/plain' }),
    await post(app.port, browser, pending.path, [right[0] ?? ['', ''], ['decision', 'maybe']]),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 403),
  )
  // Shown again with the token of this session, to be decided there.
  const elsewhere = await decideBlindly(browser, pending, await readToken(other))
  assert.equal(elsewhere.status, 303)
  const shown = await browser.open(elsewhere.headers.location ?? '')
  assert.equal(shown.status, 200)
  assert.ok(listFields(formTo(shown, pending.path), {}).length > 0)
  assert.deepEqual([await readStatus(pending), await readRole('eli')], ['pending', 'member'])
  const bearer = { authorization: `Bearer ${pending.actor.token}`, accept: 'text/html' }
  const bare = await send(app.port, {
    ...form(pending.path, { decision: 'approve' }),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...bearer },
  })
  assert.equal(bare.status, 303, 'a token is no session')
  assert.equal(await readStatus(pending), 'pending')
})

test('D-07 D-09 a name is text, and no name makes an app a verified one; the page speaks the language of the person', async () => {
  const metadata = { client_name: '<img src=x onerror=alert(1)>{{7*7}}' }
  const actor = await app.actor('ada', { scopes: SCOPES, metadata })
  const pending = await ask('eli', 'admin', actor)
  const { headers } = await actor.get('/account')
  assert.equal(
    (await actor.write('PATCH', '/account', { locale: 'pt-PT' }, { 'if-match': String(headers.etag) })).status,
    200,
  )
  const page = await (await enterAccount(personAt('ada'))).open(pending.path)
  assert.ok(page.text.includes('&lt;img src=x onerror=alert(1)&gt;{{7*7}}') && !page.text.includes('<img'))
  for (const text of [
    '<html lang="pt">',
    'não verificada',
    'Eli Sørensen passa a ser administrador',
    'Aprovar',
    'Rejeitar',
  ])
    assert.ok(page.text.includes(text), text)
  assert.match(String(page.headers['cache-control']), /no-store/)
  assert.equal(page.headers['x-frame-options'], 'DENY')
  await actor.write('PATCH', '/account', { locale: 'en' }, { 'if-match': '*' })
})

test('another app and a session end only when the person approves, and then everywhere within a second', async () => {
  const actor = await app.actor('femi', { scopes: SCOPES })
  const other = await app.actor('femi', { metadata: { client_name: 'Recipe Box' }, newBrowser: true })
  const victim = await enterAccount(personAt('femi'))
  const apps = (await actor.get('/account/connected-apps')).json.data
  assert.deepEqual(
    apps.map(({ name, current }: { name: string; current: boolean }) => [name, current]),
    [
      ['Recipe Box', false],
      ['Loaf Tracker', true],
    ],
  )
  const sessions = (await actor.get('/account/sessions')).json.data
  assert.equal(sessions.length, 3)
  const paths = [`/account/connected-apps/${apps[0].id}`, `/account/sessions/${sessions[0].id}`]
  const pending = []
  for (const path of paths) {
    const reply = await actor.write('DELETE', path)
    assert.equal(reply.status, 202, reply.text)
    pending.push({ actor, reply, id: '', path: `/account/confirmations/${reply.json.confirmation.id}` })
  }
  assert.equal((await other.get('/account')).status, 200)
  assert.ok((await victim.open('/account')).text.includes(people.femi.email))
  const browser = await enterAccount(personAt('femi'))
  for (const one of pending) {
    await decide(browser, one)
    assert.deepEqual(await readStatus(one), ['approved', { status: 204 }])
  }
  const dead = await withinASecond(
    () => other.get('/account'),
    ({ status }) => status === 401,
  )
  assert.equal(dead.status, 401)
  assert.match((await victim.open('/account')).text, /name="password"/)
  assert.ok((await browser.open('/account')).text.includes(people.femi.email))
})

test('the session in which the person approves may be the one that ends', async () => {
  const actor = await app.actor('femi', { scopes: SCOPES })
  const browser = await enterAccount(personAt('femi'))
  const [session] = (await actor.get('/account/sessions')).json.data
  const reply = await actor.write('DELETE', `/account/sessions/${session.id}`)
  const pending = { actor, reply, id: '', path: `/account/confirmations/${reply.json.confirmation.id}` }
  assert.match((await decide(browser, pending)).text, /name="password"/)
  assert.deepEqual(await readStatus(pending), ['approved', { status: 204 }])
})

test('at most twenty confirmations wait for one person, however they were requested; deciding one allows another', async () => {
  await app.moveClock(16 * 60)
  const actor = await app.actor('ada', { scopes: SCOPES })
  const path = `/school/staff/${await memberId('eli')}`
  const asking = () => retryWhileBusy(() => actor.write('PUT', path, { role: 'admin' }))
  const replies = await Promise.all(Array.from({ length: 30 }, asking))
  const tally = new Map<string, number>()
  for (const { status, json } of replies) {
    const name = `${status} ${json.code ?? ''}`.trim()
    tally.set(name, (tally.get(name) ?? 0) + 1)
  }
  assert.deepEqual(Object.fromEntries(tally), { 202: 20, '409 too_many_confirmations': 10 })
  const { confirmation } = replies.find(({ status }) => status === 202)?.json ?? {}
  const first = { actor, reply: replies[0] as TestReply, id: '', path: `/account/confirmations/${confirmation.id}` }
  await decide(await enterAccount(personAt('ada')), first, 'reject')
  assert.equal((await actor.write('PUT', path, { role: 'admin' })).status, 202)
  assert.equal((await actor.write('PUT', path, { role: 'admin' })).status, 409)
  assert.equal(await readRole('eli'), 'member')
})

suite('S-08 over two processes', () => {
  const processes: AppProcess[] = []
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
    await app.moveClock(16 * 60)
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  const choosePort = (at: number): number => processes[at % 2]?.port ?? 0
  const host = () => new URL(app.a.baseUrl).host

  test('twenty concurrent approvals in two browsers carry it out exactly once', async () => {
    const pending = await ask('eli', 'lecturer')
    const browsers = [await enterAccount(personAt('ada')), await enterAccount(personAt('ada'))]
    const forms: TestRequest[] = []
    for (const browser of browsers) {
      const fields = listFields(formTo(await browser.open(pending.path), pending.path), { decision: 'approve' })
      forms.push({
        ...form(pending.path, fields, { cookie: formatCookie(browser), accept: 'text/html' }),
        host: host(),
      })
    }
    const [entries, facts] = [await count('audit_log'), await count('facts')]
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        retryWhileBusy(() => send(choosePort(at), forms[(at >> 1) % 2] ?? { path: '/' })),
      ),
    )
    for (const { status, text } of replies) assert.equal(status, 303, text)
    assert.deepEqual(await readStatus(pending), ['approved', { status: 200 }])
    assert.deepEqual([await count('audit_log'), await count('facts')], [entries + 1, facts + 1])
    assert.equal(await readRole('eli'), 'lecturer')
    await app.setRole('eli', 'member')
  })

  test('concurrent approval and rejection in two browsers: its status is what happened', async () => {
    for (let round = 0; round < 5; round++) {
      const pending = await ask('eli', 'lecturer')
      const browser = await enterAccount(personAt('ada'))
      const page = await browser.open(pending.path)
      await Promise.all(
        ['approve', 'reject'].map((decision, at) => {
          const fields = listFields(formTo(page, pending.path), { decision })
          const request = { ...form(pending.path, fields, { cookie: formatCookie(browser) }), host: host() }
          return retryWhileBusy(() => send(choosePort(at), request))
        }),
      )
      const isDone = (await readRole('eli')) === 'lecturer'
      assert.deepEqual(await readStatus(pending), isDone ? ['approved', { status: 200 }] : 'rejected')
      await app.setRole('eli', 'member')
    }
  })

  test('two owners demote each other concurrently: one of them remains', async () => {
    for (let round = 0; round < 5; round++) {
      await app.setRole('ben', 'owner')
      const pending = [
        await ask('ben', 'admin', await app.actor('ada', { scopes: SCOPES })),
        await ask('ada', 'admin', await app.actor('ben', { scopes: SCOPES })),
      ]
      const forms: TestRequest[] = []
      for (const [at, name] of (['ada', 'ben'] as const).entries()) {
        const browser = await enterAccount(personAt(name))
        const path = pending[at]?.path ?? ''
        const fields = listFields(formTo(await browser.open(path), path), { decision: 'approve' })
        forms.push({ ...form(path, fields, { cookie: formatCookie(browser) }), host: host() })
      }
      const replies = await Promise.all(forms.map((one, at) => retryWhileBusy(() => send(choosePort(at), one))))
      assert.deepEqual(
        replies.map(({ status }) => status),
        [303, 303],
      )
      assert.deepEqual([await readRole('ada'), await readRole('ben')].sort(), ['admin', 'owner'])
      await app.setRole('ada', 'owner')
      await app.setRole('ben', 'admin')
    }
  })
})

test('E-17 the way to the page leads through sign-in and back', async () => {
  const pending = await ask('eli', 'lecturer')
  const browser = await enterAccount(personAt('ada'))
  browser.cookies.clear()
  const page = await signInAt(browser, personAt('ada'), pending.path)
  assert.ok(page.text.includes('Eli Sørensen becomes a lecturer'))
})

test('what was asked before a language existed is shown in English', async () => {
  const pending = await ask('dev', 'lecturer')
  await app.database.query(
    `update confirmations set effects = regexp_replace(effects::text, '"es": "[^"]*", ', '', 'g')::jsonb where effects is not null`,
  )
  const browser = await enterAccount(personAt('ada'))
  await app.database.query(
    "update members set locale = 'es' where id = (select member_id from sessions order by created_at desc limit 1)",
  )
  const inSpanish = await browser.open(pending.path)
  assert.match(inSpanish.text, /<html lang="es">[\s\S]*Dev Patel becomes a lecturer/)
})
