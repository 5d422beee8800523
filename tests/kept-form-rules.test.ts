import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { purposeKey, unseal } from '#src/kit/crypto.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post, signInAt } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, startApp } from '#testing/app.ts'
import { type Browser, type PageForm, parseForm } from '#testing/browser.ts'
import { approveAs } from '#testing/confirming.ts'
import { readShownForms } from '#testing/controls.ts'
import { visitorAt } from '#testing/form-pages.ts'
import { send, type TestReply } from '#testing/http.ts'
import { TEACHING, teach } from '#testing/learning.ts'
import { checkout, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'

let app: Awaited<ReturnType<typeof startApp>>

const GONE = /id="kept" tabindex="-1" autofocus><p>What you had typed could be kept for 15 minutes only\.<\/p>/
const AGAIN = /id="kept" tabindex="-1" autofocus><p>You are signed in again\. Check what you typed and send it\.<\/p>/
const WORDS = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ')

const enter = (name: PersonName) => enterAccount(visitorAt(app, name))

let path: string
let lesson: string
before(async () => {
  app = await startApp()
  const taught = await teach(await app.actor('ada', { scopes: TEACHING }), 'Of kept forms', [{ name: 'Long' }])
  lesson = taught.lessons[0] ?? ''
  path = `/staff/courses/${taught.id}/lessons/${lesson}`
})
after(() => app?.stop())
beforeEach(async () => {
  await app.database.query('delete from kept_forms')
  await app.database.query('delete from limits')
})

type Kept = { readonly member_id: string; readonly path: string; readonly sealed: Buffer; readonly bytes: number }

const readKept = () => app.database.query<Kept>('select member_id, path, sealed, bytes from kept_forms order by id')

const openKept = ({ member_id: memberId, path: at, sealed }: Kept) =>
  JSON.parse(unseal(purposeKey(app.secret, 'kept-form'), sealed, [app.a.id, memberId, at].join('\n')))

const readLesson = async (): Promise<string> =>
  (await (await app.actor('ada', { scopes: TEACHING })).get(`/lessons/${lesson}`)).text

const signOut = (browser: Browser): Browser => {
  for (const name of [...browser.cookies.keys()]) if (name.includes('session')) browser.cookies.delete(name)
  return browser
}

/** Shows the form of a page to a person, whose cookie is gone when they send it; returns where it is shown again. */
const keep = async (name: PersonName, at: string, fields: Readonly<Record<string, string>>) => {
  const browser = await enter(name)
  const form = await readForm(browser, at, Object.keys(fields))
  const reply = await post(app.port, signOut(browser), form.action, listFields(form, fields))
  return { browser, form, reply, address: readAddress(reply) }
}

const readForm = async (browser: Browser, at: string, names: readonly string[] = []): Promise<PageForm> =>
  formWith(await browser.open(at), names)

/** The form of a page that has these fields, with what it sends. */
const formWith = (page: TestReply, names: readonly string[]): PageForm => {
  const found = readShownForms(page).find(({ controls, hidden }) =>
    names.every(name => controls.some(one => one.name === name) || hidden.some(one => one[0] === name)),
  )
  assert.ok(found, `no form with ${names} on: ${page.text}`)
  const typed = found.controls.flatMap(({ name, values }) => values.map(value => [name, value] as const))
  return { action: found.action, fields: [...found.hidden, ...typed, ...found.button] }
}

const readAddress = ({ headers }: TestReply): string =>
  new URL(headers.location ?? '/', 'http://localhost').searchParams.get('return_to') ?? ''

suite('a lesson of 3,000 words', () => {
  test('is in the editor after a sign-in, stored by Save alone, and nobody else sees it', async () => {
    const before = await readLesson()
    const { browser, address } = await keep('ada', path, { body: WORDS })
    const stranger = await enter('ben')
    const theirs = await openWith(app.port, formatCookie(stranger), address)
    assert.match(theirs.text, GONE)
    assert.doesNotMatch(theirs.text, /word2999/)
    const shown = await signInAt(browser, { email: people.ada.email, password: PASSWORD }, address)
    assert.equal(shown.status, 200)
    assert.match(shown.text, AGAIN)
    assert.equal(await readLesson(), before)
    const form = formWith(shown, ['body'])
    assert.equal(new Map(form.fields).get('body'), WORDS)
    const saved = await post(app.port, browser, form.action, form.fields)
    assert.equal(saved.status, 303, saved.text)
    assert.match(await readLesson(), /word2999/)
    assert.deepEqual(await readKept(), [])
    assert.ok(!app.log.some(line => line.includes('word2999') || line.includes(address.slice(-43))))
    const audited = await app.database.query("select from audit_log a where a::text like '%word2999%'")
    assert.equal(audited.length, 0)
  })

  test('is refused as ever when somebody else changed the lesson meanwhile', async () => {
    const { browser, address } = await keep('ada', path, { body: `${WORDS} late` })
    const ada = await app.actor('ada', { scopes: TEACHING })
    assert.equal((await ada.write('PATCH', `/lessons/${lesson}`, { name: 'Changed' })).status, 200)
    const shown = await signInAt(browser, { email: people.ada.email, password: PASSWORD }, address)
    const form = formWith(shown, ['body'])
    assert.equal(new Map(form.fields).get('body'), `${WORDS} late`)
    const saved = await post(app.port, browser, form.action, form.fields)
    assert.equal(saved.status, 412)
    assert.match(saved.text, /word2999 late/)
    assert.doesNotMatch(await readLesson(), /word2999 late/)
  })
})

test('a handle that is unknown, expired, of another page or of another member shows the empty page', async () => {
  const { address } = await keep('ada', path, { body: 'kept for a while' })
  const ada = await enter('ada')
  const [handle] = address.split('kept=').slice(-1)
  const looked = async (at: string) => (await openWith(app.port, formatCookie(ada), at)).text
  assert.match(await looked(address), /kept for a while/)
  for (const at of [`${path}?kept=${'A'.repeat(43)}`, `${path}?kept='`, `/staff/courses/new?kept=${handle}`]) {
    const text = await looked(at)
    assert.match(text, GONE)
    assert.doesNotMatch(text, /kept for a while/)
  }
  // The address of whoever cancels a proof has no handle.
  assert.doesNotMatch(await looked(`${path}?kept=`), /id="kept"|kept for a while/)
  await app.moveClock(15 * 60 + 1)
  assert.match(await looked(address), GONE)
  const other = await keep('ada', path, { body: 'sealed under another secret' })
  assert.match(await looked(other.address), /sealed under another secret/)
  await app.database.query(`update kept_forms set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)`)
  assert.match(await looked(other.address), GONE)
})

test('a page that asks a provider about a payment asks and writes nothing while it shows what was typed', async () => {
  await setProvider(app, 'test', {})
  const { priceId } = await sell(await app.actor('ada', { scopes: TEACHING }), 'Of kept payments')
  const buyer = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const order = `/account/orders/${(await checkout(buyer, [priceId])).json.number}`
  const femi = await enter('femi')
  const pay = await readForm(femi, `${order}/pay`, ['provider'])
  assert.match(
    (await post(app.port, femi, pay.action, listFields(pay, { provider: 'test' }))).headers.location ?? '',
    /test-payments/,
  )
  await app.database.query('update payments set looked_at = null')
  const { address } = await keep('femi', `${order}/pay`, { provider: 'test' })
  await app.database.query('update payments set looked_at = null')
  const shown = await openWith(app.port, formatCookie(femi), address)
  assert.deepEqual([shown.status, AGAIN.test(shown.text)], [200, true], shown.text)
  const looked = await app.database.query('select from payments where looked_at is not null')
  assert.equal(looked.length, 0)
})

test('whoever has to sign in while they confirm continues where they were going', async () => {
  const browser = await enter('ada')
  const form = await readForm(browser, '/staff/integrations/new', ['name'])
  await app.database.query('update sessions set recent_until = stoa.now()')
  const fields = listFields(form, { name: 'Kept twice over', redirect_uris: 'https://till.example/callback' })
  const asked = await post(app.port, browser, form.action, fields)
  const confirm = formTo(await browser.open(asked.headers.location ?? ''), '/account/confirm')
  const other = await enter('ada')
  const typed = listFields(confirm, { password: PASSWORD })
  const nobody = await post(app.port, signOut({ ...browser, cookies: new Map(browser.cookies) }), confirm.action, typed)
  assert.match(nobody.headers.location ?? '', /^\/account\/sign-in\?/)
  const elsewhere = await post(app.port, other, confirm.action, typed)
  assert.equal(elsewhere.headers.location, readAddress(nobody))
  const shown = await openWith(app.port, formatCookie(other), readAddress(nobody))
  assert.match(shown.text, AGAIN)
  assert.equal(new Map(formWith(shown, ['name']).fields).get('name'), 'Kept twice over')
  assert.equal((await readKept()).length, 1)
})

test('after a proof by password the form is shown again, and then done', async () => {
  const browser = await enter('ada')
  const form = await readForm(browser, '/staff/integrations/new', ['name'])
  await app.database.query('update sessions set recent_until = stoa.now()')
  const fields = listFields(form, { name: 'Kept till', redirect_uris: 'https://till.example/callback' })
  const asked = await post(app.port, browser, form.action, fields)
  assert.match(asked.headers.location ?? '', /^\/account\/confirm\?/)
  const confirm = await browser.open(asked.headers.location ?? '')
  const shown = await browser.submit(parseForm(confirm), [['password', PASSWORD]])
  assert.match(shown.text, AGAIN)
  assert.equal(new Map(formWith(shown, ['name']).fields).get('name'), 'Kept till')
})

suite('what is not kept', () => {
  test('passwords, but the rest of their form', async () => {
    const typed = { current: 'my old password', password: 'my new password', apps: 'yes' }
    await keep('dev', '/account/password', typed)
    const [row] = await readKept()
    assert.ok(row)
    const names = openKept(row).typed.map(([name]: [string]) => name)
    assert.deepEqual(
      names.filter((name: string) => ['current', 'password', 'token'].includes(name)),
      [],
    )
    assert.ok(names.includes('apps'))
    assert.doesNotMatch(JSON.stringify(openKept(row)), /my (?:old|new) password/)
    assert.equal(row.bytes, Buffer.byteLength(JSON.stringify(openKept(row))))
  })

  test('forms of another site, without a token, or with the token of another member', async () => {
    const browser = await enter('ada')
    const form = await readForm(browser, path, ['body'])
    const fields = listFields(form, { body: 'not kept' })
    const without = fields.filter(([name]) => name !== 'token')
    const changed = fields.map(([name, value]): [string, string] => [
      name,
      name === 'token' ? `${value.slice(0, -1)}_` : value,
    ])
    const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const other = await enter('ben')
    for (const [sent, headers] of [
      [without, {}],
      [changed, {}],
      [fields, cross],
    ] as const) {
      assert.equal((await post(app.port, other, form.action, sent, headers)).status, 403)
      const nobody = await post(
        app.port,
        signOut({ ...browser, cookies: new Map(browser.cookies) }),
        form.action,
        sent,
        headers,
      )
      assert.doesNotMatch(nobody.headers.location ?? '', /kept/)
    }
    assert.equal((await post(app.port, other, form.action, fields)).status, 403)
    assert.deepEqual(await readKept(), [])
  })

  test('the bytes of files, which are named with their size', async () => {
    const browser = await enter('ada')
    const form = await readForm(browser, '/staff/appearance', ['field'])
    const parts = form.fields.map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="loaf &.png"\r\nContent-Type: image/png\r\n\r\n${'b'.repeat(2000)}\r\n--x--\r\n`
    const [stored] = await app.database.query<{ n: string }>('select count(*) as n from uploads')
    const reply = await send(app.port, {
      method: 'POST',
      path: form.action,
      headers: { accept: 'text/html', 'content-type': 'multipart/form-data; boundary=x' },
      body: [...parts, file].join(''),
    })
    assert.match(readAddress(reply), /kept=/)
    assert.deepEqual(await app.database.query('select count(*) as n from uploads'), [stored])
    const [row] = await readKept()
    assert.ok(row)
    assert.deepEqual(openKept(row).files, [{ field: 'file', name: 'loaf &.png', bytes: 2000 }])
    const shown = await openWith(app.port, formatCookie(browser), readAddress(reply))
    const after = shown.status === 303 ? await browser.open(shown.headers.location ?? '') : shown
    assert.match(after.text, /Choose these files again:/)
    assert.match(after.text, /<bdi>loaf &amp;\.png \(2 kB\)<\/bdi>/)
  })
})

const buildParts = (fields: readonly (readonly [string, string])[]): string =>
  [
    ...fields.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    '--x--\r\n',
  ].join('')

suite('how much is kept', () => {
  const sendAll = async (browser: Browser, form: PageForm, texts: readonly string[]): Promise<string[]> => {
    const addresses: string[] = []
    for (const text of texts)
      addresses.push(readAddress(await post(app.port, browser, form.action, listFields(form, { body: text }))))
    return addresses
  }
  const prepare = async () => {
    const browser = await enter('ada')
    const form = await readForm(browser, path, ['body'])
    return { form, own: { ...browser, cookies: new Map(browser.cookies) }, nobody: signOut(browser) }
  }

  test('five forms of a member, and the oldest goes', async () => {
    const { form, own, nobody } = await prepare()
    const addresses = await sendAll(nobody, form, ['1st', '2nd', '3rd', '4th', '5th', '6th'])
    assert.equal((await readKept()).length, 5)
    assert.match((await openWith(app.port, formatCookie(own), addresses[0] ?? '')).text, GONE)
    for (const address of addresses.slice(1))
      assert.match((await openWith(app.port, formatCookie(own), address)).text, AGAIN)
  })

  test('2 MB of a member', async () => {
    const { form, nobody } = await prepare()
    await sendAll(
      nobody,
      form,
      ['a', 'b', 'c'].map(letter => letter.repeat(800_000)),
    )
    assert.deepEqual(
      (await readKept()).map(row => openKept(row).typed.find(([name]: [string]) => name === 'body')[1][0]),
      ['b', 'c'],
    )
  })

  test('1 MB of a form, beyond which its text can be copied; what has more than 2 MB is refused', async () => {
    const { form, own, nobody } = await prepare()
    assert.match((await sendAll(nobody, form, ['x'.repeat(990_000)]))[0] ?? '', /kept=/)
    const before = await readLesson()
    const { length: kept } = await readKept()
    const sendLong = async (browser: Browser, body: string): Promise<TestReply[]> => {
      const fields = listFields(form, { body, name: '<i> the end' })
      const multipart = { 'content-type': 'multipart/form-data; boundary=x', accept: 'text/html' }
      const headers = { ...multipart, cookie: formatCookie(browser) }
      return Promise.all([
        post(app.port, browser, form.action, fields),
        send(app.port, { method: 'POST', path: form.action, headers, body: buildParts(fields) }),
      ])
    }
    for (const shown of await sendLong(nobody, 'x'.repeat(1_200_000))) {
      assert.equal(shown.status, 400)
      assert.match(shown.text, /<textarea[^>]* readonly[^>]*>\nx{1200000}<\/textarea>/)
      assert.match(shown.text, /<textarea[^>]* readonly[^>]*>\n&lt;i&gt; the end<\/textarea>/)
      assert.doesNotMatch(shown.text, /name="token"/)
    }
    for (const shown of await sendLong(own, 'x'.repeat(1_200_000))) {
      assert.equal(shown.status, 422)
      assert.match(shown.text, /x{1200000}<\/textarea>/)
    }
    for (const browser of [own, nobody])
      for (const refused of await sendLong(browser, 'x'.repeat(2_000_001))) {
        assert.equal(refused.status, 413)
        assert.match(refused.text, /<h1>/)
      }
    assert.equal((await readKept()).length, kept)
    assert.equal(await readLesson(), before)
  })

  test('100 of a network in an hour, then the text to copy, without its passwords', async () => {
    const { form, nobody } = await prepare()
    await sendAll(
      nobody,
      form,
      Array.from({ length: 100 }, (_, at) => `text ${at}`),
    )
    const reply = await post(
      app.port,
      nobody,
      form.action,
      listFields(form, { body: '<b>too many</b>', password: 'my password', current: 'my password' }),
    )
    assert.equal(reply.status, 400)
    assert.match(reply.text, /<textarea[^>]* readonly[^>]*>\n&lt;b&gt;too many&lt;\/b&gt;<\/textarea>/)
    assert.doesNotMatch(reply.text, /my password|name="token"/)
    await app.moveClock(3601)
    assert.match((await sendAll(nobody, form, ['later']))[0] ?? '', /kept=/)
  })
})

test('what was kept of somebody who is merged into another account is deleted', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const { json: into } = await ada.write('POST', '/members', {
    ...{ email: 'merged@crumb.example', name: 'Merged', send_invitation: false },
  })
  const [eli] = (await ada.get(`/members?email=${people.eli.email}`)).json.data
  await keep('eli', '/account/profile', { name: 'Eli before the merge' })
  await keep('dev', '/account/profile', { name: 'Dev' })
  assert.equal((await readKept()).length, 2)
  const asked = await ada.write('POST', `/members/${into.id}/merges`, { member_id: eli.id })
  await approveAs(app, 'ada', asked.json.confirmation.url)
  const [left, ...others] = await readKept()
  assert.ok(left)
  assert.deepEqual(others, [])
  assert.ok(openKept(left).typed.some(([, value]: [string, string]) => value === 'Dev'))
})

test('a form that is kept twice at once and sent twice at once is done once', async () => {
  const browser = await enter('ada')
  const form = await readForm(browser, '/staff/courses/new', ['name'])
  const fields = listFields(form, { name: 'Kept twice' })
  const nobody = signOut({ ...browser, cookies: new Map(browser.cookies) })
  const kept = await Promise.all([1, 2].map(() => post(app.port, nobody, form.action, fields)))
  assert.equal((await readKept()).length, 2)
  const [first = ''] = kept.map(readAddress)
  const shown = formWith(await openWith(app.port, formatCookie(browser), first), ['name'])
  const sent = await Promise.all([1, 2].map(() => post(app.port, browser, shown.action, shown.fields)))
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303],
  )
  const courses = await app.database.query("select from courses where name = 'Kept twice'")
  assert.equal(courses.length, 1)
  assert.equal((await readKept()).length, 1)
})
