// One thing: the pages on which people and staff see subscriptions, of one school with one mailbox.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { openFile } from '#testing/staff-pages.ts'
import {
  instalments,
  monthly,
  payWith,
  readSubscription,
  readSubscriptionId,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
const buyer = (name: PersonName) => app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })
const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

type Prices = readonly Readonly<Record<string, unknown>>[]

/** Sells a course and has somebody subscribe to it; returns where its pages are. */
const begin = async (name: PersonName, course: string, prices: Prices, card = 'works') => {
  await useProviders(app)
  const sold = await sell(await staff(), course, prices)
  const order = await subscribe(app, await buyer(name), sold.priceId, { card })
  const id = await readSubscriptionId(app, order.id)
  return { sold, order, id, path: `/account/subscriptions/${id}`, staffPath: `/staff/subscriptions/${id}` }
}

const shows = (page: TestReply, ...parts: readonly (string | RegExp)[]): void => {
  for (const part of parts)
    assert.ok(typeof part === 'string' ? page.text.includes(part) : part.test(page.text), `${part} on: ${page.text}`)
}

const send = (
  browser: Browser,
  page: TestReply,
  action: string,
  fields: Readonly<Record<string, string>> = {},
  typed = {},
) => post(app.port, browser, action, listFields(formTo(page, action, fields), typed))

const follow = async (browser: Browser, reply: TestReply): Promise<TestReply> => {
  assert.equal(reply.status, 303, reply.text)
  return browser.open(reply.headers.location ?? '')
}

const quiet = (): Promise<void> =>
  until(async () => {
    const waiting = `select from jobs where kind in ('fact', 'mail', 'renewal', 'payment', 'invoice')
      and due_at <= stoa.now() + interval '10 minutes'`
    return (await app.database.query(waiting)).length === 0
  }, 'what is due')

const moveTo = async (at: Date | null): Promise<void> => {
  await quiet()
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(at !== null && row !== undefined)
  await app.moveClock(Math.max(0, (at.getTime() - row.now.getTime()) / 1000) + 60)
}

test('the list says when there is nothing, and the page of a subscription says what it costs, when, and from which card', async () => {
  const femi = await enter('femi')
  shows(await femi.open('/account/subscriptions'), 'You have no subscriptions.')
  shows(await femi.open('/account'), 'href="/account/subscriptions"')
  const { path, order } = await begin('femi', 'Rye every month', [monthly(1900)])
  shows(await femi.open('/account/subscriptions'), 'Rye every month', '€19.00 every month', 'Active')
  shows(
    await femi.open(path),
    /The next charge of €19\.00 is on/,
    'ending in 4242',
    order.number,
    'Cancel the subscription',
  )
  const eli = await enter('eli')
  assert.equal((await eli.open(path)).status, 404)
})

test('somebody cancels, sees until when they have access, and undoes it', async () => {
  const { path, order } = await begin('femi', 'Canceled and kept', [monthly(1200)])
  const femi = await enter('femi')
  const canceled = await follow(
    femi,
    await send(femi, await femi.open(path), path, { act: 'cancel' }, { reason: 'Too busy' }),
  )
  shows(canceled, 'The subscription is canceled.', /you keep access until/, 'Keep the subscription')
  assert.equal((await readSubscription(app, order.id)).cancel_reason, 'Too busy')
  assert.doesNotMatch(canceled.text, /The next charge/)
  const kept = await follow(femi, await send(femi, canceled, path, { act: 'keep' }))
  shows(kept, 'The subscription goes on.', /The next charge of €12\.00/)
})

test('a form that was sent from an old page is refused, and the page shows the subscription as it is', async () => {
  const { path } = await begin('femi', 'Sent twice', [monthly(1200)])
  const femi = await enter('femi')
  const page = await femi.open(path)
  assert.equal((await send(femi, page, path, { act: 'cancel' })).status, 303)
  const again = await send(femi, page, path, { act: 'cancel' })
  assert.equal(again.status, 412, again.text)
  shows(again, 'has changed since you opened the page', 'Keep the subscription')
})

test('another card is given on the page of the provider, and pays from then on', async () => {
  const { path, order } = await begin('femi', 'Another card', [monthly(900)])
  const femi = await enter('femi')
  const page = await femi.open(`${path}/payment-methods`)
  shows(page, 'Change the card', 'Nothing is charged by that alone')
  const begun = await send(femi, page, `${path}/payment-methods`)
  assert.equal(begun.status, 303, begun.text)
  await payWith(app, new URL(begun.headers.location ?? '').pathname, 'declined')
  const before = (await readSubscription(app, order.id)).method_id
  await until(async () => {
    const page = await femi.open(path)
    return !page.text.includes('ending in 4242')
  }, 'the other card')
  assert.notEqual((await readSubscription(app, order.id)).method_id, null)
  assert.ok(before !== undefined)
})

test('another plan is shown with what it costs before it is chosen, and holds once that is paid', async () => {
  const { path, order, sold } = await begin('femi', 'Two plans', [monthly(1000), monthly(3000)])
  const femi = await enter('femi')
  shows(await femi.open(`${path}/plan`), 'You have Two plans for €10.00 every month', '€30.00 every month')
  const preview = await femi.open(`${path}/plan?price=${sold.priceIds[1]}`)
  shows(
    preview,
    'To pay now',
    'What you have not used of Two plans',
    /Change and pay €\d+\.\d\d/,
    /The next charge of €30\.00/,
  )
  const chosen = await send(femi, preview, `${path}/plan?price=${sold.priceIds[1]}&when=now`)
  assert.match(chosen.headers.location ?? '', /^\/account\/orders\/[\w-]+\/pay$/, chosen.text)
  const payPath = chosen.headers.location ?? ''
  shows(await femi.open(path), '€10.00 every month')
  const paying = await send(femi, await femi.open(payPath), payPath, { provider: 'test' })
  await payWith(app, new URL(paying.headers.location ?? '').pathname, 'works')
  await until(async () => (await readSubscription(app, order.id)).price?.amount === 3000, 'the change')
  shows(await femi.open(path), '€30.00 every month')
})

test('a payment plan says how many payments were made, and is paid to its end at once', async () => {
  const { path, order } = await begin('eli', 'Three payments', [instalments(5000, 3)])
  const eli = await enter('eli')
  const page = await eli.open(path)
  shows(page, '1 of 3 payments made.', '3 payments of €50.00, one every month', 'Pay the rest now')
  const asked = await send(eli, page, `${path}/remaining-payments`)
  const payPath = asked.headers.location ?? ''
  assert.match(payPath, /^\/account\/orders\/[\w-]+\/pay$/, asked.text)
  const paying = await send(eli, await eli.open(payPath), payPath, { provider: 'test' })
  await payWith(app, new URL(paying.headers.location ?? '').pathname, 'works')
  await until(async () => (await readSubscription(app, order.id)).status === 'completed', 'the end of the plan')
  shows(await eli.open(path), 'Paid in full', 'nothing more is charged')
})

test('what is past due is said with the way to pay it, and goes on once it is paid', async () => {
  const { path, order } = await begin('dev', 'Not paid', [monthly(1500)], 'declined')
  await moveTo((await readSubscription(app, order.id)).next_charge_at)
  await until(async () => (await readSubscription(app, order.id)).status === 'past_due', 'the failure')
  const dev = await enter('dev')
  const page = await dev.open(path)
  shows(page, 'Payment missing', 'A payment of €15.00 is missing.', /We try again on/, 'Pay €15.00 now')
  const [, payPath = ''] = /href="([^"]*\/pay)"/.exec(page.text) ?? []
  const paying = await send(dev, await dev.open(payPath), payPath, { provider: 'test' })
  await payWith(app, new URL(paying.headers.location ?? '').pathname, 'works')
  await until(async () => (await readSubscription(app, order.id)).status === 'active', 'the payment')
  shows(await dev.open(path), /The next charge of €15\.00/)
})

test('staff find a subscription, see what canceling does before they do it, and give one free of charge', async () => {
  const { staffPath, order } = await begin('eli', 'Seen by staff', [monthly(1100)])
  const ada = await enter('ada')
  const list = await ada.open('/staff/subscriptions')
  shows(list, 'Seen by staff', '€11.00 every month')
  shows(await ada.open('/staff/subscriptions?q=eli'), people.eli.name)
  const csv = await openFile(ada, list, 'listSubscriptions')
  assert.match(csv.text, /Seen by staff/)
  const page = await ada.open(staffPath)
  shows(page, people.eli.name, 'Next charge', 'History')
  const preview = await send(ada, page, staffPath, { act: 'cancel' }, { at: 'now' })
  assert.equal(preview.status, 200, preview.text)
  shows(preview, 'Cancel the subscription?', 'Ends the access', 'Afterwards', 'The subscription is canceled.')
  shows(preview, 'Access: ended.', 'Nothing is charged any more.')
  const later = await send(ada, page, staffPath, { act: 'cancel' }, { at: 'period_end' })
  shows(later, 'The subscription is active.', /Access: open until [^<]*\d{4} at \d\d:\d\d WES?T\./)
  assert.equal((await readSubscription(app, order.id)).status, 'active')
  shows(await follow(ada, await send(ada, preview, staffPath)), 'The subscription is canceled.')
  assert.equal((await readSubscription(app, order.id)).status, 'canceled')
  const { id: course } = await sell(await staff(), 'Given by staff', [monthly(900)])
  const member = (await (await buyer('femi')).get('/account')).json.id
  const path = `/staff/subscriptions/new?member=${member}`
  const form = await ada.open(`${path}&item=Given`)
  const given = await follow(ada, await send(ada, form, path, {}, { what: course }))
  shows(given, 'The subscription was created.', 'free of charge', 'Given by staff')
  assert.equal((await (await enter('femi')).open('/staff/subscriptions')).status, 403)
})

const yearly = { payment_type: 'subscription', amount: 100_000, interval: 'year' }

/** Somebody changes from a year to months, so that a credit is left. */
const beginCredited = async (name: PersonName, course: string) => {
  const begun = await begin(name, course, [yearly, monthly(1000)])
  const browser = await enter(name)
  const preview = await browser.open(`${begun.path}/plan?price=${begun.sold.priceIds[1]}`)
  assert.equal(
    (await send(browser, preview, `${begun.path}/plan?price=${begun.sold.priceIds[1]}&when=now`)).status,
    303,
  )
  return { ...begun, browser }
}

test('staff drop a credit that waits once they have read what that does; while the subscription runs it is not offered', async () => {
  const { staffPath, order } = await beginCredited('eli', 'Left over')
  const ada = await enter('ada')
  const page = await ada.open(staffPath)
  shows(page, 'Pay back the credit')
  assert.doesNotMatch(page.text, /Drop the credit/)
  const canceled = await follow(
    ada,
    await send(ada, await send(ada, page, staffPath, { act: 'cancel' }, { at: 'now' }), staffPath),
  )
  const preview = await send(ada, canceled, staffPath, { act: 'drop' })
  shows(preview, 'Drop the credit?', /The credit of €99\d\.\d\d is dropped\. Nothing of it goes back\./)
  shows(preview, 'Mails the person that the credit is dropped')
  assert.ok((await readSubscription(app, order.id)).credit > 0)
  const dropped = await follow(ada, await send(ada, preview, staffPath))
  shows(dropped, 'The credit was dropped.')
  assert.doesNotMatch(dropped.text, /Drop the credit|Pay back the credit/)
  assert.equal(Number((await readSubscription(app, order.id)).credit), 0)
  await quiet()
})
