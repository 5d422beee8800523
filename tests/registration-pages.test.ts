import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { setProvider } from '#testing/payments.ts'
import { noticeOf, press } from '#testing/staff-pages.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

const staff = () => app.actor('ada', { scopes: eventScopes })
const slugOf = async (id: string): Promise<string> => (await (await staff()).get(`/events/${id}`)).json.slug

test('a visitor sees the tickets of a date, and is led to the checkout for one that is paid for', async () => {
  const tickets = [
    { name: 'Paid', amount: 1250 },
    { name: 'Gratis', amount: 0 },
    { name: 'Secret', amount: 100, visibility: 'unlisted' },
  ]
  const event = await makeEvent(app, await staff(), {}, tickets)
  const path = `/account/events/${await slugOf(event.id)}?occurrence=${event.occurrenceId}`
  const { status, text } = await app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en' } })
  assert.equal(status, 200, text)
  const [paid, free] = event.tickets
  assert.match(text, new RegExp(`/checkout\\?price=${paid?.price_id}&amp;occurrence=${event.occurrenceId}`))
  assert.match(text, new RegExp(`/account/registrations/new\\?price=${free?.price_id}`))
  assert.doesNotMatch(text, /Secret/)
  const checkout = await app.send({
    path: `/checkout?price=${paid?.price_id}&occurrence=${event.occurrenceId}&quantity=2`,
    headers: { accept: 'text/html', 'accept-language': 'en' },
  })
  assert.equal(checkout.status, 200)
  assert.match(checkout.text, /25\.00/)
  const lost = await app.send({ path: '/account/events/nothing?occurrence=no', headers: { accept: 'text/html' } })
  assert.equal(lost.status, 404)
})

test('a member registers on a page, finds the code on the account, and cancels', async () => {
  const event = await makeEvent(app, await staff())
  const dev = await enter('dev')
  const path = `/account/registrations/new?price=${event.priceId}&occurrence=${event.occurrenceId}`
  const done = await dev.submit(formTo(await dev.open(path), '/account/registrations/new'), [['quantity', '1']])
  assert.equal(noticeOf(done), 'You are registered.')
  assert.match(done.text, /Your code at the entrance: [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)
  const gone = await press(dev, '/account/registrations', 'cancel')
  assert.equal(noticeOf(gone), 'The seat is cancelled.')
})

test('a paid seat that is offered is taken on the page and leads to the payment', async () => {
  await setProvider(app, 'manual', {})
  const ada = await staff()
  const [dev, eli] = await Promise.all(
    (['dev', 'eli'] as const).map(name => app.actor(name, { scopes: registrationScopes })),
  )
  if (dev === undefined || eli === undefined) throw new Error('both are there')
  const event = await makeEvent(app, ada, { capacity: 1, waitlist: true }, [{ name: 'Regular', amount: 300 }])
  const held = await registered(dev, event.priceId)
  await registered(eli, event.priceId, { join_waitlist: true })
  await dev.write('DELETE', `/account/orders/${held.order.id}`)
  const browser = await enter('eli')
  const paying = await press(browser, '/account/registrations', 'take')
  assert.equal(paying.status, 200, paying.text)
  assert.match(paying.text, /3\.00/)
})

test('at the entrance a code is typed, refused the second time, and undone', async () => {
  const event = await makeEvent(app, await staff())
  const dev = await app.actor('dev', { scopes: registrationScopes })
  const { data } = await registered(dev, event.priceId, { attendees: [{ name: 'Dora the guest' }] })
  const ada = await enter('ada')
  const path = `/staff/events/${event.id}/check-in?occurrence=${event.occurrenceId}`
  const first = await ada.submit(formTo(await ada.open(path), path.replace('&', '&amp;'), { act: 'code' }), [
    ['code', data[0].code.toLowerCase()],
  ])
  assert.equal(noticeOf(first), 'Checked in.')
  const again = await ada.submit(formTo(await ada.open(path), path, { act: 'code' }), [['code', data[0].code]])
  assert.deepEqual([again.status, noticeOf(again)], [409, 'This person was checked in before.'])
  const undone = await ada.submit(formTo(await ada.open(path), path, { act: 'undo' }), [])
  assert.equal(noticeOf(undone), 'The check-in was undone.')
  assert.match(undone.text, /Expected: 1[\s\S]*Dora the guest/)
})

test('those who manage an event approve, cancel and add people on its list', async () => {
  const event = await makeEvent(app, await staff(), {}, [{ name: 'Helper', amount: 0, needs_approval: true }])
  const eli = await app.actor('eli', { scopes: registrationScopes })
  await registered(eli, event.priceId, { attendees: [{ name: 'Eli who asks' }] })
  const ada = await enter('ada')
  const path = `/staff/events/${event.id}/registrations`
  const act = async (name: string, fields: Readonly<Record<string, string>> = {}) =>
    ada.submit(formTo(await ada.open(path), path, { act: name }), Object.entries(fields))
  assert.equal(noticeOf(await act('approve')), 'Approved.')
  assert.equal(noticeOf(await act('add', { name: 'Noor Visser', date: event.occurrenceId })), 'Added.')
  assert.match((await ada.open(`${path}?q=noor`)).text, /Noor Visser/)
  assert.doesNotMatch((await ada.open(`${path}?q=noor`)).text, /Eli who asks/)
  assert.equal(noticeOf(await act('cancel')), 'The seat is cancelled.')
})
