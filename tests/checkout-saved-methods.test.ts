// One thing: how a member buys with a method that they have saved, and has it forgotten, over the providers that save some.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, suite } from 'node:test'
import { people } from '#src/demo/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { startAppProcess } from '#testing/app-process.ts'
import type { Browser } from '#testing/browser.ts'
import { buyerForm, look, postOnce } from '#testing/checkout.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { once, sell } from '#testing/orders.ts'
import { createPost } from '#testing/payment-suite/post.ts'
import type { Controls, ProviderUnderTest, RunningProvider, SavedBehaviour } from '#testing/payment-suite/provider.ts'
import { mollieUnderTest } from '#testing/payment-suite/providers/mollie.ts'
import { stripeUnderTest } from '#testing/payment-suite/providers/stripe.ts'
import { testUnderTest } from '#testing/payment-suite/providers/test.ts'
import { callProvider, setProvider } from '#testing/payments.ts'
import { endSubscriptions, monthly, passDays } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

const providers = [testUnderTest, stripeUnderTest, mollieUnderTest]
const called = [stripeUnderTest, mollieUnderTest]

let mailbox: Mailbox
const running = new Map<string, RunningProvider>()
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
beforeEach(async () => {
  if (running.size > 0) return
  for (const provider of providers) {
    const one = await provider.start({ app, post: createPost(() => app, provider.name) })
    running.set(provider.name, one)
    await setProvider(app, provider.name, { secrets: one.secrets })
  }
})
after(async () => {
  for (const one of running.values()) await one.stop()
  await mailbox.stop()
})

const SCOPES = ['courses:read', 'courses:write', 'subscriptions:read', 'subscriptions:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
afterEach(async () => endSubscriptions(app, await staff()))

const enter = (name: 'dev' | 'eli' | 'femi'): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const getControls = ({ name }: ProviderUnderTest): Controls => running.get(name)?.controls ?? assert.fail()

let count = 0
const sellCourse = async (name: string, price: Readonly<Record<string, unknown>> = once()): Promise<string> =>
  (await sell(await staff(), `${name} ${++count}`, [price])).priceId

type Paid = {
  readonly id: string
  readonly provider: string
  readonly state: string
  readonly buyer_present: boolean
  readonly order_status: string
  readonly method_id: string | null
}

// The payments of a price, oldest first, each with its order and the method of its subscription.
const readPayments = async (priceId: string): Promise<readonly Paid[]> => {
  const rows = await app.database.query<Paid>(
    `select p.id, p.provider, p.state, p.buyer_present, o.status as order_status, s.method_id
     from payments p join orders o on o.school_id = p.school_id and o.id = p.order_id
     join order_lines l on l.school_id = o.school_id and l.order_id = o.id
     left join subscriptions s on s.school_id = o.school_id and s.id = o.subscription_id
     where o.school_id = $1 and l.price_id = $2 order by p.created_at, p.id`,
    [app.a.id, fromId('prc', priceId)],
  )
  return rows.map(row => ({ ...row, id: toId('pay', row.id) }))
}

const untilStatus = (priceId: string, status: string): Promise<void> =>
  until(async () => (await readPayments(priceId))[0]?.order_status === status, `the order is ${status}`)

const openCheckout = async (browser: Browser, priceId: string): Promise<TestReply> =>
  (await look(app, [priceId], browser)).page

const readPath = (page: TestReply): string => `/checkout/${new Map(buyerForm(page).fields).get('id')}`

const listWays = ({ text }: TestReply): readonly string[] =>
  [...text.matchAll(/name="method" value="([^"]+)"/g)].map(([, value = '']) => value)

const readChosen = ({ text }: TestReply): string => /name="method" value="([^"]+)" checked/.exec(text)?.[1] ?? ''

// Saves a method with the first payment of a subscription; returns the name of the subscription.
const saveMethod = async (
  browser: Browser,
  provider: ProviderUnderTest,
  behaviour: SavedBehaviour = 'works',
): Promise<string> => {
  const priceId = await sellCourse('Bakers Club', monthly(900))
  const page = await openCheckout(browser, priceId)
  assert.equal((await postOnce(app, browser, buyerForm(page), { method: provider.name })).status, 303)
  const [payment = assert.fail('nothing was asked')] = await readPayments(priceId)
  await getControls(provider).act(payment.id, { does: 'pay', saves: behaviour })
  await browser.open(readPath(page))
  await untilStatus(priceId, 'paid')
  return `Bakers Club ${count}`
}

// What was paid in all for a price in the books of the provider, and how many charges of a saved method had an effect.
const readBooks = async (provider: ProviderUnderTest, priceId: string) => {
  const ids = (await readPayments(priceId)).map(({ id }) => id)
  const { payments, effects } = await getControls(provider).readBooks()
  return {
    received: payments.filter(({ paymentId }) => ids.includes(paymentId)).reduce((sum, one) => sum + one.received, 0),
    charges: effects.filter(effect => ids.some(id => effect === `charge ${id}`)).length,
  }
}

const countCharges = ({ can }: ProviderUnderTest): number => (can.faults ? 1 : 0)

suite('a saved method', () => {
  test('is chosen first and pays with one press, whether the form is sent once, twice at once or later', async () => {
    const browser = await enter('dev')
    for (const provider of providers) {
      const club = await saveMethod(browser, provider)
      const priceId = await sellCourse('Bread')
      const page = await openCheckout(browser, priceId)
      assert.match(readChosen(page), /^pym_/)
      assert.equal(listWays(page)[0], readChosen(page))
      assert.match(page.text, new RegExp(`[A-Z]\\w+ •••• \\d{4}</bdi><span class="quiet">Saved for ${club}`))
      assert.match(page.text, />Pay €49\.00</)
      const replies = await Promise.all([1, 2].map(() => postOnce(app, browser, buyerForm(page))))
      const later = await postOnce(app, browser, buyerForm(page))
      for (const { status, headers } of [...replies, later])
        assert.deepEqual([status, headers.location], [303, readPath(page)])
      const shown = await browser.open(readPath(page))
      assert.match(shown.text, /<h2 id="state">Paid<\/h2>/, provider.name)
      const payments = await readPayments(priceId)
      assert.deepEqual(
        payments.map(one => [one.provider, one.state, one.buyer_present, one.order_status]),
        [[provider.name, 'succeeded', true, 'paid']],
      )
      assert.deepEqual(await readBooks(provider, priceId), { received: 4900, charges: countCharges(provider) })
      await endSubscriptions(app, await staff())
    }
  })

  test('that is declined leaves the order with what it holds, and it is paid in another way', async () => {
    const browser = await enter('eli')
    for (const provider of providers) {
      await saveMethod(browser, provider, 'declines')
      const priceId = await sellCourse('Rolls', { ...once(), enrollment_cap: 1 })
      const page = await openCheckout(browser, priceId)
      const reply = await postOnce(app, browser, buyerForm(page))
      assert.deepEqual([reply.status, reply.headers.location], [303, readPath(page)])
      const shown = await browser.open(readPath(page))
      assert.match(shown.text, /was declined/, provider.name)
      assert.match(shown.text, />Pay €49\.00</)
      assert.deepEqual(
        (await readPayments(priceId)).map(one => [one.state, one.order_status]),
        [['failed', 'pending']],
      )
      assert.equal((await readBooks(provider, priceId)).received, 0)
      const number = /\/account\/orders\/([^/"]+)\/pay"/.exec(shown.text)?.[1]
      const action = `/account/orders/${number}/pay`
      const pay = formTo(await browser.open(action), action)
      const led = await postOnce(app, browser, pay, { provider: provider.name })
      assert.equal(led.status, 303, led.text)
      const second = (await readPayments(priceId)).at(-1) ?? assert.fail()
      await getControls(provider).act(second.id, { does: 'pay' })
      await browser.open(readPath(page))
      await untilStatus(priceId, 'paid')
      assert.equal((await readBooks(provider, priceId)).received, 4900)
      await endSubscriptions(app, await staff())
    }
  })

  test('whose bank asks for the buyer leads to the page of the provider, to the same one when it is sent again', async () => {
    const browser = await enter('femi')
    for (const provider of providers) {
      await saveMethod(browser, provider, 'asks_person')
      const priceId = await sellCourse('Cake')
      const page = await openCheckout(browser, priceId)
      const replies = await Promise.all([1, 2].map(() => postOnce(app, browser, buyerForm(page))))
      const last = await postOnce(app, browser, buyerForm(page))
      assert.equal(last.status, 303)
      assert.doesNotMatch(last.headers.location ?? '', /^\/checkout/)
      const led = replies.map(({ headers }) => headers.location)
      assert.ok(led.includes(last.headers.location), provider.name)
      assert.deepEqual(
        (await readPayments(priceId)).map(one => [one.state, one.order_status]),
        [
          ['failed', 'pending'],
          ['open', 'pending'],
        ],
      )
      await getControls(provider).act((await readPayments(priceId)).at(-1)?.id ?? '', { does: 'pay' })
      await browser.open(readPath(page))
      await untilStatus(priceId, 'paid')
      assert.equal((await readBooks(provider, priceId)).received, 4900)
      await endSubscriptions(app, await staff())
    }
  })

  test('is charged once where the answer is lost, or the provider does not answer', async () => {
    const browser = await enter('dev')
    for (const provider of called)
      for (const fault of ['lost', 'error'] as const) {
        await saveMethod(browser, provider)
        const priceId = await sellCourse('Baguette')
        const page = await openCheckout(browser, priceId)
        getControls(provider).notices.setSending('never')
        getControls(provider).fail('charge', fault)
        const reply = await postOnce(app, browser, buyerForm(page))
        assert.deepEqual([reply.status, reply.headers.location], [303, readPath(page)])
        const shown = await browser.open(readPath(page))
        assert.match(shown.text, /<h2 id="state">(Waiting for payment|Paid)<\/h2>/)
        await postOnce(app, browser, buyerForm(page))
        await untilStatus(priceId, 'paid')
        assert.deepEqual(
          await readBooks(provider, priceId),
          { received: 4900, charges: 1 },
          `${provider.name} ${fault}`,
        )
        getControls(provider).notices.setSending('now')
        await endSubscriptions(app, await staff())
      }
  })

  test('is charged once where the process dies before it is charged, or before the answer', async () => {
    const browser = await enter('eli')
    const origins = Object.fromEntries([...running].map(([name, { origin }]) => [name, origin]))
    for (const provider of called)
      for (const fault of ['hanging', 'held'] as const) {
        const controls = getControls(provider)
        await saveMethod(browser, provider)
        const priceId = await sellCourse('Brioche')
        const page = await openCheckout(browser, priceId)
        controls.notices.setSending('never')
        controls.fail('charge', fault)
        const before = controls.countRequests('charge')
        const { appUrl: databaseUrl } = app.database
        const dying = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder, origins })
        const { action, fields } = buyerForm(page)
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const headers = { accept: 'text/html', cookie }
        const sent = form(action, Object.fromEntries(listFields({ action, fields }, {})), headers)
        const unanswered = send(dying.port, { ...sent, host: new URL(app.a.baseUrl).host }).catch(() => undefined)
        await until(async () => controls.countRequests('charge') > before, 'it is charged')
        await dying.kill()
        await unanswered
        controls.release()
        const shown = await browser.open(readPath(page))
        assert.match(shown.text, /<h2 id="state">(Waiting for payment|Paid)<\/h2>/)
        await app.moveClock(60)
        await untilStatus(priceId, 'paid')
        assert.deepEqual(
          await readBooks(provider, priceId),
          { received: 4900, charges: 1 },
          `${provider.name} ${fault}`,
        )
        controls.notices.setSending('now')
        await endSubscriptions(app, await staff())
      }
  })

  test('pays a new subscription, which keeps it and is charged with it again', async () => {
    for (const provider of providers) {
      const browser = await enter('femi')
      await saveMethod(browser, provider)
      const priceId = await sellCourse('Millers Club', monthly(1200))
      const page = await openCheckout(browser, priceId)
      const method = readChosen(page)
      assert.equal((await postOnce(app, browser, buyerForm(page))).headers.location, readPath(page))
      await untilStatus(priceId, 'paid')
      const [first] = await readPayments(priceId)
      assert.deepEqual([first?.buyer_present, first?.method_id], [true, fromId('pym', method)], provider.name)
      await passDays(app, 32)
      for (const { controls } of running.values()) controls.moveClock(32 * 24 * 3600)
      const next = await app.database.query<{ state: string }>(
        `select p.state from subscription_periods p join subscriptions s on s.school_id = p.school_id and s.id = p.subscription_id
         where s.price_id = $1 order by p.number`,
        [fromId('prc', priceId)],
      )
      assert.deepEqual(
        next.map(({ state }) => state),
        ['paid', 'paid'],
      )
      await endSubscriptions(app, await staff())
    }
  })
})

suite('a saved method that is not offered', () => {
  const setUse = (use: string) => callProvider(app, 'setProviderUse', 'stripe', { use })

  test('somebody else’s is refused like one that does not exist', async () => {
    await saveMethod(await enter('eli'), stripeUnderTest)
    const priceId = await sellCourse('Bagel')
    const method = readChosen(await openCheckout(await enter('eli'), priceId))
    assert.match(method, /^pym_/)
    const stranger = await enter('dev')
    const page = await openCheckout(stranger, priceId)
    assert.equal(page.text.includes('pym_'), false)
    const replies = []
    for (const named of [method, toId('pym', '00000000-0000-4000-8000-000000000000')])
      replies.push(await postOnce(app, stranger, buyerForm(page), { method: named }))
    const [theirs, unknown] = replies.map(({ status, text }) => ({ status, text }))
    assert.equal(theirs?.status, 400)
    assert.match(theirs?.text ?? '', /Please choose how to pay/)
    assert.deepEqual(theirs, unknown)
    assert.deepEqual(await readPayments(priceId), [])
  })

  test('one that has ended, has expired or whose provider takes no new buyers; and not to visitors or for nothing due', async () => {
    const browser = await enter('dev')
    await saveMethod(browser, stripeUnderTest)
    const priceId = await sellCourse('Pretzel')
    const isOffered = async (): Promise<boolean> =>
      listWays(await openCheckout(browser, priceId))[0]?.startsWith('pym_') === true
    assert.equal(await isOffered(), true)
    assert.doesNotMatch((await look(app, [priceId])).page.text, /pym_/)
    const trial = await sellCourse('Tasters', monthly(900, { trial_days: 7 }))
    assert.doesNotMatch((await openCheckout(browser, trial)).text, /pym_/)
    const shown = await openCheckout(browser, priceId)
    await setUse('renewals')
    assert.equal(await isOffered(), false)
    assert.match((await postOnce(app, browser, buyerForm(shown))).text, /Please choose how to pay/)
    await setUse('everything')
    assert.equal(await isOffered(), true)
    const setExpiry = (expires: string) => app.database.query('update payment_methods set expires = $1', [expires])
    await setExpiry('01/2020')
    assert.equal(await isOffered(), false)
    await setExpiry('12/2099')
    assert.equal(await isOffered(), true)
    await endSubscriptions(app, await staff())
    assert.equal(await isOffered(), false)
    assert.match((await postOnce(app, browser, buyerForm(shown))).text, /Please choose how to pay/)
    assert.deepEqual(await readPayments(priceId), [])
  })
})

const METHODS = '/account/payment-methods'

const readSaved = (name: 'dev' | 'eli') =>
  app.database.query<{ id: string; provider: string; ended: boolean; customer_ref: string | null }>(
    `select p.id, p.provider, p.ended_at is not null as ended, p.customer_ref from payment_methods p
     join members m on m.school_id = p.school_id and m.id = p.member_id
     where p.school_id = $1 and m.email = $2 order by p.id desc`,
    [app.a.id, people[name].email],
  )

suite('the list of saved methods', () => {
  test('forgets one with which nothing is charged, once, and its provider forgets the customer', async () => {
    const browser = await enter('dev')
    for (const provider of providers) {
      await endSubscriptions(app, await staff())
      const club = await saveMethod(browser, provider)
      const page = await browser.open(METHODS)
      assert.match(page.text, new RegExp(`[A-Z]\\w+ •••• \\d{4}[\\s\\S]*It pays for ${club}`), provider.name)
      const [method = assert.fail()] = await readSaved('dev')
      const token = new Map(formTo(await browser.open('/account'), '/account/sign-out').fields).get('token') ?? ''
      const form = { action: METHODS, fields: [['token', token] as const] }
      const fields = { method: toId('pym', method.id) }
      const used = await browser.submit(form, Object.entries(fields))
      assert.deepEqual([used.status, /Something is charged with it/.test(used.text)], [409, true])
      assert.equal((await readSaved('dev'))[0]?.ended, false)
      await endSubscriptions(app, await staff())
      // The others of the same customer keep it at the provider.
      for (const one of await readSaved('dev'))
        if (!one.ended) await browser.submit(form, [['method', toId('pym', one.id)]])
      const again = await browser.submit(form, Object.entries(fields))
      assert.deepEqual([again.status, /forgotten before/.test(again.text)], [404, true])
      assert.match((await browser.open(METHODS)).text, /No payment method is saved/)
      await until(
        async () => (await readSaved('dev'))[0]?.customer_ref === null,
        `${provider.name} forgot the customer`,
      )
      assert.deepEqual(
        listWays(await openCheckout(browser, await sellCourse('Scones'))).filter(way => way.startsWith('pym_')),
        [],
      )
    }
  })

  test('is of its owner alone, and of two forms at once one forgets a method', async () => {
    const [dev, eli] = [await enter('dev'), await enter('eli')]
    await saveMethod(dev, testUnderTest)
    await endSubscriptions(app, await staff())
    const [method = assert.fail()] = await readSaved('dev')
    const open = await dev.open(METHODS)
    const own = listFields(formTo(open, METHODS, { method: toId('pym', method.id) }))
    const token = new Map(formTo(await eli.open('/account'), '/account/sign-out').fields).get('token') ?? ''
    const foreign = await eli.submit({ action: METHODS, fields: [['token', token]] }, [
      ['method', toId('pym', method.id)],
    ])
    const unknown = await eli.submit({ action: METHODS, fields: [['token', token]] }, [
      ['method', `pym_${'0'.repeat(26)}`],
    ])
    assert.equal(foreign.status, 404)
    assert.equal(foreign.text, unknown.text)
    assert.equal((await readSaved('dev'))[0]?.ended, false)
    const replies = await Promise.all([1, 2].map(() => post(app.port, dev, METHODS, own)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 404])
    const facts = await app.database.query(
      `select 1 from facts where school_id = $1 and type = 'payment_method.removed' and payload->>'payment_method_id' = $2`,
      [app.a.id, toId('pym', method.id)],
    )
    assert.equal(facts.length, 1)
  })
})
