import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { readMemberId } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { mailTo, testMailArea, testMails } from '#testing/mails.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  moreAreas: [testMailArea],
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const { test_news: news, test_reminder: reminder, test_receipt: receipt } = testMails
const ACCOUNT = ['account:read', 'account:write', 'school:read']

const consent = async (name: PersonName, granted = true): Promise<void> => {
  const actor = await app.actor(name, { scopes: ACCOUNT })
  const reply = await actor.write('PATCH', '/account', { marketing_consent: { granted } })
  assert.equal(reply.status, 200, reply.text)
}

type Kind = typeof news | typeof reminder

/** Mails a person, and returns the path of the link that turns off such mails, with the headers of the mail. */
const linkIn = async (name: PersonName, kind: Kind, school: School = app.a) => {
  const subject = new RegExp(`^${kind.subject.en.split(' ')[0]}`)
  const before = mailbox.arrived.filter(
    ({ to, email }) => to.includes(people[name].email) && subject.test(email.subject ?? ''),
  ).length
  assert.equal(await mailTo(app, name, { kind }, school), 1)
  const mail = (await mailbox.waitFor(people[name].email, before + 1, subject))[before]
  const header = (key: string) => mail?.email.headers.find(one => one.key === key)?.value
  const address = /^<(.*)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? ''
  assert.ok(address.startsWith(`${school.baseUrl}/unsubscribe/`), address)
  assert.ok(mail?.email.text?.includes(`\n${address}\n`))
  assert.ok(mail?.email.html?.includes(`<a class="link" href="${address}" `))
  return { path: new URL(address).pathname, post: header('list-unsubscribe-post') }
}

const FORM = 'application/x-www-form-urlencoded'

const oneClick = (path: string, school: School = app.a) =>
  app.send({ method: 'POST', path, headers: { 'content-type': FORM }, body: 'List-Unsubscribe=One-Click' }, school)

const isWanted = async (name: PersonName): Promise<boolean> =>
  (await (await app.actor(name, { scopes: ACCOUNT })).get('/account')).json.marketing_consent.granted

const readEntries = async (name: PersonName) =>
  app.database.query<{ fields: string[]; member_id: string | null }>(
    `select fields, member_id from audit_log where operation = 'updateAccount' and about_id = $1 order by id`,
    [await readMemberId(app, name)],
  )

suite('a link that turns off mails', () => {
  test('changes nothing when it is opened, and turns them off with the button, without a sign-in', async () => {
    await consent('dev')
    const { path } = await linkIn('dev', news)
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open(path, { 'accept-language': 'en' })
    assert.equal(page.status, 200)
    assert.match(page.text, /Crumb &amp; Crust sends you these e-mails: News and offers of the school\./)
    assert.equal((await app.send({ method: 'HEAD', path })).status, 200)
    assert.equal(await isWanted('dev'), true)
    const done = await browser.submit(parseForm(page), [], { 'accept-language': 'en' })
    assert.equal(done.status, 200)
    assert.match(done.text, /These e-mails are turned off: News and offers of the school\./)
    assert.equal(await isWanted('dev'), false)
    assert.equal(await mailTo(app, 'dev', { kind: news }), 0)
  })

  test('exists in the language of the browser, and names neither person nor address', async () => {
    await consent('eli')
    const { path } = await linkIn('eli', news)
    const shown = await app.send({ path, headers: { accept: 'text/html', 'accept-language': 'pt' } })
    assert.match(shown.text, /<html lang="pt">[\s\S]*Desativar estas mensagens/)
    assert.equal(shown.headers['cache-control'], 'no-store')
    const sent = await app.send({ method: 'POST', path, headers: { 'accept-language': 'pt' } })
    assert.match(sent.text, /Estas mensagens estão desativadas: Novidades e ofertas da escola\./)
    const token = Buffer.from(path.split('/').at(-1) ?? '', 'base64url').toString('latin1')
    for (const text of [shown.text, sent.text, JSON.stringify([shown.headers, sent.headers]), path, token])
      assert.doesNotMatch(text, /eli@|crumb\.example|Eli /)
  })

  test('is sent by a mail program with one click, as either type of form, and as often as it likes', async () => {
    const { path } = await linkIn('ada', reminder)
    const boundary = 'xYz'
    const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const first = await app.send({ method: 'POST', path, headers, body: multipart })
    assert.deepEqual([first.status, first.headers.location, first.headers['set-cookie']], [200, undefined, undefined])
    const [one, two] = await Promise.all([oneClick(path), oneClick(path)])
    assert.deepEqual([one.status, two.status], [200, 200])
    assert.equal(await mailTo(app, 'ada', { kind: reminder }), 0)
    const entries = await readEntries('ada')
    assert.deepEqual(
      entries.map(({ fields, member_id }) => [fields, member_id]),
      [[['notifications'], null]],
      'one change, of nobody who is signed in',
    )
    const facts = await app.database.query(`select from facts where type = 'member.updated' and payload @> $1`, [
      JSON.stringify({ member_id: toId('mem', await readMemberId(app, 'ada')), fields: ['notifications'] }),
    ])
    assert.equal(facts.length, 1)
  })

  test('announces one click over https alone (RFC 8058)', async () => {
    assert.ok(app.b.baseUrl.startsWith('https:') && app.a.baseUrl.startsWith('http:'))
    assert.equal((await linkIn('carla', reminder, app.b)).post, 'List-Unsubscribe=One-Click')
    assert.equal((await linkIn('carla', reminder)).post, undefined)
  })

  test('turns off nothing else and for nobody else', async () => {
    await consent('ben')
    await consent('femi')
    const { path } = await linkIn('ben', reminder)
    assert.equal((await oneClick(path)).status, 200)
    assert.equal(await mailTo(app, 'ben', { kind: reminder }), 0)
    assert.deepEqual([await isWanted('ben'), await isWanted('femi')], [true, true])
    assert.equal(await mailTo(app, 'ben', { kind: receipt, values: { name: 'Ben' } }), 1)
    assert.equal(await mailTo(app, 'ben', { kind: news }), 1)
    assert.equal(await mailTo(app, 'femi', { kind: reminder }), 1)
    assert.equal(await mailTo(app, 'ben', { kind: reminder }, app.b), 1)
  })

  test('is signed: another school, another member, another kind and any other text are refused alike', async () => {
    await consent('femi')
    const { path } = await linkIn('femi', news)
    const token = Buffer.from(path.split('/').at(-1) ?? '', 'base64url')
    const changed = (at: number): string => {
      const bytes = Buffer.from(token)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes.toString('base64url')
    }
    const asReceipt = Buffer.concat([token.subarray(0, 32), Buffer.from(receipt.name)]).toString('base64url')
    const tokens = [changed(0), changed(20), changed(32), asReceipt, token.subarray(0, 32).toString('base64url'), 'x']
    for (const method of ['GET', 'POST']) {
      const refused = await Promise.all(
        tokens.map(text => app.send({ method, path: `/unsubscribe/${text}`, headers: { accept: 'application/json' } })),
      )
      refused.push(await app.send({ method, path, headers: { accept: 'application/json' } }, app.b))
      assert.deepEqual(
        new Set(refused.map(({ status, json }) => `${status} ${json.detail}`)),
        new Set(['404 There is no such link.']),
      )
    }
    assert.equal(await isWanted('femi'), true)
  })

  test('still works years later, and says the same once the member is gone', async () => {
    await consent('eli')
    const { path } = await linkIn('eli', news)
    const other = await linkIn('eli', reminder)
    await app.moveClock(5 * 365 * 24 * 3600)
    const before = await oneClick(path)
    assert.equal(before.status, 200)
    const [row] = await app.database.query<{ granted: boolean; source: string }>(
      'select marketing_granted as granted, marketing_source as source from members where id = $1',
      [await readMemberId(app, 'eli')],
    )
    assert.deepEqual(row, { granted: false, source: 'unsubscribe' })
    const id = await readMemberId(app, 'eli')
    await app.database.query(`update members set status = 'deleted' where id = $1`, [id])
    const [{ revision } = {}] = await app.database.query<{ revision: number }>(
      'select revision from members where id = $1',
      [id],
    )
    const after = await oneClick(other.path)
    assert.equal(after.status, 200)
    const [unchanged] = await app.database.query('select revision from members where id = $1', [id])
    assert.deepEqual(unchanged, { revision })
    await app.database.query(`update members set status = 'active' where id = $1`, [id])
  })
})

test('a person turns mails on and off on a page of the account, which the page of the link leads to', async () => {
  const person = { port: app.port, school: app.a, email: people.eli.email, password: PASSWORD }
  const browser = await enterAccount(person)
  assert.match((await browser.open('/account')).text, /<a href="\/account\/emails">E-mails you receive<\/a>/)
  const page = await browser.open('/account/emails')
  assert.match(page.text, /New lessons in your courses[\s\S]*News and offers of the school/)
  const form = formTo(page, '/account/emails')
  const names = () =>
    browser
      .open('/account/emails')
      .then(({ text }) => [...text.matchAll(/value="(\w+)" checked/g)].map(([, key]) => key))
  assert.deepEqual(await names(), ['product_updated', 'comment_replied', 'comments_waiting', 'event_reminder'])
  const done = await browser.submit(form, [
    ['mail', 'lesson_opened'],
    ['mail', 'marketing_consent'],
  ])
  assert.match(done.text, /Your changes were saved/)
  assert.deepEqual(await names(), ['lesson_opened', 'marketing_consent'])
  const { path } = await linkIn('eli', news)
  const off = await oneClick(path)
  assert.match(off.text, /<a href="\/account\/emails">/)
  assert.deepEqual(await names(), ['lesson_opened'])
  await browser.submit(form, [['mail', 'unknown']])
  assert.deepEqual(await names(), [])
})

test('a mail that waits is not sent once its reader has turned off such mails', async () => {
  const { path } = await linkIn('carla', reminder)
  const arrived = () => mailbox.arrived.filter(({ to }) => to.includes(people.carla.email)).length
  const before = arrived()
  mailbox.treat(({ to }) => {
    if (to.includes(people.carla.email)) throw new Error('not now')
  })
  const waiting = () =>
    app.database.query<{ attempts: number }>(`select attempts from mails where recipient = $1 and sent_at is null`, [
      people.carla.email,
    ])
  assert.equal(await mailTo(app, 'carla', { kind: reminder }), 1)
  await until(async () => (await waiting())[0]?.attempts === 1, 'the first attempt')
  mailbox.treat(() => undefined)
  assert.equal((await oneClick(path)).status, 200)
  await app.moveClock(61)
  await until(async () => (await waiting()).length === 0, 'the mail is dropped')
  assert.equal(arrived(), before)
})
