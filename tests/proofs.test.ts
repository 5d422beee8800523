import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { routedOperations, unroutedOperations } from '#src/contract/area.ts'
import { type AnyOperation, isRouted } from '#src/contract/operation.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { lookUp } from '#testing/examples.ts'
import { jsonBody, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { grantable, identityScopes } from '#testing/matrix.ts'
import { fillIn, newestCode } from '#testing/people.ts'
import { performingPage } from '#testing/pinboard.ts'
import { once } from '#testing/staff-pages.ts'
import { connect, refreshAt } from '#testing/tokens.ts'
import { areas } from '../src/areas.ts'
import { isPage } from '../src/http/fields.ts'

let mailbox: Mailbox
const app = testApp({
  hasSubscriptions: true,
  morePages: parts => [performingPage(parts)],
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())
beforeEach(() => app.database.query('delete from limits'))

const HOUR = 3600
const proving: readonly AnyOperation[] = [...routedOperations(areas), ...unroutedOperations(areas)].filter(
  ({ proof }) => proof !== undefined,
)

const lists: readonly AnyOperation[] = [...routedOperations(areas), ...unroutedOperations(areas)].filter(
  one => one.mode === 'read' && ((isRouted(one) && one.csv !== undefined) || isPage(one)),
)

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const setRecentUntil = (name: PersonName, seconds: number): Promise<unknown> =>
  app.database.query(
    `update sessions set recent_until = stoa.now() + make_interval(secs => $2)
     where member_id in (select id from members where email = $1)`,
    [people[name].email, seconds],
  )

/** For how many seconds the proof of the person counts from now, in whole minutes. */
const readRecent = async (name: PersonName): Promise<number> => {
  const [row] = await app.database.query<{ minutes: number }>(
    `select round(extract(epoch from recent_until - stoa.now()) / 60)::integer as minutes from sessions
     where member_id in (select id from members where email = $1) and ended_at is null order by started_at desc limit 1`,
    [people[name].email],
  )
  return row?.minutes ?? 0
}

const reader = once(async () => (await app.actor('ada', { scopes: [...identityScopes, ...grantable] })).token)

const isConfirm = ({ text }: TestReply): boolean => text.includes('Confirm that it is you')

const confirm = (browser: Browser, page: TestReply): Promise<TestReply> =>
  fillIn(browser, { ...page, text: page.text.slice(page.text.indexOf('<main')) }, { password: PASSWORD })

test('there are operations that need a proof', () => {
  assert.ok(proving.length > 20)
})

for (const operation of proving)
  test(`${operation.id} is refused without a recent proof, before its handler, and not with one`, async () => {
    const ada = await enter('ada')
    const headers = { cookie: formatCookie(ada) }
    const example = await lookUp(operation, await reader(), request => app.send(request))
    const { params, body } = example
    const perform = () =>
      app.send(jsonBody('POST', '/account/perform', { operation: operation.id, params, body }, headers))
    const { handle } = operation
    let reached = 0
    Reflect.set(operation, 'handle', async () => {
      reached++
      throw new Error('reached')
    })
    try {
      await setRecentUntil('ada', 0)
      const refused = await perform()
      assert.deepEqual([refused.status, refused.json?.code, reached], [403, 'proof_required', 0], refused.text)
      await setRecentUntil('ada', 1000)
      assert.notEqual((await perform()).json?.code, 'proof_required')
    } finally {
      Reflect.set(operation, 'handle', handle)
    }
  })

test('pages of one purpose ask before they are shown, and are shown after the proof; canceling asks no more', async () => {
  const order = 'ORD-1'
  const reader = await app.actor('ada', { scopes: ['membership_plans:read'] })
  const { json: plan } = await reader.get('/membership-plans/slug:bakers-club')
  const moves = `/staff/plans/${plan.id}/prices/${plan.prices[0].id}/moves`
  for (const path of [
    `/staff/orders/${order}/refund`,
    '/staff/orders/record',
    '/staff/payments',
    '/staff/integrations',
    '/account/email',
    '/account/deletion',
    moves,
  ]) {
    const ada = await enter('ada')
    if ((await ada.open(path)).status === 404) throw new Error(`${path} is no page`)
    await setRecentUntil('ada', 0)
    const asked = await ada.open(path)
    assert.ok(isConfirm(asked), path)
    const [, cancel = ''] = /<a class="button" href="([^"]+)">Cancel/.exec(asked.text) ?? []
    assert.ok(!isConfirm(await ada.open(cancel)), `${path}: ${cancel}`)
    const wrong = await fillIn(ada, asked, { password: 'not the password' })
    assert.match(wrong.text, /role="alert"/)
    const shown = await confirm(ada, wrong)
    assert.equal(shown.status, 200)
    assert.ok(!isConfirm(shown), path)
  }
})

test('a form that needs a proof is kept, its page is shown again after the proof, and sending it does it', async () => {
  const ada = await enter('ada')
  const { token } = await app.actor('femi')
  const { json } = await app.send({ path: '/api/v1/account', headers: { authorization: `Bearer ${token}` } })
  const path = `/staff/people/${json.id}/acts/role`
  const page = await ada.open(path)
  const form = formTo(page, path, { act: 'role' })
  await setRecentUntil('ada', 0)
  const asked = await ada.submit(form, [['role', 'lecturer']])
  assert.ok(isConfirm(asked), asked.text)
  const [, cancel = ''] = /<a class="button" href="([^"]+)">Cancel/.exec(asked.text) ?? []
  const left = await ada.open(cancel.replaceAll('&amp;', '&'))
  assert.ok(left.status === 200 && !isConfirm(left))
  assert.doesNotMatch(left.text, /id="kept"/)
  const again = await confirm(ada, asked)
  assert.match(again.text, /id="kept"/)
  const done = await ada.submit(formTo(again, path, { act: 'role' }), [['role', 'lecturer']])
  assert.match(done.text, /The role was changed/)
  const [row] = await app.database.query<{ role: string }>(
    'select role from members where school_id = $1 and email = $2',
    [app.a.id, people.femi.email],
  )
  assert.equal(row?.role, 'lecturer')
  await app.setRole('femi', 'member')
})

test('who invites somebody with a role proves who they are before anybody is invited', async () => {
  const ada = await enter('ada')
  const email = 'invited-later@crumb.example'
  const invited = () =>
    app.database.query<{ role: string }>('select role from members where school_id = $1 and email = $2', [
      app.a.id,
      email,
    ])
  const form = formTo(await ada.open('/staff/invitations'), '/staff/invitations', { act: 'invite' })
  const fields: [string, string][] = [
    ['name', 'Invited Later'],
    ['email', email],
  ]
  await setRecentUntil('ada', 0)
  const asked = await ada.submit(form, [...fields, ['role', 'admin']])
  assert.ok(isConfirm(asked), asked.text)
  assert.deepEqual(await invited(), [])
  const again = await confirm(ada, asked)
  assert.deepEqual(await invited(), [])
  const kept = formTo(again, '/staff/invitations', { act: 'invite', email, name: 'Invited Later' })
  assert.match((await ada.submit(kept, [['role', 'admin']])).text, /role="status"/)
  assert.deepEqual(await invited(), [{ role: 'admin' }])
  await setRecentUntil('ada', 0)
  const member = formTo(await ada.open('/staff/invitations'), '/staff/invitations', { act: 'invite' })
  const without = await ada.submit(member, [
    ['name', 'No Role'],
    ['email', 'no-role@crumb.example'],
  ])
  assert.ok(!isConfirm(without), 'an invitation without a role needs no proof')
})

// Lists of the console that name people; what everybody may read, and what is one's own, is not among them.
const OF_PEOPLE = [
  'listCommentReports',
  'listCouponRedemptions',
  'listCourseCertificates',
  'listCourseEnrollments',
  'listEnrollmentImportRows',
  'listEnrollments',
  'listEventRegistrations',
  'listFormSubmissions',
  'listGroupMembers',
  'listInvoices',
  'listMemberImportRows',
  'listMemberRegistrations',
  'listMembers',
  'listMutedCommenters',
  'listOrders',
  'listOutboxMails',
  'listPendingEnrollments',
  'listPersonSubmissions',
  'listPlanHolders',
  'listProductDownloads',
  'listProductGifts',
  'listProductHolders',
  'listQuizAttempts',
  'listSchoolStaff',
  'listStudents',
  'listSubmissions',
  'listSubscriptions',
  'listWaitingCredits',
  'listWebhooks',
]

test('each list that names people is given out as CSV after a recent proof alone, and every other one without', async () => {
  const ada = await enter('ada')
  await setRecentUntil('ada', 0)
  const asking: string[] = []
  for (const operation of lists) {
    const { params, query: asked } = await lookUp(operation, await reader(), request => app.send(request))
    const query = new URLSearchParams({ ...params, ...asked } as Record<string, string>)
    query.delete('limit')
    const { status, headers } = await openWith(app.port, formatCookie(ada), `/staff/csv/${operation.id}?${query}`)
    if (headers.location?.startsWith('/account/confirm?')) asking.push(operation.id)
    else assert.ok(status < 500, `${operation.id}: ${status}`)
  }
  assert.deepEqual(asking.sort(), OF_PEOPLE)
})

test('each act that needs a proof lets it count for two hours more, and never beyond twelve', async () => {
  const ada = await enter('ada')
  await setRecentUntil('ada', 600)
  const csv = await openWith(app.port, formatCookie(ada), '/staff/csv/listMembers')
  assert.match(csv.headers['content-type'] ?? '', /text\/csv/)
  assert.equal(await readRecent('ada'), 120)
  await app.database.query(`update sessions set auth_time = auth_time - interval '11 hours'`)
  await openWith(app.port, formatCookie(ada), '/staff/csv/listMembers')
  assert.equal(await readRecent('ada'), 60)
  await setRecentUntil('ada', 0)
  const refused = await openWith(app.port, formatCookie(ada), '/staff/csv/listMembers?q=ada+l')
  const to = new URL(refused.headers.location ?? '', app.a.siteOrigin)
  assert.deepEqual([refused.status, to.pathname], [303, '/account/confirm'])
  assert.equal(to.searchParams.get('return_to'), '/staff/csv/listMembers?q=ada+l')
  assert.equal(await readRecent('ada'), 0)
})

test('eleven hours after a sign-in nobody asks before saving a profile, and a refund asks when its page is opened', async () => {
  const ada = await enter('ada')
  await app.moveClock(11 * HOUR)
  for (const path of ['/staff', '/staff/appearance', '/staff/coupons', '/staff/settings', '/account/profile'])
    assert.ok(!isConfirm(await ada.open(path)), path)
  const profile = formTo(await ada.open('/account/profile'), '/account/profile')
  assert.match((await ada.submit(profile, [])).text, /Your changes were saved/)
  const appearance = await ada.open('/staff/appearance')
  const [, revision = ''] = /name="revision" value="([^"]*)"/.exec(appearance.text) ?? []
  const chosen = { act: 'save', light_accent: '#0a5d36', heading: '', body: '', radius: 'soft', width: 'normal' }
  const colors = formTo(appearance, '/staff/appearance', { revision })
  assert.match((await ada.submit(colors, Object.entries(chosen))).text, /The draft is saved/)
  assert.ok(isConfirm(await ada.open('/staff/orders/ORD-1/refund')))
})

test('a confirmation is counted with the sign-ins of the account before the password is compared', async () => {
  const dev = await enter('dev')
  const isFull = ({ status, headers }: TestReply): boolean => status === 429 && Number(headers['retry-after']) > 0
  await setRecentUntil('dev', 0)
  const form = formTo(await dev.open('/account/confirm'), '/account/confirm')
  const own = { ...dev, cookies: new Map(dev.cookies) }
  const tryWith = (password: string) => post(app.port, own, form.action, listFields(form, { password }))
  const tries = []
  for (let n = 0; n < 10; n++) tries.push((await tryWith('wrong all the same')).status)
  assert.deepEqual(
    tries,
    Array.from({ length: 10 }, () => 400),
  )
  const right = await tryWith(PASSWORD)
  assert.ok(isFull(right), right.text)
  assert.equal(right.headers['set-cookie'], undefined)
  // To sign in in this browser is counted together with it.
  for (const name of own.cookies.keys()) if (name.includes('session')) dev.cookies.delete(name)
  const signIn = formTo(await dev.open('/account/sign-in'), '/account/sign-in')
  const again = listFields(signIn, { email: people.dev.email, password: PASSWORD })
  assert.ok(isFull(await post(app.port, dev, signIn.action, again)))
  await app.moveClock(15 * 60 + 1)
  assert.equal((await tryWith(PASSWORD)).status, 303)
})

test('a proof within a session changes nothing for the tokens of apps', async () => {
  const dev = await connect(app, 'dev')
  const browser = await enter('dev')
  const grants = () => app.database.query('select * from grants where client_id = $1', [dev.clientId])
  const before = await grants()
  await setRecentUntil('dev', 0)
  await confirm(browser, await browser.open('/account/confirm'))
  assert.deepEqual(await grants(), before)
  const headers = { authorization: `Bearer ${dev.access}` }
  assert.equal((await app.send({ path: '/api/oauth/userinfo', headers })).status, 200)
  assert.equal((await refreshAt(app.port, dev, dev.refresh)).status, 200)
})

const takePassword = (name: PersonName) =>
  app.database.query(
    `delete from credentials where kind = 'password' and member_id in (select id from members where email = $1)`,
    [people[name].email],
  )

test('a member without a password confirms with a mailed code; its link shows a button', async () => {
  const eli = await enter('eli')
  await takePassword('eli')
  await setRecentUntil('eli', 0)
  const asked = await eli.open('/account/email')
  assert.doesNotMatch(asked.text, /type="password"/)
  const page = await fillIn(eli, asked, { way: 'code' })
  assert.match(page.text, /name="code"/)
  assert.match((await fillIn(eli, page, { code: '000000' })).text, /not correct/)
  const code = await newestCode(mailbox, people.eli.email)
  const button = await eli.open(`/account/confirm/code?code=${code}`)
  assert.match(button.text, new RegExp(`name="code" value="${code}"`))
  assert.ok(isConfirm(await eli.open('/account/email')), 'opening the link has no effect')
  const form = formTo(page, '/account/confirm/code')
  const { status, headers } = await post(app.port, eli, form.action, listFields(form, { code }))
  assert.deepEqual([status, headers.location], [303, '/account/email'])
  const [one] = headers['set-cookie'] ?? []
  assert.ok(one?.includes('-session-'))
  assert.equal((await openWith(app.port, (one ?? '').split(';')[0] ?? '', '/account/email')).status, 200)
  const [row] = await app.database.query<{ amr: string[] }>(
    `select amr from sessions where member_id in (select id from members where email = $1) order by started_at desc limit 1`,
    [people.eli.email],
  )
  assert.deepEqual(row?.amr, ['otp', 'pwd'])
  const dev = await enter('dev')
  await setRecentUntil('dev', 0)
  assert.ok(isConfirm(await dev.open(`/account/confirm/code?code=${code}`)), 'another person has no such code')
})

test('a code that is posted twice, at once or one after the other, confirms twice', async () => {
  const { email } = people.femi
  const femi = await enter('femi')
  await takePassword('femi')
  const cookieOf = ({ headers }: TestReply) => headers['set-cookie']?.[0]?.split(';')[0]
  for (const [at, way] of ['at once', 'with the old cookie', 'with the new cookie'].entries()) {
    await app.database.query('delete from limits')
    await setRecentUntil('femi', 0)
    const page = await fillIn(femi, await femi.open('/account/email'), { way: 'code' })
    const form = formTo(page, '/account/confirm/code')
    const fields = listFields(form, { code: await newestCode(mailbox, email, at + 1) })
    const old = { ...femi, cookies: new Map(femi.cookies) }
    const send = (browser: Browser) => post(app.port, browser, form.action, fields)
    const replies = way === 'at once' ? await Promise.all([send(old), send(old)]) : [await send(old)]
    const [name = '', value = ''] = (replies[0] && cookieOf(replies[0])?.split('=')) ?? []
    femi.cookies.set(name, value)
    if (way !== 'at once') replies.push(await send(way === 'with the new cookie' ? femi : old))
    for (const { status, headers } of replies)
      assert.deepEqual([status, headers.location], [303, '/account/email'], way)
    // Without a cookie the browser keeps the one that it has.
    const expected = way === 'with the new cookie' ? undefined : `${name}=${value}`
    assert.deepEqual(replies.slice(1).map(cookieOf), [expected], way)
    assert.ok(!isConfirm(await femi.open('/account/email')), way)
    const wrong = await post(app.port, femi, form.action, listFields(form, { code: '000000' }))
    assert.deepEqual([wrong.status, cookieOf(wrong)], [400, undefined], way)
    assert.equal((await post(app.port, await enter('dev'), form.action, fields)).status, 403, way)
    await app.moveClock(61)
    const late = await send(old)
    assert.deepEqual([cookieOf(late), isConfirm(late)], [undefined, false], way)
  }
})

test('a lecturer without a password is offered to choose one, and gets no code', async () => {
  const carla = await enter('carla')
  await takePassword('carla')
  await setRecentUntil('carla', 0)
  const asked = await carla.open('/account/email')
  assert.match(asked.text, /href="\/account\/reset"/)
  assert.doesNotMatch(asked.text, /type="password"|value="code"/)
})
