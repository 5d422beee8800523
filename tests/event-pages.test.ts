import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount, listForms } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { people } from '../src/demo/index.ts'

const app = testApp()

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const CHOSEN = /<select [^>]*name="([^"]+)"[\s\S]*?<option value="([^"]*)" selected/g

/** Opens a page, fills in the form that has an act, as a field or as a button, and sends it as a browser does. */
const sendForm = async (browser: Browser, path: string, act: string, fields: Readonly<Record<string, string>>) => {
  const page = await browser.open(path)
  assert.equal(page.status, 200, page.text)
  const forms = page.text.slice(page.text.indexOf('<main')).match(/<form[\s\S]*?<\/form>/g) ?? []
  const at = forms.findIndex(
    text => text.includes('method="post"') && text.includes(act === '' ? 'name="form_key"' : `value="${act}"`),
  )
  const form = listForms(page)[at]
  assert.ok(form, `no form of ${act} on ${page.text}`)
  const chosen = [...(forms[at] ?? '').matchAll(CHOSEN)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ])
  return browser.submit(form, [
    ...chosen.filter(([name]) => !(name in fields)),
    ...Object.entries(fields),
    ['act', act],
  ])
}
const SCOPES = ['events:read', 'events:write']
const visit = (path: string, headers = {}) => app.send({ path, headers: { accept: 'text/html', ...headers } })

const make = async (body: object, rule?: object) => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const starts_at = { local: '2090-03-14T19:00', time_zone: 'Europe/Lisbon' }
  const made = await ada.write('POST', '/events', { name: 'Supper', duration_minutes: 90, starts_at, ...body })
  assert.equal(made.status, 201, made.text)
  if (rule !== undefined) assert.equal((await ada.write('PUT', `/events/${made.json.id}/recurrence`, rule)).status, 200)
  await ada.write('PUT', `/events/${made.json.id}/publication`)
  return { ada, event: made.json }
}

for (const zone of ['Europe/Lisbon', 'America/Sao_Paulo'])
  test(`the page of an event shows all dates at the local time, over changes of the clocks in ${zone}`, async () => {
    const starts_at = { local: '2090-03-14T19:00', time_zone: zone }
    const { ada, event } = await make({ name: 'Weekly supper', starts_at }, { rule: 'FREQ=WEEKLY;BYDAY=TU', count: 4 })
    const { text, status } = await visit(`/events/${event.slug}`, { 'accept-language': 'en' })
    assert.equal(status, 200)
    const dates = (await ada.get(`/events/${event.id}/occurrences`)).json.data
    assert.equal(dates.length, 4)
    for (const date of dates) assert.ok(text.includes(`<time datetime="${date.starts_at.utc}">`))
    assert.equal(text.match(/<time [^>]*>[^<]*19:00[^<]*</g)?.length, text.match(/<time /g)?.length)
    const portuguese = await visit(`/events/${event.slug}`, { 'accept-language': 'pt' })
    assert.match(portuguese.text, /Juntar ao seu calendário/)
  })

test('the list of events, search and the sitemap have public events, and an earlier slug leads to the page', async () => {
  const { ada, event } = await make({ name: 'Kumquat supper', meeting_url: 'https://meet.example/kumquatmarker' })
  await make({ name: 'Kumquat members', visibility: 'members' })
  const pages = await Promise.all(['/events', '/search?q=kumquat', '/sitemaps/events-1.xml'].map(path => visit(path)))
  for (const { text } of pages) {
    assert.match(text, new RegExp(`/events/${event.slug}`))
    assert.doesNotMatch(text, /kumquat-members|kumquatmarker/)
  }
  assert.equal((await visit('/events/kumquat-members')).status, 404)
  await ada.write('PATCH', `/events/${event.id}`, { slug: 'kumquat-dinner' })
  const moved = await visit(`/events/${event.slug}`)
  assert.deepEqual([moved.status, moved.headers.location], [301, '/events/kumquat-dinner'])
  assert.doesNotMatch((await visit('/events/kumquat-dinner')).text, /kumquatmarker/)
})

test('a cancelled event says so, offers no registration and is not for search engines', async () => {
  const { ada, event } = await make({ name: 'Cancelled supper' })
  await ada.write('PUT', `/events/${event.id}/cancellation`, { reason: 'No flour at all', refund: 'none' })
  const { text, status } = await visit(`/events/${event.slug}`, { 'accept-language': 'en' })
  assert.equal(status, 200)
  assert.match(text, /does not take place/)
  assert.match(text, /No flour at all/)
  assert.doesNotMatch(text, /\/account\/events\/|rel="canonical"/)
})

test('a date can be added to a calendar, and comments are below an event', async () => {
  const { ada, event } = await make({ name: 'Comment supper' })
  const [date] = (await ada.get(`/events/${event.id}/occurrences`)).json.data
  const { text } = await visit(`/events/${event.slug}`, { 'accept-language': 'en' })
  assert.match(text, new RegExp(`/calendar/${date.id}\\.ics`))
  const file = await app.send({ path: `/calendar/${date.id}.ics` })
  assert.equal(file.status, 200)
  assert.equal(file.text.match(/BEGIN:VEVENT/g)?.length, 1)
  assert.match(text, new RegExp(`/account/comments/new\\?subject=(event(?::|%3A))?${event.id}`))
})

const local = /name="starts_at"/

test('staff plan an event on its pages: dates, tickets, publication, moving and cancelling a date', async () => {
  const browser = await enter('ada')
  const created = await sendForm(browser, '/staff/events/new', '', {
    name: 'Planned on pages',
    starts_at: '2090-03-14T19:00',
    time_zone: 'Europe/Lisbon',
    duration_minutes: '60',
  })
  const [, id = ''] = /action="[^"]*\/staff\/events\/(evt_\w+)"/.exec(created.text) ?? []
  assert.notEqual(id, '')
  const path = `/staff/events/${id}`
  const wrong = await sendForm(browser, path, 'dates', { repeats: 'weekly', count: '999' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /at most 200 dates/)
  const checked = await sendForm(browser, path, 'check_dates', { repeats: 'weekly', count: '4' })
  assert.match(checked.text, /Dates that come: 3/)
  const ada = await app.actor('ada', { scopes: SCOPES })
  assert.equal((await ada.get(`/events/${id}`)).json.occurrence_count, 1)
  await sendForm(browser, path, 'dates', { repeats: 'weekly', count: '4' })
  assert.equal((await ada.get(`/events/${id}`)).json.occurrence_count, 4)
  await sendForm(browser, path, 'ticket', { name: 'Seat', amount: '12.50', capacity: '5' })
  const tickets = (await ada.get(`/events/${id}/ticket-types`)).json.data
  assert.deepEqual([tickets[0].name, tickets[0].amount, tickets[0].capacity], ['Seat', 1250, 5])
  await sendForm(browser, path, 'save', {
    place_name: 'The hall',
    capacity: '9',
  })
  const saved = (await ada.get(`/events/${id}`)).json
  assert.deepEqual([saved.location.name, saved.capacity], ['The hall', 9])
  await sendForm(browser, path, 'publish', {})
  assert.equal((await visit(`/events/${saved.slug}`)).status, 200)
  const [date] = (await ada.get(`/events/${id}/occurrences`)).json.data
  const datePath = `${path}/dates/${date.id}`
  assert.match((await browser.open(datePath)).text, local)
  const time = { starts_at: '2090-03-15T20:00', time_zone: 'Europe/Lisbon', duration_minutes: '60' }
  const checkedMove = await sendForm(browser, datePath, 'check_move', time)
  assert.match(checkedMove.text, /Tells 0 registered people by mail that the date has moved/)
  assert.equal((await ada.get(`/occurrences/${date.id}`)).json.starts_at.local, date.starts_at.local)
  const [move] = listForms(checkedMove).filter(({ action }) => action === datePath)
  assert.ok(move, 'the page has the form again')
  await browser.submit(move, [...Object.entries(time), ['act', 'move']])
  assert.equal((await ada.get(`/occurrences/${date.id}`)).json.starts_at.local, '2090-03-15T20:00')
  const shown = await sendForm(browser, datePath, 'check_cancel', { reason: 'Ill' })
  assert.match(shown.text, /Tells 0 registered people by mail/)
  assert.equal((await ada.get(`/occurrences/${date.id}`)).json.status, 'scheduled')
})

test('staff ask questions of every kind on a page, and a question keeps its id', async () => {
  const { ada, event } = await make({ questions: [{ id: 'diet', type: 'text', label: 'What do you eat?' }] })
  const path = `/staff/events/${event.id}/questions`
  const browser = await enter('ada')
  const page = await browser.open(path)
  const [form] = listForms(page).filter(({ action }) => action === path)
  assert.ok(form, page.text)
  assert.doesNotMatch(page.text, /<option value="(file|hidden)"/)
  const stored = [
    ['field.0.id', 'diet'],
    ['field.0.type', 'text'],
    ['field.0.label', 'What do you eat?'],
  ] as const
  const added = await browser.submit(form, [...stored, ['act', 'add']])
  const [again] = listForms(added).filter(({ action }) => action === path)
  const [, id = ''] = /name="field\.1\.id" value="(q_\w+)"/.exec(added.text) ?? []
  assert.ok(again && id !== '', added.text)
  const choice = [
    ['field.1.id', id],
    ['field.1.type', 'choice'],
    ['field.1.label', 'Where do you sit?'],
    ['field.1.required', 'yes'],
  ] as const
  const refused = await browser.submit(again, [...stored, ...choice, ['act', 'save']])
  assert.equal(refused.status, 422)
  const [last] = listForms(refused).filter(({ action }) => action === path)
  assert.ok(last)
  await browser.submit(last, [...stored, ...choice, ['field.1.options', 'In front\nAt the back'], ['act', 'save']])
  const { questions } = (await ada.get(`/events/${event.id}`)).json
  assert.deepEqual(
    questions.map((one: { id: string; type: string; required?: boolean }) => [one.id, one.type, one.required === true]),
    [
      ['diet', 'text', false],
      [id, 'choice', true],
    ],
  )
  assert.deepEqual(questions[1].options, [
    { id: 'in_front', label: 'In front' },
    { id: 'at_the_back', label: 'At the back' },
  ])
})

test('a host changes a draft on its page and not who hosts it, and others have no page of it', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const starts_at = { local: '2090-03-14T19:00', time_zone: 'Europe/Lisbon' }
  const { json } = await carla.write('POST', '/events', { name: 'Draft of Carla', duration_minutes: 90, starts_at })
  const browser = await enter('carla')
  const page = await browser.open(`/staff/events/${json.id}`)
  assert.match(page.text, /Draft of Carla/)
  assert.doesNotMatch(page.text, /name="lecturer_ids"|value="publish"/)
  await sendForm(browser, `/staff/events/${json.id}`, 'save', { name: 'Draft of Carla, changed' })
  const changed = (await carla.get(`/events/${json.id}`)).json
  assert.deepEqual([changed.name, changed.lecturer_ids], ['Draft of Carla, changed', json.lecturer_ids])
  const dev = await enter('dev')
  assert.equal((await dev.open(`/staff/events/${json.id}`)).status, 403)
  const weekly = (await carla.get('/events/slug:night-of-ovens')).json
  const gil = await app.actor('ada', { scopes: SCOPES })
  await gil.write('PATCH', `/events/${weekly.id}`, { lecturer_ids: [] })
  assert.equal((await browser.open(`/staff/events/${weekly.id}`)).status, 403)
})

test('a member finds an event for members on a page of the account, with its tickets and comments', async () => {
  const { ada, event } = await make({ name: 'Supper of members', visibility: 'members' })
  const ticket = await ada.write('POST', `/events/${event.id}/ticket-types`, { name: 'Seat', amount: 1500 })
  assert.equal(ticket.status, 201, ticket.text)
  assert.equal((await visit(`/events/${event.slug}`)).status, 404)
  const dev = await enter('dev')
  const page = await dev.open(`/account/events/${event.slug}/details`, { 'accept-language': 'en' })
  assert.equal(page.status, 200)
  const [date] = (await ada.get(`/events/${event.id}/occurrences`)).json.data
  const link = new RegExp(`/checkout\\?price=${ticket.json.price_id}&amp;occurrence=${date.id}`)
  assert.match(page.text, link)
  assert.match(page.text, /15/)
  assert.match(page.text, /\/account\/comments\/new/)
})
