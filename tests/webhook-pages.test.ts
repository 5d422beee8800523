import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sentTypes } from '#src/areas/apps/index.ts'
import { enterAccount, formTo, listFields, listForms, post } from '#testing/account-pages.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { type Browser, parseForm } from '#testing/browser.ts'
import { listSent } from '#testing/controls.ts'
import { visitorAt } from '#testing/form-pages.ts'
import type { TestReply } from '#testing/http.ts'
import { startMailbox } from '#testing/mail.ts'
import { isSignedWith, type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { openFile } from '#testing/staff-pages.ts'
import { stoaHere } from '#testing/stoa.ts'
import { until } from '#testing/until.ts'
import { addShownWebhook } from '#testing/webhooks.ts'

// With a mailbox the worker runs.
let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
})
after(() => Promise.all([receiver.stop(), mailbox?.stop()]))

const LIST = '/staff/webhooks'
const NEW = `${LIST}/new`

const writer = (scopes: readonly string[]) => app.actor('ada', { scopes })

const enter = (name: PersonName): Promise<Browser> => enterAccount(visitorAt(app, name))

type Fields = readonly (readonly [string, string])[]

/** Sends the form of a new webhook as it stands, with these fields in place of those of the same name. */
const create = async (browser: Browser, fields: Fields): Promise<TestReply> => {
  const named = new Set(fields.map(([name]) => name))
  const sent = listSent(await browser.open(NEW), NEW).filter(([name]) => !named.has(name))
  return post(app.port, browser, NEW, [...sent, ...fields])
}

const readSecret = ({ text }: TestReply): string => /<code class="copy">(whsec_[^<]+)<\/code>/.exec(text)?.[1] ?? ''
const readPath = ({ text }: TestReply): string => /href="(\/staff\/webhooks\/whk_\w+)"/.exec(text)?.[1] ?? ''

let added = 0
/** Creates a webhook to a path of the receiver of its own; returns the path of its page, its secret, and what it was sent. */
const add = async (browser: Browser, ...types: string[]) => {
  added += 1
  const url = `${receiver.url}/${added}`
  const made = await create(browser, [['url', url], ...types.map(type => ['types', type] as const)])
  assert.equal(made.status, 200, made.text)
  const listReceived = () => receiver.received.filter(({ path }) => path === new URL(url).pathname)
  return { path: readPath(made), secret: readSecret(made), listReceived }
}

/** Presses the button of an act on the page of a webhook. */
const act = async (browser: Browser, path: string, name: string, fields: Readonly<Record<string, string>> = {}) =>
  post(app.port, browser, path, listFields(formTo(await browser.open(path), path, { act: name }), fields))

const count = async (): Promise<number> => {
  const [row] = await app.database.query<{ n: number }>('select count(*)::integer as n from webhooks')
  return row?.n ?? 0
}

test('what is wrong in the form of a webhook stands at its field, and nothing is stored', async () => {
  const ada = await enter('ada')
  const had = await count()
  const bad = [
    'http://hooks.example.org/',
    'https://192.168.1.1/',
    'https://user:word@hooks.example.org/',
    app.a.baseUrl,
    'words',
    '',
  ]
  for (const url of bad) {
    const refused = await create(ada, [
      ['url', url],
      ['types', 'order.*'],
    ])
    assert.equal(refused.status, 422, url)
    assert.match(refused.text, /id="url-error">(?:Enter an address that others reach|Please fill)/, url)
    assert.match(refused.text, /value="order\.\*" checked/)
  }
  const none = await create(ada, [['url', receiver.url]])
  assert.match(none.text, /id="types-error">Choose at least one type\./)
  const types = [...none.text.matchAll(/name="types" value="([a-z_]+\.[a-z_]+)"/g)].map(([, type = '']) => type)
  const many = types.slice(0, 101).map(type => ['types', type] as const)
  const refused = await create(ada, [['url', receiver.url], ...many])
  assert.match(refused.text, /id="types-error">Choose at most 100\./)
  const unknown = await create(ada, [
    ['url', receiver.url],
    ['types', 'nothing.happened'],
  ])
  assert.equal(unknown.status, 422)
  assert.equal(await count(), had)
})

test('the form has every type that is sent, in the language of the person, and keeps what an app has chosen', async () => {
  const ada = await enter('ada')
  const { text } = await ada.open(NEW)
  for (const type of sentTypes.keys()) assert.ok(text.includes(`name="types" value="${type}"`), type)
  assert.equal(text.split('value="lesson.*"').length, 2)
  const listener = await writer(['school:read', 'curriculum:read'])
  const { json } = await listener.write('POST', '/webhooks', { url: receiver.url, types: ['quiz.*', 'lesson.created'] })
  const edit = `${LIST}/${json.id}/edit`
  const sent = listSent(await ada.open(edit), edit).filter(([name]) => name === 'types')
  assert.deepEqual(sent.map(([, type]) => type).toSorted(), ['lesson.created', 'quiz.*'])
})

test('a form that is sent twice creates one webhook, and shows its secret, which no other page has', async () => {
  const ada = await enter('ada')
  const had = await count()
  const sent = listSent(await ada.open(NEW), NEW).filter(([name]) => name !== 'url' && name !== 'which')
  const fields = [...sent, ['url', receiver.url], ['which', 'all']] as const
  const [first, second] = [await post(app.port, ada, NEW, fields), await post(app.port, ada, NEW, fields)]
  assert.equal(await count(), had + 1)
  const secret = readSecret(first)
  assert.match(secret, /^whsec_/)
  assert.equal(readSecret(second), secret)
  const path = readPath(first)
  for (const page of [LIST, path, `${path}/edit`]) assert.ok(!(await ada.open(page)).text.includes(secret), page)
  const rows = await app.database.query('select * from idempotency_keys')
  assert.ok(!JSON.stringify(rows).includes(secret.slice('whsec_'.length)))
  assert.match((await ada.open(path)).text, />Everything</)
})

test('a new secret ends the one before at once where that is asked for', async () => {
  const ada = await enter('ada')
  const { path, secret, listReceived } = await add(ada, 'course.created')
  const rotated = await act(ada, path, 'rotate', { at_once: 'yes' })
  assert.match(rotated.text, /The previous secret has ended/)
  assert.equal((await act(ada, path, 'test', { type: 'course.created' })).status, 303)
  await until(async () => listReceived().length > 0, 'the test arrives')
  const [one] = listReceived()
  assert.ok(one && isSignedWith(readSecret(rotated), one) && !isSignedWith(secret, one))
})

test('what is sent again is counted first, and has the same id', async () => {
  const ada = await enter('ada')
  const { path, listReceived } = await add(ada, 'category.created')
  const courses = await writer(['courses:write'])
  await courses.write('POST', '/categories', { name: 'Of pages', slug: 'of-pages' })
  await until(async () => listReceived().length === 1, 'the fact arrives')
  await until(async () => (await ada.open(path)).text.includes('class="pill good">Delivered'), 'it is marked')
  const file = await openFile(ada, await ada.open(path), 'listWebhookDeliveries')
  assert.match(file.text, /delivered/)
  const failed = { from: '2020-01-01T00:00', only: 'failed' }
  const nothing = await act(ada, path, 'check_replay', failed)
  assert.match(nothing.text, /There is nothing to send: in this time/)
  assert.doesNotMatch(nothing.text, /name="act" value="replay"/)
  const tried = await act(ada, path, 'check_replay', { ...failed, only: 'all' })
  assert.match(tried.text, /1 is sent again\./)
  assert.equal(listReceived().length, 1)
  const form = formTo(tried, path, { act: 'replay' })
  assert.equal((await post(app.port, ada, path, listFields(form, { only: 'all' }))).status, 303)
  await until(async () => listReceived().length === 2, 'it is sent again')
  assert.equal(new Set(listReceived().map(({ json }) => json.id)).size, 1)
  const wrong = await act(ada, path, 'check_replay', { from: 'yesterday' })
  assert.match(wrong.text, /id="replay-from-error">Enter a day and a time\./)
})

test('one that is turned off sends nothing, says from where to go on, and is offered what it missed', async () => {
  const ada = await enter('ada')
  const { path } = await add(ada, 'category.created')
  const open = await ada.open(path)
  assert.equal((await act(ada, path, 'disable')).status, 303)
  const form = listFields(formTo(open, path, { act: 'test' }), { type: 'category.created' })
  const refused = await post(app.port, ada, path, form)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Turn it on first/)
  const off = await ada.open(path)
  assert.doesNotMatch(off.text, /name="act" value="test"/)
  assert.match(off.text, /What happens from number \d+ on is not sent by itself/)
  assert.equal((await act(ada, path, 'enable')).status, 303)
  assert.doesNotMatch((await ada.open(path)).text, /value="check_missed"/)
})

/** Waits until everything that happened was distributed to the other webhooks, so that none of it is still new. */
const untilDistributed = (): Promise<void> =>
  until(async () => {
    const [row] = await app.database.query<{ n: number }>(`
      select count(*)::integer as n from facts f join distributions d on d.school_id = f.school_id
      where f.sequence is null or f.sequence > d.position`)
    return row?.n === 0
  }, 'every fact is distributed')

test('what was missed is offered once it is turned on, sent once, and then offered no more', async () => {
  const ada = await enter('ada')
  const { path, listReceived } = await add(ada, 'category.created')
  await add(ada, 'category.created')
  assert.equal((await act(ada, path, 'disable')).status, 303)
  const courses = await writer(['courses:write'])
  await courses.write('POST', '/categories', { name: 'Missed', slug: 'missed' })
  await untilDistributed()
  assert.equal((await act(ada, path, 'enable')).status, 303)
  const counted = await act(ada, path, 'check_missed')
  assert.match(counted.text, /1 is sent again\./)
  assert.equal(listReceived().length, 0)
  const sent = await post(app.port, ada, path, listFields(formTo(counted, path, { act: 'missed' })))
  assert.match(sent.headers.location ?? '', /\?done=missed$/)
  await until(async () => listReceived().length === 1, 'what it missed arrives')
  const after = await ada.open(path)
  assert.doesNotMatch(after.text, /value="check_missed"/)
  const { path: quiet } = await add(ada, 'coupon.created')
  const form = formTo(await ada.open(quiet), quiet, { act: 'check_replay' })
  const all = listFields(form, { act: 'replay', from: '2020-01-01T00:00', only: 'all' })
  const again = await post(app.port, ada, quiet, all)
  assert.match(again.headers.location ?? '', /\?done=nothing$/)
})

test('whoever sends a test learns with the next page whether the receiver accepted it', async () => {
  const ada = await enter('ada')
  const { path } = await add(ada, 'school.updated')
  const arrived = await act(ada, path, 'test', { type: 'school.updated' })
  assert.match(arrived.headers.location ?? '', /\?done=test_delivered$/)
  receiver.answer(withStatus(500))
  const refused = await act(ada, path, 'test', { type: 'school.updated' })
  receiver.answer(withStatus(204))
  assert.match(refused.headers.location ?? '', /\?done=test_failed$/)
  const shown = await ada.open(refused.headers.location ?? '')
  assert.match(shown.text, /The test did not arrive/)
})

test('where there are 20 webhooks the form says so before it is filled in', async () => {
  const ada = await enter('ada')
  await add(ada, 'school.updated')
  await app.database.query(`
    insert into webhooks (school_id, id, url, types, description, member_id, secret_sealed, secret_hint, created_at, updated_at)
    select w.school_id, gen_random_uuid(), w.url, w.types, 'One more', w.member_id, w.secret_sealed, w.secret_hint, w.created_at, w.updated_at
    from (select * from webhooks limit 1) w cross join generate_series(1, 20 - (select count(*)::integer from webhooks))`)
  const { text } = await ada.open(NEW)
  assert.match(text, /There are 20 webhooks/)
  assert.doesNotMatch(text, /name="url"/)
  await app.database.query(`delete from webhooks where description = 'One more'`)
})

test('of two people who change a webhook, the second sees what the first has stored', async () => {
  const ada = await enter('ada')
  const { path } = await add(ada, 'course.*')
  const [edit, page] = [`${path}/edit`, await ada.open(`${path}/edit`)]
  const change = (description: string) =>
    post(app.port, ada, edit, [
      ...listSent(page, edit).filter(([name]) => name !== 'description'),
      ['description', description],
      ['act', 'save'],
    ])
  assert.equal((await change('Chat')).status, 303)
  const second = await change('Till')
  assert.equal(second.status, 412)
  assert.match(second.text, /<section class="card conflict"/)
  assert.match((await ada.open(path)).text, /<h1>Chat<\/h1>/)
})

test('a delivery shows what is sent, and is sent again once for a form that is sent twice', async () => {
  const ada = await enter('ada')
  const { delivery } = await addShownWebhook(app)
  const page = await ada.open(delivery)
  assert.match(page.text, /&quot;test&quot;: true/)
  const form = listFields(formTo(page, delivery, { act: 'resend' }))
  for (const _ of ['first', 'second']) assert.equal((await post(app.port, ada, delivery, form)).status, 303)
  const elsewhere = delivery.replace(/whd_\w+$/, 'whd_00000000000000000000000000')
  assert.equal((await ada.open(elsewhere)).status, 404)
})

test('admins have the pages, lecturers and members do not', async () => {
  const { webhook } = await addShownWebhook(app)
  const admin = await enter('ben')
  assert.match((await admin.open(webhook)).text, /by the app /)
  for (const name of ['carla', 'eli'] as const) {
    const browser = await enter(name)
    for (const page of [LIST, NEW, webhook, `${webhook}/edit`])
      assert.equal((await browser.open(page)).status, 403, `${name} ${page}`)
  }
})

test('the page of connected apps says where an app sends what happens, without the path', async () => {
  await addShownWebhook(app)
  const { text } = await (await enter('ada')).open('/account/apps')
  assert.match(text, /<li>Sends what happens in the school to hooks\.example\.org \(/)
  assert.doesNotMatch(text, /hooks\.example\.org\/school/)
})

test('stoa webhooks lists where facts are sent, and disables one once', async () => {
  const { webhook } = await addShownWebhook(app)
  const id = webhook.split('/').at(-1) ?? ''
  const run = (...args: string[]) =>
    stoaHere(['webhooks', ...args, '--school', app.a.baseUrl], {
      STOA_DATABASE_URL: app.database.appUrl,
      STOA_SECRET: app.secret,
      STOA_DATA: app.folder,
      STOA_STORAGE: app.folder,
    })
  const listed = await run('list', '--json')
  assert.equal(listed.code, 0, listed.err)
  const find = (out: string) => JSON.parse(out).find((one: { id: string }) => one.id === id)
  assert.equal(find(listed.out).status === 'disabled', false)
  const [first, second] = [await run('disable', id), await run('disable', id)]
  assert.deepEqual([first.code, second.code], [0, 0], first.err)
  assert.match(second.out, /was disabled before/)
  const { status, disabled_reason } = find((await run('list', '--json')).out)
  assert.deepEqual([status, disabled_reason], ['disabled', 'by_person'])
  const [entry] = await app.database.query<{ actor: string }>(
    `select actor from audit_log where operation = 'disableWebhook' and $1 = any (resource_ids)`,
    [id],
  )
  assert.equal(entry?.actor, 'operator')
  const unknown = await run('disable', 'whk_00000000000000000000000000')
  assert.deepEqual([unknown.code, /no webhook of/.test(unknown.err)], [1, true])
  assert.equal((await run('disable')).code, 1)
  assert.equal((await run('burn', id)).code, 1)
})

const countEnded = async (): Promise<number> => {
  const [row] = await app.database.query<{ n: number }>(
    `select count(*)::integer as n from webhooks where disabled_reason = 'access_ended'`,
  )
  return row?.n ?? 0
}

test('disconnecting an app that is sent what happens asks first, and then turns its webhooks off', async () => {
  await addShownWebhook(app)
  const ada = await enter('ada')
  const page = await ada.open('/account/apps')
  const card = page.text.split('<section').find(part => part.includes('hooks.example.org (active')) ?? ''
  const asked = await ada.submit(parseForm({ ...page, text: card }), [])
  assert.equal(asked.status, 200)
  assert.match(asked.text, /<h1>Disconnect .*\?<\/h1>/)
  assert.match(asked.text, /no longer sent to hooks\.example\.org/)
  assert.equal(await countEnded(), 0)
  const question = listForms(asked).find(({ fields }) => new Map(fields).get('confirmed') === 'yes')
  assert.ok(question)
  const done = await post(app.port, ada, '/account/apps', listFields(question))
  assert.equal(done.headers.location, '/account/apps?done=app')
  assert.ok((await countEnded()) > 0)
})
