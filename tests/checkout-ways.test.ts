import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type TestApp, testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { type Browser, parseForm } from '#testing/browser.ts'
import { buyerForm, codeForm, identify, look, postOnce } from '#testing/checkout.ts'
import { send, type TestReply } from '#testing/http.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { once, sell } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { setProvider } from '#testing/payments.ts'
import { newestCode } from '#testing/people.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
let outside: OutsideProvider
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
before(async () => {
  outside = await startOutsideProvider()
})
beforeEach(() => setProvider(app, 'manual', {}))
after(async () => {
  await mailbox.stop()
  await outside.stop()
})
afterEach(() => assertLedger(app.database))

const enter = (name: 'eli' | 'femi'): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const sellOne = async (name: string, amount?: number): Promise<string> =>
  (await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), name, [once(amount)])).priceId

const readPayments = (): Promise<{ provider: string }[]> =>
  app.database.query<{ provider: string }>(
    `select p.provider from orders o left join payments p on p.school_id = o.school_id and p.order_id = o.id
     where o.school_id = $1 and o.kind = 'checkout' and o.page = '/checkout'`,
    [app.a.id],
  )

const toProcess = ({ port }: AppProcess): Pick<TestApp, 'send'> => ({
  send: request => send(port, { host: new URL(app.a.siteOrigin).host, ...request }),
})

const countPages = (): number => outside.requests.filter(path => path === 'pages').length

const readMethod = (page: TestReply): string | undefined => new Map(parseForm(page).fields).get('method')

const readPath = (page: TestReply): string => `/checkout/${new Map(buyerForm(page).fields).get('id')}`

test('a way to pay that is gone meanwhile is refused, and nothing is ordered', async () => {
  await setProvider(app, 'outside', { secrets: outside.secrets })
  const [priceId, email] = [await sellOne('Paid outside'), 'gone-way@crumb.example']
  const member = await enter('femi')
  const { page } = await look(app, [priceId], member)
  assert.equal(readMethod(page), 'outside')
  const visitor = await look(app, [priceId])
  const codePage = await identify(visitor.browser, visitor.page, { email })
  const code = await newestCode(mailbox, email)
  await setProvider(app, 'outside')
  const refused = await postOnce(app, member, buyerForm(page))
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Please choose how to pay/)
  assert.equal(readMethod(refused), 'manual')
  const late = await postOnce(app, visitor.browser, codeForm(codePage), { code })
  assert.equal(late.status, 400)
  assert.match(late.text, /does not accept payments in this way any more/)
  assert.equal(late.headers['set-cookie'], undefined)
  const unknown = await postOnce(app, member, buyerForm(page), { method: 'nothing-such' })
  assert.match(unknown.text, /Please choose how to pay/)
  assert.deepEqual(await readPayments(), [])
})

test('where nothing can charge the sum there is no button to pay, and nothing is ordered', async () => {
  const priceId = await sellOne('Too small', 10)
  await setProvider(app, 'outside', { secrets: outside.secrets })
  const { page, browser } = await look(app, [priceId])
  assert.equal(readMethod(page), 'manual', 'the provider cannot charge so little')
  await setProvider(app, 'manual')
  const sent = await postOnce(app, browser, buyerForm(page), { email: 'small@crumb.example', name: 'Sam' })
  assert.equal(sent.status, 400)
  assert.match(sent.text, /This sum cannot be paid here at the moment/)
  assert.doesNotMatch(sent.text, /name="method"|value="pay"/)
  assert.equal(new Map(parseForm(sent).fields).get('email'), 'small@crumb.example')
  assert.deepEqual(await readPayments(), [])
})

test('where the provider does not answer the order is placed, and is paid from the page of the checkout', async () => {
  const priceId = await sellOne('Answered late')
  await setProvider(app, 'outside', { secrets: outside.secrets })
  const browser = await enter('eli')
  const { page } = await look(app, [priceId], browser)
  outside.fail('pages', 'error')
  const reply = await postOnce(app, browser, buyerForm(page), { method: 'outside' })
  assert.deepEqual([reply.status, reply.headers.location], [303, `${readPath(page)}?done=unavailable`])
  const shown = await browser.open(`${readPath(page)}?done=unavailable`)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /The payment page does not answer at the moment\. Nothing was charged/)
  assert.match(shown.text, /Try to pay again/)
  const again = await postOnce(app, browser, buyerForm(page), { method: 'outside' })
  assert.equal(again.status, 303)
  assert.ok((again.headers.location ?? '').startsWith(outside.pageOrigin), again.headers.location)
  assert.deepEqual(await readPayments(), [{ provider: 'outside' }])
})

test('where the process dies before the page of the provider opens, or before it answers, the next load offers to pay, once', async () => {
  await setProvider(app, 'outside', { secrets: outside.secrets })
  const browser = await enter('femi')
  const origins = { outside: `http://127.0.0.1:${outside.port}` }
  for (const fault of ['swallowed', 'held'] as const) {
    const { page } = await look(app, [await sellOne(`Killed while ${fault}`)], browser)
    const pagesBefore = countPages()
    const effectsBefore = outside.effects.length
    outside.fail('pages', fault)
    const { appUrl: databaseUrl } = app.database
    const dying = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder, origins })
    const there = toProcess(dying)
    const unanswered = postOnce(there, browser, buyerForm(page), { method: 'outside' }).catch(() => undefined)
    await until(async () => countPages() > pagesBefore, 'the page is asked for')
    await dying.kill()
    await unanswered
    outside.release()
    const shown = await browser.open(readPath(page))
    assert.equal(shown.status, 200)
    assert.match(shown.text, /Waiting for payment/)
    const [, action = ''] = /href="([/]account[/]orders[/][^"]+[/]pay)"/.exec(shown.text) ?? []
    const led = await postOnce(app, browser, formTo(await browser.open(action), action))
    assert.equal(led.status, 303, led.text)
    assert.ok((led.headers.location ?? '').startsWith(outside.pageOrigin), led.headers.location)
    assert.equal(outside.effects.length, effectsBefore + 1, 'one page was opened')
    const again = await postOnce(app, browser, buyerForm(page), { method: 'outside' })
    assert.equal(again.headers.location, led.headers.location)
  }
})
