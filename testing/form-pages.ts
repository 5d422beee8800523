import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo } from './account-pages.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'
import { type Browser, parseForm } from './browser.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from './events.ts'
import { enrollIn, LEARNING, TEACHING, teach } from './learning.ts'
import { checkout, sell } from './orders.ts'
import { addUnusedMethod } from './paying.ts'
import { connect } from './tokens.ts'

/** What a person signs in with on the account pages. */
export const visitorAt = (app: TestApp, name: PersonName) => ({
  port: app.port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

/** A test of the forms of pages. */
export type FormWalk = {
  readonly app: TestApp
  /** Tests the forms of a page, in this browser of the person or a new one. */
  walk(path: string, shownTo: PersonName, other: PersonName, browser?: Browser): Promise<void>
}

/** Makes what pages for members and for everybody are about, and walks them, by the names of tests. */
export const formPages: Readonly<Record<string, (on: FormWalk) => Promise<void>>> = {
  '/account': ({ walk }) => walk('/account', 'ada', 'dev'),
  '/account/profile': ({ walk }) => walk('/account/profile', 'ada', 'dev'),
  '/account/emails': ({ walk }) => walk('/account/emails', 'ada', 'dev'),
  '/account/email': ({ walk }) => walk('/account/email', 'ada', 'dev'),
  '/account/password': ({ walk }) => walk('/account/password', 'ada', 'dev'),
  '/account/deletion': ({ walk }) => walk('/account/deletion', 'ada', 'dev'),
  '/account/sign-out': ({ walk }) => walk('/account/sign-out', 'ada', 'dev'),
  '/account/confirm': async ({ app, walk }) => {
    const browser = await enterAccount(visitorAt(app, 'ada'))
    await app.database.query('update sessions set recent_until = stoa.now() where ended_at is null')
    await walk('/account/confirm', 'ada', 'dev', browser)
  },
  '/account/confirm/code': async ({ app, walk }) => {
    const browser = await enterAccount(visitorAt(app, 'eli'))
    await app.database.query('update sessions set recent_until = stoa.now() where ended_at is null')
    // Who has a password is asked for it.
    const [row] = await app.database.query<{ password: object }>(
      `delete from credentials c where kind = 'password' and member_id = (
         select id from members where school_id = $1 and email = $2) returning to_jsonb(c) as password`,
      [app.a.id, people.eli.email],
    )
    const asked = await browser.open('/account/confirm')
    await browser.submit(formTo(asked, '/account/confirm'), [['way', 'code']])
    await app.database.query('insert into credentials select * from jsonb_populate_record(null::credentials, $1)', [
      JSON.stringify(row?.password),
    ])
    await walk('/account/confirm/code', 'eli', 'dev', browser)
  },
  '/account/enroll?course=first-loaf': ({ walk }) => walk('/account/enroll?course=first-loaf', 'ada', 'dev'),
  '/account/downloads': ({ walk }) => walk('/account/downloads', 'ada', 'dev'),
  '/account/data': ({ walk }) => walk('/account/data', 'ada', 'dev'),
  '/account/reviews/:course': async ({ app, walk }) => {
    const { id } = await teach(await app.actor('ada', { scopes: TEACHING }), 'To review', [{ name: 'Only' }])
    await enrollIn(app, 'dev', id)
    await walk(`/account/reviews/${id}`, 'dev', 'eli')
  },
  '/account/payment-methods': async ({ app, walk }) => {
    // One with which nothing is charged can be forgotten.
    await addUnusedMethod(app, 'ada')
    await walk('/account/payment-methods', 'ada', 'dev')
  },
  '/account/calendar': ({ walk }) => walk('/account/calendar', 'ada', 'dev'),
  '/account/comments and the other pages of comments': async ({ app, walk }) => {
    const dev = await app.actor('dev', { scopes: ['account:read', 'comments:read', 'courses:read'] })
    const own = (await dev.get('/account/comments')).json.data.find(
      (one: { reply_count: number }) => one.reply_count > 0,
    )
    const [other] = (await dev.get(`/comments?subject=${own.subject.id}&parent_id=${own.id}`)).json.data
    await walk('/account/comments', 'dev', 'eli')
    await walk(`/account/comments/new?subject=${own.subject.id}`, 'dev', 'eli')
    await walk(`/account/comments/new?subject=${own.subject.id}&parent=${own.id}`, 'dev', 'eli')
    await walk(`/account/comments/${other.id}/report`, 'dev', 'eli')
    await walk('/staff/comments', 'ada', 'ben')
  },
  'the pages of registrations and of the entrance': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['events:read', 'account:read'] })
    const event = (await ada.get('/events/slug:open-kitchen')).json
    const [date] = (await ada.get(`/events/${event.id}/occurrences`)).json.data
    const tickets = (await ada.get(`/events/${event.id}/ticket-types`)).json.data
    const guest = tickets.find(({ name }: { name: string }) => name === 'Guest')
    await walk('/account/registrations', 'ada', 'dev')
    await walk(`/account/registrations/new?price=${guest.price_id}&occurrence=${date.id}`, 'ada', 'dev')
    const host = await app.actor('ada', { scopes: eventScopes })
    const full = await makeEvent(app, host, { capacity: 1, waitlist: true })
    await registered(await app.actor('dev', { scopes: registrationScopes }), full.priceId)
    await walk(`/account/registrations/wait?price=${full.priceId}&occurrence=${full.occurrenceId}`, 'ada', 'dev')
    await walk(`/staff/events/${event.id}/registrations`, 'ada', 'ben')
    await walk(`/staff/events/${event.id}/check-in?occurrence=${date.id}`, 'ada', 'ben')
  },
  '/account/apps': async ({ app, walk }) => {
    await connect(app, 'eli')
    await connect(app, 'eli', { metadata: { client_name: 'Crumb Counter' } })
    await walk('/account/apps', 'eli', 'dev')
  },
  '/account/sessions': async ({ app, walk }) => {
    await enterAccount(visitorAt(app, 'eli'))
    await walk('/account/sessions', 'eli', 'dev')
  },
  '/account/email/code': async ({ app, walk }) => {
    const browser = await enterAccount(visitorAt(app, 'femi'))
    await browser.submit(parseForm(await browser.open('/account/email')), [['email', 'femi.new@crumb.example']])
    await walk('/account/email/code', 'femi', 'dev', browser)
  },
  '/account/confirmations/:id': async ({ app, walk }) => {
    const actor = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    const [session] = (await actor.get('/account/sessions')).json.data
    const { json } = await actor.write('DELETE', `/account/sessions/${session.id}`)
    await walk(new URL(json.confirmation.url).pathname, 'femi', 'dev')
  },
  '/account/orders/:number and its pages': async ({ app, walk }) => {
    const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'For forms')
    const buyer = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    const { json: order } = await checkout(buyer, [priceId])
    for (const page of ['', '/pay', '/billing']) await walk(`/account/orders/${order.number}${page}`, 'femi', 'dev')
  },
  '/staff/subscriptions/:subscription, /account/subscriptions/:subscription and their other pages': async ({
    app,
    walk,
  }) => {
    const ada = await app.actor('ada', { scopes: ['subscriptions:read', 'account:read', 'membership_plans:read'] })
    const [one] = (await ada.get('/subscriptions?status[in]=past_due')).json.data
    await walk(`/staff/subscriptions/new?member=${one.member.id}`, 'ada', 'ben')
    await walk(`/staff/subscriptions/${one.id}`, 'ada', 'ben')
    const own = (await ada.get('/account/subscriptions')).json.data
    const { prices } = (await ada.get('/membership-plans/slug:bakers-club')).json
    const { id: yearly } = prices.find(({ interval }: { interval: string }) => interval === 'year')
    for (const { id, number_of_payments: payments, method } of own) {
      await walk(`/account/subscriptions/${id}`, 'ada', 'dev')
      if (method === null) continue
      if (payments === null) await walk(`/account/subscriptions/${id}/plan?price=${yearly}`, 'ada', 'dev')
      await walk(`/account/subscriptions/${id}/payment-methods`, 'ada', 'dev')
    }
  },
  '/forms/:slug, /staff/forms/:id and the other pages of forms': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['forms:read'] })
    const [form] = (await ada.get('/forms')).json.data
    const [submission] = (await ada.get(`/forms/${form.id}/submissions`)).json.data
    await walk('/forms/ask-the-bakery', 'dev', 'eli')
    await walk('/staff/forms', 'ada', 'ben')
    await walk(`/staff/forms/${form.id}`, 'ada', 'ben')
    await walk(`/staff/forms/${form.id}/submissions/${submission.id}`, 'ada', 'ben')
  },
  '/learn/:course/:lesson': async ({ app, walk }) => {
    const { id, lessons } = await teach(await app.actor('ada', { scopes: TEACHING }), 'Of learning', [{ name: 'Only' }])
    await enrollIn(app, 'dev', id)
    await walk(`/learn/of-learning/${lessons[0]}`, 'dev', 'femi')
  },
  '/learn/:course': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: TEACHING })
    const { id, lessons } = await teach(ada, 'To finish', [{ name: 'One' }, { name: 'Two' }])
    await enrollIn(app, 'dev', id)
    const dev = await app.actor('dev', { scopes: LEARNING })
    assert.equal((await dev.write('PUT', `/account/lessons/${lessons[0]}/completion`)).status, 200)
    assert.equal((await ada.write('PATCH', `/lessons/${lessons[1]}`, { status: 'draft' })).status, 200)
    await walk('/learn/to-finish', 'dev', 'femi')
  },
  '/checkout': async ({ app, walk }) => {
    const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'Of checkout')
    await walk(`/checkout?price=${priceId}`, 'dev', 'femi')
  },
}
