import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import type { Browser } from '#testing/browser.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { endpoints } from '#testing/matrix.ts'
import { withinASecond } from '#testing/oauth.ts'
import { setProvider } from '#testing/payments.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  hasSubscriptions: true,
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const personAt = (name: PersonName, port = app.port) => ({
  port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

type Stored = {
  readonly id: string
  readonly role: string
  readonly status: string
  readonly revision: number
  readonly suspended_for: string | null
}

const readStored = async (email: string): Promise<Stored> => {
  const [row] = await app.database.query<Stored>(
    'select id, role, status, revision, suspended_for from members where school_id = $1 and email = $2',
    [app.a.id, email],
  )
  if (row === undefined) throw new Error(`nobody has ${email}`)
  return row
}

const readPath = async (name: PersonName): Promise<string> =>
  `/staff/people/${toId('mem', (await readStored(people[name].email)).id)}`

const setMember = (name: PersonName, column: 'status' | 'name', value: string) =>
  app.database.query(`update members set ${column} = $1 where school_id = $2 and email = $3`, [
    value,
    app.a.id,
    people[name].email,
  ])

const count = async (from: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`)
  return row?.count ?? -1
}

/** Everything that a write of these pages could have left; jobs of other areas record facts and entries at any time. */
const traces = async (): Promise<readonly number[]> => [
  await count('audit_log where member_id is not null'),
  await count("facts where type like 'member.%'"),
  await count('members'),
  await count('sessions where ended_at is not null'),
  await count(`members where status <> 'active' or role <> 'member'`),
]

const act = async (browser: Browser, path: string, name: string, fields: Readonly<Record<string, string>> = {}) => {
  const at = `${path}/acts/${name}`
  return browser.submit(formTo(await browser.open(at), at, { act: name }), Object.entries(fields))
}

const readToken = async (browser: Browser): Promise<string> =>
  new Map(listFields(formTo(await browser.open('/account'), '/account/sign-out'))).get('token') ?? ''

const ACTS = [
  { act: 'role', role: 'admin' },
  { act: 'suspend', reason: 'Shared the password' },
  { act: 'reinstate' },
  { act: 'invite' },
  { act: 'sign_out' },
] as const

const posts = async (about: PersonName): Promise<{ path: string; fields: Readonly<Record<string, string>> }[]> => [
  { path: '/staff/people/new', fields: { name: 'Gil', email: 'gil@crumb.example', invites: 'yes' } },
  ...(await Promise.all(ACTS.map(async fields => ({ path: `${await readPath(about)}/acts/${fields.act}`, fields })))),
]

const pages = endpoints
  .map(({ route }) => route.split(' ') as [string, string])
  .filter(([method, path]) => method === 'GET' && /^\/staff(?:\/|$)/.test(path))
  // Other tests open these with an order, a coupon, a mail and an app, and those of courses for lecturers too (see
  // tests/staff-courses.test.ts); a list as CSV, or what a module asks for, is no page.
  .filter(
    ([, path]) =>
      !/^\/staff\/(?:orders|coupons|outbox)\/:|^\/staff\/courses|\/csv(?:$|\/)|\/integrations\/app$|\.json$/.test(path),
  )
  // Lecturers open this of their students, see tests/staff-people.test.ts; that of a segment needs one.
  .filter(([, path]) => path !== '/staff/people/:id' && path !== '/staff/segments/:id')
  // Those who teach may open these; tests/staff-teaching.test.ts and tests/staff-analytics.test.ts show what others see there.
  .filter(
    ([, path]) =>
      !/^\/staff\/(?:analytics|teaching|students|enrollments|grading|reviews|comments|posts|events|lecturers|bin|files|uploads)(?:\/|$)/.test(
        path,
      ),
  )
  .map(([, path]) => path.replace(':part', 'tax'))

test('E-14 every form of the staff is refused without its token, with another session’s, and from elsewhere', async () => {
  const [ada, ben] = [await enterAccount(personAt('ada')), await enterAccount(personAt('ben'))]
  const own = await readToken(ada)
  const before = await traces()
  for (const { path, fields } of await posts('dev')) {
    const all = Object.entries(fields)
    const attempts = [
      await post(app.port, ada, path, all),
      await post(app.port, ada, path, [...all, ['token', await readToken(ben)]]),
      await post(app.port, ada, path, [...all, ['token', own]], { 'sec-fetch-site': 'cross-site' }),
      await post(app.port, ada, path, [...all, ['token', own]], { origin: 'null' }),
      await post(app.port, ada, path, [...all, ['token', own]], { 'content-type': 'text/plain' }),
    ]
    assert.deepEqual(
      attempts.map(({ status }) => status),
      [403, 403, 403, 403, 403],
      path,
    )
  }
  assert.deepEqual(await traces(), before)
})

const anySubscription = async (): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('select id from subscriptions where school_id = $1 limit 1', [
    app.a.id,
  ])
  return toId('sub', row?.id ?? '')
}

// Pages that admins may not open.
const OF_OWNERS = [
  ...['/staff/payments', '/staff/payments/live', '/staff/payments/manual', '/staff/payments/manual/removal'],
  ...['/staff/integrations', '/staff/integrations/new'],
]

// Pages that lecturers may open, and what they say to others: the first leads to what they teach, and they import enrollments.
const OF_LECTURERS: Readonly<Record<string, RegExp>> = {
  '/staff': /for lecturers, admins and owners/,
  '/staff/search': /for lecturers, admins and owners/,
  '/staff/imports': /for the lecturers of a course/,
  '/staff/imports/new': /for the lecturers of a course/,
}

test('E-15 E-26 the staff pages show nothing to a stranger or a plain member, and are not cached', async () => {
  assert.ok(pages.length >= 5)
  await setProvider(app, 'manual', {})
  const [ada, ben] = [await enterAccount(personAt('ada')), await enterAccount(personAt('ben'))]
  const others = [await enterAccount(personAt('dev')), await enterAccount(personAt('carla'))]
  for (const route of pages) {
    const person = await readPath('eli')
    const withPerson = route.replace('/staff/people/:id', person)
    const path = (withPerson.includes(':id') ? person : withPerson)
      .replace('/staff/people/bulk', `/staff/people/bulk?act=tag&id=${person.split('/').at(-1)}`)
      .replace(':act', 'suspend')
      .replace(':subscription', await anySubscription())
      .replace(':provider', 'manual')
    const page = await (OF_OWNERS.includes(path) ? ada : ben).open(path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
    assert.doesNotMatch(page.text, /<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=/)
    const stranger = await openWith(app.port, '', path)
    assert.equal(stranger.status, 303)
    assert.equal(stranger.headers.location, `/account/sign-in?${new URLSearchParams({ return_to: path })}`)
    // That of a student says what a lecturer may know.
    if (path === person) continue
    for (const browser of OF_LECTURERS[path] ? others.slice(0, 1) : others) {
      const refused = await openWith(app.port, formatCookie(browser), path)
      assert.equal(refused.status, 403, path)
      assert.match(refused.text, OF_LECTURERS[path] ?? /These pages are for owners and admins/)
      for (const name of ['eli', 'ada'] as const) assert.ok(!refused.text.includes(people[name].email), path)
    }
  }
})

test('a member’s own token opens no write: 403 in words, and nothing has changed', async () => {
  for (const name of ['dev', 'carla'] as const) {
    const browser = await enterAccount(personAt(name))
    const token = await readToken(browser)
    const before = await traces()
    for (const { path, fields } of await posts('eli')) {
      const reply = await post(app.port, browser, path, Object.entries({ ...fields, token }))
      assert.equal(reply.status, 403, path)
      assert.match(reply.text, /for owners and admins/)
    }
    assert.deepEqual(await traces(), before)
  }
})

test('a change of a role needs a proof younger than two hours, and what is not of the kind needs none', async () => {
  const ada = await enterAccount(personAt('ada'))
  const token = await readToken(ada)
  await app.moveClock(2 * 60 * 60)
  const before = await traces()
  const path = await readPath('eli')
  const send = (fields: Readonly<Record<string, string>>) =>
    post(app.port, ada, `${path}/acts/${fields.act}`, Object.entries({ ...fields, token }))
  const role = await send(ACTS[0])
  assert.equal(role.status, 303)
  assert.match(
    role.headers.location ?? '',
    /^\/account\/confirm\?level=recent&return_to=%2Fstaff%2Fpeople%2F[^%]+%2Facts%2Frole%3Fkept%3D/,
  )
  assert.deepEqual(await traces(), before)
  for (const fields of ACTS.filter(one => ['suspend', 'reinstate', 'sign_out'].includes(one.act))) {
    const reply = await send(fields)
    assert.equal(reply.status, 303, fields.act)
    assert.ok(reply.headers.location?.startsWith(`${path}?`), `${fields.act}: ${reply.headers.location}`)
  }
  assert.equal((await openWith(app.port, formatCookie(ada), '/staff/people')).status, 200)
})

test('an admin can do to an owner nothing, is shown no such form, and changes no role', async () => {
  const ben = await enterAccount(personAt('ben'))
  const [owner, member] = [await readPath('ada'), await readPath('eli')]
  const offered = async (path: string): Promise<string[]> =>
    [...(await ben.open(path)).text.matchAll(/\/acts\/(\w+)"/g)].map(([, name = '']) => name)
  assert.deepEqual(await offered(owner), ['export'])
  assert.ok(!(await offered(member)).includes('role'))
  const token = await readToken(ben)
  const before = await traces()
  for (const { act: name, ...fields } of ACTS) {
    if (name === 'invite') continue
    const reply = await post(app.port, ben, `${owner}/acts/${name}`, Object.entries({ act: name, ...fields, token }))
    assert.equal(reply.status, 403, name)
    assert.match(reply.text, /role="alert"[^>]*>Your role does not allow this/)
  }
  const promoted = { act: 'role', role: 'owner', token }
  for (const path of [member, await readPath('ben')])
    assert.equal((await post(app.port, ben, `${path}/acts/role`, Object.entries(promoted))).status, 403)
  assert.deepEqual(await traces(), before)
})

test('an owner changes a role: immediately for the person’s apps, with an audit entry and a fact, without an app', async () => {
  const femi = await app.actor('femi', { scopes: ['account:read', 'school:read'] })
  const path = await readPath('femi')
  const ada = await enterAccount(personAt('ada'))
  const done = await act(ada, path, 'role', { role: 'admin' })
  assert.match(done.text, /role="status"[^>]*>The role was changed/)
  assert.equal((await readStored(people.femi.email)).role, 'admin')
  const isAdmin = ({ json }: TestReply) => 'contact_email' in json
  assert.ok(isAdmin(await withinASecond(() => femi.get('/school'), isAdmin)))
  const [entry] = await app.database.query(
    `select a.operation, a.client_id, m.email, a.fields from audit_log a
     join members m on m.school_id = a.school_id and m.id = a.member_id order by a.recorded_at desc limit 1`,
  )
  assert.deepEqual(entry, { operation: 'setStaffRole', client_id: null, email: people.ada.email, fields: ['role'] })
  assert.equal(await count("facts where type = 'member.role_changed'"), 1)
  assert.equal(await count('confirmations'), 0)
  const before = await traces()
  assert.match((await act(ada, path, 'role', { role: 'admin' })).text, /The role was changed/)
  assert.deepEqual(await traces(), before)
  await act(ada, path, 'role', { role: 'member' })
  assert.equal((await readStored(people.femi.email)).role, 'member')
})

test('the last owner stays', async () => {
  const ada = await enterAccount(personAt('ada'))
  const before = await traces()
  const reply = await act(ada, await readPath('ada'), 'role', { role: 'admin' })
  assert.equal(reply.status, 409)
  assert.match(reply.text, /role="alert"[^>]*>This is the last owner/)
  assert.deepEqual(await traces(), before)
})

test('nobody suspends themselves, and a reason is required', async () => {
  const ada = await enterAccount(personAt('ada'))
  const token = await readToken(ada)
  const before = await traces()
  const own = { act: 'suspend', reason: 'Tired', token }
  assert.equal((await post(app.port, ada, `${await readPath('ada')}/acts/suspend`, Object.entries(own))).status, 409)
  for (const reason of ['', ' ', 'x'.repeat(201)]) {
    const reply = await act(ada, await readPath('eli'), 'suspend', { reason })
    assert.equal(reply.status, 422)
    assert.match(reply.text, /role="alert"[^>]*>Please enter a reason/)
  }
  const [eli, god] = [await readPath('eli'), { act: 'role', role: 'god' }]
  for (const fields of [{ act: 'delete' }, { act: '__proto__' }, {}])
    for (const path of [eli, `${eli}/acts/suspend`, `${eli}/details`]) {
      const reply = await post(app.port, ada, path, Object.entries({ ...fields, token }))
      assert.equal(reply.status, 403, `${path} ${JSON.stringify(fields)}`)
    }
  assert.equal((await post(app.port, ada, `${eli}/acts/role`, Object.entries({ ...god, token }))).status, 403)
  assert.equal((await post(app.port, ada, `${eli}/acts/__proto__`, Object.entries({ ...god, token }))).status, 404)
  assert.deepEqual(await traces(), before)
})

test('a member is added and invited by mail, invited again, and added without a mail when that is wanted', async () => {
  const ben = await enterAccount(personAt('ben'))
  const add = async (fields: Readonly<Record<string, string>>): Promise<TestReply> => {
    const page = await ben.open('/staff/people/new')
    return post(app.port, ben, '/staff/people/new', listFields(formTo(page, '/staff/people/new'), fields))
  }
  const created = await add({ name: 'Gil Tavares', email: 'gil@crumb.example' })
  assert.match(created.headers.location ?? '', /^\/staff\/people\/mem_\w+\?done=added_invited$/)
  const path = (created.headers.location ?? '').split('?')[0] ?? ''
  assert.equal((await readStored('gil@crumb.example')).status, 'invited')
  await mailbox?.waitFor('gil@crumb.example', 1, /invited/)
  assert.match((await act(ben, path, 'invite')).text, /An invitation is on its way/)
  await mailbox?.waitFor('gil@crumb.example', 2, /invited/)
  const quiet = await add({ name: 'Hana Sato', email: 'hana@crumb.example', invites: 'no' })
  assert.match(quiet.headers.location ?? '', /done=added$/)
  assert.match((await ben.open('/staff/people?status=invited')).text, /Gil Tavares[\s\S]*Hana Sato/)
  assert.equal(await count("facts where type = 'member.invited'"), 2)
  const before = await traces()
  const faults = [
    [{ name: 'Gil', email: 'GIL@crumb.example' }, 409, /already exists/],
    [{ name: 'Gil', email: 'not an address' }, 422, /not an e-mail address/],
    [{ name: ' ', email: 'ivo@crumb.example' }, 422, /enter a name/],
    [{ name: 'x'.repeat(121), email: 'ivo@crumb.example' }, 422, /enter a name/],
  ] as const
  for (const [fields, status, pattern] of faults) {
    const refused = await add(fields)
    assert.equal(refused.status, status)
    assert.match(/role="alert"[^>]*>(.*?)</.exec(refused.text)?.[1] ?? '', pattern)
  }
  assert.deepEqual(await traces(), before)
})

test('people are found by word, status and role, page by page', async () => {
  const ben = await enterAccount(personAt('ben'))
  const namesOn = ({ text }: TestReply): string[] =>
    [...text.matchAll(/<a href="\/staff\/people\/mem_\w+"><bdi>(.*?)<\/bdi><\/a>/g)].map(([, name = '']) => name)
  assert.deepEqual(namesOn(await ben.open('/staff/people?q=carl&status=&role=')), [people.carla.name])
  assert.deepEqual(namesOn(await ben.open('/staff/people?role=lecturer')), [people.carla.name])
  assert.deepEqual(namesOn(await ben.open('/staff/people?status=suspended')), [])
  await app.database.query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, role, status, created_at, updated_at)
     select $1, gen_random_uuid(), 'p' || n || '@many.example', 'p' || n || '@many.example', 'Many ' || n, 'many ' || n,
       'member', 'active', now(), now() from generate_series(1, 60) n`,
    [app.a.id],
  )
  const texts: string[] = []
  let path = '/staff/people?status=active&role=member'
  for (let page = 0; page < 5 && path !== ''; page++) {
    const reply = await ben.open(path)
    texts.push(...namesOn(reply))
    path = /rel="next" href="([^"]+)"/.exec(reply.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  }
  assert.equal(texts.filter(name => name.startsWith('Many')).length, 60)
  assert.equal(new Set(texts).size, texts.length)
  for (const query of ['status=alive', 'role=god', 'cursor=x', `q=${'x'.repeat(201)}`, 'q=%00'])
    assert.equal((await ben.open(`/staff/people?${query}`)).status, 400, query)
  for (const query of [`q=${encodeURIComponent("' or 1=1--")}`, 'q=%25', 'q=)(:*', 'q=%E0%A4%A'])
    assert.equal((await ben.open(`/staff/people?${query}`)).status, 200, query)
})

test('F-01 a person of another school and an unknown id get the same reply', async () => {
  const ada = await enterAccount(personAt('ada'))
  const token = await readToken(ada)
  const [other] = await app.database.query<{ id: string }>(
    'select id from members where school_id = $1 and email = $2',
    [app.b.id, people.dev.email],
  )
  const before = await traces()
  for (const id of [toId('mem', other?.id ?? ''), `mem_${'0'.repeat(26)}`, 'nobody', 'external:x']) {
    assert.equal((await ada.open(`/staff/people/${id}`)).status, 404, id)
    for (const fields of ACTS) {
      const path = `/staff/people/${id}/acts/${fields.act}`
      const reply = await post(app.port, ada, path, Object.entries({ ...fields, token }))
      assert.equal(reply.status, 404, `${id} ${fields.act}`)
    }
  }
  assert.deepEqual(await traces(), before)
})

test('D-07 hostile names, reasons and tags are text on every page', async () => {
  const hostile = ['<img src=x onerror=alert(1)>{{7*7}}', '$', '{7*7}', `"'`].join('')
  await setMember('femi', 'name', hostile)
  const path = await readPath('femi')
  const ada = await enterAccount(personAt('ada'))
  await act(ada, path, 'suspend', { reason: hostile })
  for (const at of [path, '/staff/people', `/staff/people?q=${encodeURIComponent(hostile)}`, '/staff']) {
    const { text, status } = await ada.open(at)
    assert.equal(status, 200, at)
    assert.doesNotMatch(text, /<img|=alert\(1\)>|\{\{49|\$49/, at)
  }
  assert.match((await ada.open(path)).text, /&lt;img src=x onerror=alert\(1\)&gt;/)
  await act(ada, path, 'reinstate')
  await setMember('femi', 'name', people.femi.name)
})

test('pending confirmations are shown at /account and /staff/confirmations, with a link', async () => {
  const actor = await app.actor('ada', { scopes: ['school:read', 'school:write'] })
  const { json } = await actor.write('PUT', `/school/staff/${(await readPath('eli')).split('/').at(-1)}`, {
    role: 'admin',
  })
  const path = new URL(json.confirmation.url).pathname
  const [ada, ben] = [await enterAccount(personAt('ada')), await enterAccount(personAt('ben'))]
  for (const page of ['/account', '/staff/confirmations']) {
    assert.ok((await ada.open(page)).text.includes(`href="${path}"`), page)
    assert.ok(!(await ben.open(page)).text.includes('/account/confirmations/'), page)
  }
  assert.match((await ada.open('/staff')).text, /href="\/staff\/confirmations"/)
  await ada.submit(formTo(await ada.open(path), path), [['decision', 'reject']])
  assert.match((await ada.open('/staff/confirmations')).text, /There are no pending approvals/)
})

test('the portal’s profile page writes an entry and a fact, and nothing when nothing changes', async () => {
  const eli = await enterAccount(personAt('eli'))
  const save = async (fields: Readonly<Record<string, string>>) =>
    eli.submit(formTo(await eli.open('/account/profile'), '/account/profile'), Object.entries(fields))
  const profile = { name: 'Eli Lind', locale: '', time_zone: 'Europe/Lisbon' }
  await save(profile)
  assert.equal(await count("audit_log where operation = 'updateAccount' and client_id is null"), 1)
  await save(profile)
  assert.equal(await count("audit_log where operation = 'updateAccount'"), 1)
  assert.equal(await count("facts where type = 'member.updated'"), 1)
})

suite('with a second process', () => {
  let other: AppProcess
  before(async () => {
    other = await startServer({ databaseUrl: app.database.appUrl, secret: app.secret })
  })
  after(() => other?.stop())

  const host = () => new URL(app.a.baseUrl).host

  test('E-24 a suspension on the page ends tokens and sessions within a second in both processes', async () => {
    const dev = await app.actor('dev')
    const there = await enterAccount(personAt('dev'))
    const call = (port: number) =>
      send(port, { path: '/api/v1/account', host: host(), headers: { authorization: `Bearer ${dev.token}` } })
    const ports = [app.port, other.port]
    for (const port of ports) assert.equal((await call(port)).status, 200)
    const path = await readPath('dev')
    const ben = await enterAccount(personAt('ben'))
    assert.match((await act(ben, path, 'suspend', { reason: 'Shared the password' })).text, /signed out and suspended/)
    const isOut = ({ status }: TestReply) => status === 401
    for (const reply of await Promise.all(ports.map(port => withinASecond(() => call(port), isOut))))
      assert.ok(isOut(reply), reply.text)
    assert.equal((await openWith(app.port, formatCookie(there), '/account')).status, 303)
    assert.deepEqual((await readStored(people.dev.email)).suspended_for, 'Shared the password')
    assert.match((await ben.open(path)).text, /Shared the password/)
    assert.match((await act(ben, path, 'reinstate')).text, /can sign in again/)
    assert.equal((await call(app.port)).status, 401)
  })

  test('two owners who demote each other concurrently leave exactly one owner, and the other request is refused with a reason', async () => {
    await app.setRole('ben', 'owner')
    const names = ['ada', 'ben'] as const
    for (let round = 0; round < 5; round++) {
      const browsers = await Promise.all(names.map(name => enterAccount(personAt(name))))
      const tokens = await Promise.all(browsers.map(readToken))
      const replies = await Promise.all(
        browsers.map(async (browser, at) => {
          const fields = { act: 'role', role: 'admin', token: tokens[at] ?? '' }
          const path = await readPath(at === 0 ? 'ben' : 'ada')
          const request = form(`${path}/acts/role`, Object.entries(fields))
          const headers = { accept: 'text/html', cookie: formatCookie(browser), ...request.headers }
          return send(at === 0 ? app.port : other.port, { ...request, host: host(), headers })
        }),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 403])
      const owners = (await Promise.all(names.map(name => readStored(people[name].email)))).filter(
        ({ role }) => role === 'owner',
      )
      assert.equal(owners.length, 1)
      for (const name of names) await app.setRole(name, 'owner')
    }
    await app.setRole('ben', 'admin')
  })
})
