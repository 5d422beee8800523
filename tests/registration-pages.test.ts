import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { setProvider } from '#testing/payments.ts'
import { readQr } from '#testing/qr.ts'
import { openFile, press, readNotice } from '#testing/staff-pages.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

const staff = () => app.actor('ada', { scopes: eventScopes })
const readSlug = async (id: string): Promise<string> => (await (await staff()).get(`/events/${id}`)).json.slug

test('a visitor sees the tickets of a date, and is led to the checkout for one that is paid for', async () => {
  const tickets = [
    { name: 'Paid', amount: 1250 },
    { name: 'Gratis', amount: 0 },
    { name: 'Secret', amount: 100, visibility: 'unlisted' },
  ]
  const event = await makeEvent(app, await staff(), {}, tickets)
  const path = `/account/events/${await readSlug(event.id)}?occurrence=${event.occurrenceId}`
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
  assert.equal(readNotice(done), 'You are registered.')
  assert.match(done.text, /Your code at the entrance: *<strong[^>]*><bdi>[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)
  const gone = await press(dev, '/account/registrations', 'cancel')
  assert.equal(readNotice(gone), 'The seat is cancelled.')
})

test('the link to the waiting list of a full date leads to a form that puts the person on it', async () => {
  const event = await makeEvent(app, await staff(), { capacity: 1, waitlist: true })
  const query = `?price=${event.priceId}&occurrence=${event.occurrenceId}`
  const [seatPath, waitPath] = ['/account/registrations/new', '/account/registrations/wait']
  const [dev, eli, femi] = [await enter('dev'), await enter('eli'), await enter('femi')]
  const early = await dev.open(`${waitPath}${query}`)
  assert.match(early.text, /<h1>Register for /, 'nobody waits where a seat is left')
  const late = formTo(await femi.open(`${seatPath}${query}`), seatPath)
  await dev.submit(formTo(early, seatPath), [['quantity', '1']])
  const page = await eli.open(`${seatPath}${query}`)
  assert.match(page.text, /<h1>Wait for a seat at [\s\S]*Nobody waits before you\./)
  const waiting = await eli.submit(formTo(page, waitPath), [['quantity', '1']])
  assert.match(readNotice(waiting) ?? '', /You are on the waiting list/)
  const refused = await femi.submit(late, [
    ['quantity', '1'],
    ['names', 'Fola'],
  ])
  assert.deepEqual([refused.status, readNotice(refused)], [409, 'No seat is left.'])
  assert.match(
    refused.text,
    /1 person waits before you[\s\S]*Fola/,
    'what was typed is in the form of the waiting list',
  )
  assert.match(readNotice(await femi.submit(formTo(refused, waitPath), [])) ?? '', /You are on the waiting list/)
})

test('whoever has a seat of a date is asked before they get one more, and a form that is sent twice registers once', async () => {
  const event = await makeEvent(app, await staff())
  const form = '/account/registrations/new'
  const path = `${form}?price=${event.priceId}&occurrence=${event.occurrenceId}`
  const dev = await enter('dev')
  const count = async () => (await (await staff()).get(`/events/${event.id}/registrations`)).json.data.length as number
  const first = await dev.open(path)
  assert.doesNotMatch(first.text, /one more/)
  const [once, twice] = await Promise.all([1, 2].map(() => dev.submit(formTo(first, form), [['quantity', '1']])))
  assert.deepEqual(
    [once, twice].map(reply => reply && readNotice(reply)),
    ['You are registered.', 'You are registered.'],
  )
  assert.equal(await count(), 1)
  const asking = await dev.open(path)
  assert.match(asking.text, /For this date you already have: Dev Patel \(confirmed\)\./)
  const refused = await dev.submit(formTo(asking, form), [['quantity', '1']])
  assert.equal(refused.status, 422)
  assert.match(refused.text, /For this date you already have/)
  assert.equal(await count(), 1)
  const more = await dev.submit(formTo(refused, form), [
    ['quantity', '1'],
    ['answer.one-more', 'yes'],
  ])
  assert.equal(readNotice(more), 'You are registered.')
  assert.equal(await count(), 2)
})

test('the checkout asks whoever has a seat of the date whether they want one more, and nobody else', async () => {
  await setProvider(app, 'manual', {})
  const event = await makeEvent(app, await staff(), {}, [{ name: 'Paid', amount: 900 }])
  const path = `/checkout?price=${event.priceId}&occurrence=${event.occurrenceId}`
  const dev = await app.actor('dev', { scopes: registrationScopes })
  await registered(dev, event.priceId)
  const [own, other] = [await enter('dev'), await enter('eli')]
  assert.match((await own.open(path)).text, /For this date you already have: Dev Patel \(waits for payment\)\./)
  assert.doesNotMatch((await other.open(path)).text, /you already have/)
  const visitor = await app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en' } })
  assert.doesNotMatch(visitor.text, /you already have/)
})

test('a ticket has its code as a picture that opens the entrance with the code, for those who manage the event', async () => {
  const event = await makeEvent(app, await staff())
  const dev = await app.actor('dev', { scopes: registrationScopes })
  const [{ id, code }] = (await registered(dev, event.priceId)).data
  const own = await enter('dev')
  const page = await own.open(`/account/registrations/${id}`)
  const address = new URL(await readQr(page.text))
  assert.equal(address.pathname, `/staff/events/${event.id}/check-in`)
  assert.equal(address.searchParams.get('code'), code)
  const path = `${address.pathname}${address.search}`
  const scanned = await (await enter('ada')).open(path)
  assert.match(scanned.text, new RegExp(`name="code"[^>]*value="${code}"`))
  assert.equal((await own.open(path)).status, 403)
  await dev.write('DELETE', `/account/registrations/${id}`)
  assert.doesNotMatch((await own.open(`/account/registrations/${id}`)).text, /<svg class="qr"/)
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
  assert.equal(readNotice(first), 'Checked in.')
  const again = await ada.submit(formTo(await ada.open(path), path, { act: 'code' }), [['code', data[0].code]])
  assert.deepEqual([again.status, readNotice(again)], [409, 'This person was checked in before.'])
  const undone = await ada.submit(formTo(await ada.open(path), path, { act: 'undo' }), [])
  assert.equal(readNotice(undone), 'The check-in was undone.')
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
  assert.equal(readNotice(await act('approve')), 'Approved.')
  assert.equal(readNotice(await act('add', { name: 'Noor Visser', date: event.occurrenceId })), 'Added.')
  const guest = { name: 'Nils', email: 'nils@guest.example', date: event.occurrenceId }
  assert.equal(readNotice(await act('add', guest)), 'Added.')
  assert.equal(
    readNotice(await act('add', { name: '', email: 'FEMI@crumb.example', date: event.occurrenceId })),
    'Added.',
  )
  const rows = (await (await staff()).get(`/events/${event.id}/registrations`)).json.data
  const added = rows.map(
    ({ attendee, member_id: member }: { attendee: { email: string | null }; member_id: string | null }) => [
      attendee.email,
      member !== null,
    ],
  )
  assert.deepEqual(added.slice(1), [
    [null, false],
    ['nils@guest.example', false],
    ['femi@crumb.example', true],
  ])
  assert.match((await ada.open(`${path}?q=noor`)).text, /Noor Visser/)
  assert.doesNotMatch((await ada.open(`${path}?q=noor`)).text, /Eli who asks/)
  assert.equal(readNotice(await act('cancel')), 'The seat is cancelled.')
})

test('staff download the list of registrations with its answers, and a host has no link to it', async () => {
  const ada = await staff()
  const questions = [{ id: 'diet', type: 'text', label: 'What do you not eat?' }]
  const lecturer = (await ada.get('/events/slug:open-kitchen')).json.lecturer_ids[0]
  const event = await makeEvent(app, ada, { lecturer_ids: [lecturer], questions })
  const dev = await app.actor('dev', { scopes: registrationScopes })
  await registered(dev, event.priceId, { answers: [{ field_id: 'diet', value: 'Walnuts' }] })
  const path = `/staff/events/${event.id}/registrations`
  const own = await enter('ada')
  const file = await openFile(own, await own.open(path), 'listEventRegistrations')
  assert.match(file.text, /dev@crumb\.example[\s\S]*Walnuts/)
  const carla = await enter('carla')
  const listed = await carla.open(path)
  assert.equal(listed.status, 200)
  assert.match(listed.text, /Dev Patel/)
  assert.doesNotMatch(listed.text, /\/staff\/csv\//)
  assert.equal((await carla.open(`/staff/csv/listEventRegistrations?event_id=${event.id}`)).status, 403)
})

test('somebody chooses what they pay for a ticket, and questions that were not answered are marked', async () => {
  const questions = [{ id: 'diet', type: 'text', label: 'What do you not eat?', required: true }]
  const tickets = [
    { name: 'As you like', amount: 2000, least_amount: 500, needs_approval: true },
    { name: 'Guest', amount: 0 },
  ]
  const event = await makeEvent(app, await staff(), { questions }, tickets)
  const dev = await enter('dev')
  const choosing = await dev.open(`/account/events/${await readSlug(event.id)}?occurrence=${event.occurrenceId}`)
  assert.match(choosing.text, /You choose what you pay, from €5\.00/)
  const path = `/account/registrations/new?price=${event.priceId}&occurrence=${event.occurrenceId}`
  const form = formTo(await dev.open(path), '/account/registrations/new')
  const unread = await dev.submit(form, [
    ['quantity', '1'],
    ['amount', 'some'],
    ['answer.diet', 'Walnuts'],
  ])
  assert.equal(unread.status, 422)
  assert.match(unread.text, /value="some" required aria-invalid="true" aria-describedby="amount-error"/)
  assert.match(unread.text, /id="amount-error">Enter an amount from 5\.00 on/)
  const little = await dev.submit(form, [
    ['quantity', '1'],
    ['amount', '0.50'],
    ['answer.diet', 'Walnuts'],
  ])
  assert.match(little.text, /id="amount-error">Enter an amount from 5\.00 on/)
  const missing = await dev.submit(form, [
    ['quantity', '1'],
    ['amount', '7.50'],
  ])
  assert.equal(missing.status, 422)
  assert.match(missing.text, /Please answer this[\s\S]*aria|aria[\s\S]*Please answer this/)
  assert.match(missing.text, /value="7\.50"/)
  const asked = await dev.submit(formTo(missing, '/account/registrations/new'), [['answer.diet', 'Walnuts']])
  assert.equal(readNotice(asked), 'The host has your request and will answer by mail.')
  const { data } = (await (await staff()).get(`/events/${event.id}/registrations`)).json
  assert.deepEqual([data[0].status, data[0].answers[0].value], ['awaiting_approval', 'Walnuts'])
})
