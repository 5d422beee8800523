import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { listNames } from '#src/contract/mail.ts'
import { people } from '#src/demo/index.ts'
import { seal } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { enterAccount, formTo, listFields, listForms, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { operations } from '#testing/matrix.ts'
import { once, sell } from '#testing/orders.ts'
import { listConsolePaths, listStaffLinks, readNavigation } from '#testing/staff-pages.ts'
import { until } from '#testing/until.ts'
import { areas, listMailKinds } from '../src/areas.ts'
import { mailSeal } from '../src/identity/mail/record.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const readNotice = ({ text }: TestReply): string =>
  /<p class="(?:note|done)" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

// What a browser sends of a form: also the chosen options and the texts.
const typedIn = ({ text }: TestReply, action: string): Record<string, string> => {
  const form =
    [...text.matchAll(/<form[\s\S]*?<\/form>/g)].map(([found]) => found).find(found => found.includes(`${action}"`)) ??
    ''
  const decode = (value: string) => value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
  const selects = [...form.matchAll(/<select id="[^"]*" name="([^"]*)">([\s\S]*?)<\/select>/g)].map(
    ([, name = '', options = '']) => [name, decode(/value="([^"]*)" selected/.exec(options)?.[1] ?? '')] as const,
  )
  const areas = [...form.matchAll(/<textarea id="[^"]*" name="([^"]*)"[^>]*>\n([\s\S]*?)<\/textarea>/g)].map(
    ([, name = '', value = '']) => [name, decode(value)] as const,
  )
  return Object.fromEntries([...selects, ...areas])
}

const save = async (browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<TestReply> => {
  const page = await browser.open(path)
  return browser.submit(formTo(page, path), Object.entries({ ...typedIn(page, path), ...fields }))
}

const schoolNow = async () => (await (await app.actor('ada', { scopes: ['school:read'] })).get('/school')).json

test('every page has the entries and the tabs that the person may use, and says where they are', async () => {
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const page = await ada.open('/staff/orders/ORD-1')
  const navigation = readNavigation(page)
  assert.match(navigation, /staff\/orders" aria-current="true"/)
  assert.match(page.text, /<nav class="crumbs"[^>]*><ol>\n<li><a href="\/staff\/orders">/)
  const words = ['courses', 'people', 'orders', 'events', 'pages', 'analytics', 'settings']
  assert.deepEqual(listStaffLinks(navigation), ['/staff', ...words.map(word => `/staff/${word}`)])
  const paths = await listConsolePaths(ada, page)
  for (const path of paths) {
    const { status, text } = await ada.open(path)
    assert.equal(status, 200, path)
    assert.match(text, new RegExp(`<nav class="(?:nav|tabs)"[\\s\\S]*?href="${path}" aria-current="page"`))
    assert.match(text, /<a class="skip" href="#main">[\s\S]*<main class="stage" id="main"/)
  }
  const own = await listConsolePaths(ben, await ben.open('/staff'))
  assert.deepEqual(
    paths.filter(path => !own.includes(path)),
    ['/staff/payments', '/staff/integrations'],
  )
  const carla = await enter('carla')
  assert.equal(readNavigation(await carla.open('/staff/people')), '', 'a lecturer may not open it')
  const teaching = await carla.open('/staff')
  assert.match(readNavigation(teaching), /"\/staff" aria-current="page"/)
  const taught = await listConsolePaths(carla, teaching)
  assert.deepEqual(
    taught,
    [
      ...['', '/teaching', '/courses', '/grading', '/comments', '/reviews', '/bin'],
      ...['/students', '/enrollments', '/lecturers', '/imports', '/events', '/posts', '/files', '/analytics'],
      '/analytics/reports',
    ].map(below => `/staff${below}`),
  )
  for (const path of taught) assert.equal((await carla.open(path)).status, 200, path)
})

type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
}

// The paths of the values that a body can set; a value that has only one choice is none.
const settable = ({ properties, anyOf, enum: words }: Shape, path: string): string[] => {
  const below = properties ?? anyOf?.find(one => one.properties !== undefined)?.properties
  if (below !== undefined)
    return Object.entries(below).flatMap(([name, shape]) => settable(shape, path === '' ? name : `${path}.${name}`))
  return words?.length === 1 ? [] : [path]
}

const settableBy = (id: string): string[] => settable(operations.find(one => one.id === id)?.body as Shape, '')

test('every setting of the school and of selling has a field on a page of the settings', async () => {
  const ada = await enter('ada')
  const fieldsAt = async (path: string): Promise<string[]> => {
    const { status, text } = await ada.open(path)
    assert.equal(status, 200, path)
    const form = /<form method="post" action="[^"]*\/staff\/settings[\s\S]*?<\/form>/.exec(text)?.[0] ?? ''
    const names = [...form.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name = '']) => name)
    return [...new Set(names)].filter(name => !['token', 'revision'].includes(name)).sort()
  }
  assert.deepEqual(await fieldsAt('/staff/settings/school'), settableBy('updateSchool').sort())
  const pages = {
    legal: 'seller',
    tax: 'tax',
    checkout: 'checkout',
    subscriptions: 'subscriptions',
    comments: 'comments',
  }
  const found = await Promise.all(
    Object.entries(pages).map(async ([part, word]) =>
      (await fieldsAt(`/staff/settings/${word}`)).map(name => `${part}.${name}`),
    ),
  )
  assert.deepEqual(found.flat().sort(), settableBy('setSellingSettings').sort())
})

const listOptions = ({ text }: TestReply, name: string): [string, string][] => {
  const inside = new RegExp(`<select id="${name}"[\\s\\S]*?</select>`).exec(text)?.[0] ?? ''
  return [...inside.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].map(([, value = '', label = '']) => [
    value,
    label,
  ])
}

test('time zone, languages, currency and the page with the terms are chosen', async () => {
  const ada = await enter('ada')
  const pages = await app.actor('ada', { scopes: ['pages:read', 'pages:write'] })
  const created = await pages.write('POST', '/pages', { title: 'Terms & <conditions>' })
  assert.equal(created.status, 201, created.text)
  const settings = await ada.open('/staff/settings/school')
  const chosen = { time_zone: 'Atlantic/Azores', locale: 'en-GB', currency: 'EUR' }
  for (const [name, value] of Object.entries(chosen))
    assert.ok(
      listOptions(settings, name).some(([one]) => one === value),
      name,
    )
  const form = formTo(settings, '/staff/settings/school')
  const unreadable = { currency: 'x', locale: '?', time_zone: '', supported_locales: 'no tag' }
  for (const sent of [{}, unreadable]) assert.equal((await ada.submit(form, Object.entries(sent))).status, 422)
  const kept = Object.entries({ ...typedIn(settings, '/staff/settings/school'), ...chosen })
  const boxes = ['de', 'en-GB', 'en'].map(value => ['supported_locales', value] as const)
  const saved = await ada.submit(form, [...kept, ...boxes])
  assert.equal(readNotice(saved), 'The settings are saved.', saved.text)
  assert.match(saved.text, /value="de" checked>[\s\S]*<summary>More languages/)
  const { time_zone, locale, supported_locales } = await schoolNow()
  assert.deepEqual([time_zone, locale, supported_locales], ['Atlantic/Azores', 'en-GB', ['de', 'en-GB', 'en']])
  const offered = listOptions(await ada.open('/staff/settings/checkout'), 'terms_page_id')
  assert.deepEqual(
    offered.filter(([value]) => ['', created.json.id].includes(value)),
    [
      ['', 'None'],
      [created.json.id, 'Terms &amp; &lt;conditions&gt; (not published)'],
    ],
  )
  await save(ada, '/staff/settings/checkout', { terms_page_id: created.json.id })
  const selling = await (await app.actor('ada', { scopes: ['school:read'] })).get('/school/selling')
  assert.equal(selling.json.checkout.terms_page_id, created.json.id)
  await save(ada, '/staff/settings/school', { locale: 'en', supported_locales: 'en' })
  await save(ada, '/staff/settings/checkout', { terms_page_id: '' })
})

test('an admin names the school first of all, keeps what was typed when it is refused, and overwrites nobody', async () => {
  const ben = await enter('ben')
  const page = await ben.open('/staff/settings/school')
  assert.equal(listForms(page)[0]?.fields.find(([name]) => !['token', 'revision'].includes(name))?.[0], 'name')
  const before = await schoolNow()
  const refused = await save(ben, '/staff/settings/school', { name: 'The <b>Bakery</b>', supported_locales: 'de' })
  assert.deepEqual([refused.status, readNotice(refused)], [422, 'Nothing was saved. Check “Language”.'])
  assert.ok(refused.text.includes('value="The &lt;b&gt;Bakery&lt;/b&gt;"'))
  const nameless = await save(ben, '/staff/settings/school', { name: ' ' })
  assert.equal(readNotice(nameless), 'Nothing was saved. Check “Name of the school”.')
  assert.deepEqual(await schoolNow(), before)
  const saved = await save(ben, '/staff/settings/school', { name: 'The Bakery', contact_email: '', country: 'PT' })
  assert.equal(readNotice(saved), 'The settings are saved.')
  const { name, contact_email, country, description, time_zone } = await schoolNow()
  assert.deepEqual([name, contact_email, country], ['The Bakery', null, 'PT'])
  assert.deepEqual([description, time_zone], [before.description, before.time_zone])
  const stale = await ben.submit(
    formTo(page, '/staff/settings/school'),
    Object.entries({ ...typedIn(page, '/staff/settings/school'), name: 'Old' }),
  )
  assert.equal(stale.status, 412)
  assert.match(readNotice(stale), /Somebody has changed/)
  assert.equal((await schoolNow()).name, 'The Bakery')
  const currency = await save(ben, '/staff/settings/school', { currency: 'JPY' })
  assert.equal(currency.status, 409)
  assert.match(readNotice(currency), /prices in the present currency/)
})

test('an owner sets seller, tax and the rest, each part by itself; an admin sees them', async () => {
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const selling = async () => (await (await app.actor('ada', { scopes: ['school:read'] })).get('/school/selling')).json
  const address = { 'address.line1': 'Rua do Forno 12', 'address.city': 'Lisboa', 'address.country': 'PT' }
  const wrong = await save(ada, '/staff/settings/seller', { ...address, name: 'Crumb, Lda.', tax_id: 'PT12' })
  assert.equal(readNotice(wrong), 'Nothing was saved. Check “Tax id”.')
  const half = await save(ada, '/staff/settings/seller', { 'address.line1': '', 'address.city': 'Lisboa' })
  assert.equal(half.status, 422, 'an address without a street')
  await save(ada, '/staff/settings/seller', { ...address, name: 'Crumb, Lda.', tax_id: 'PT123456789' })
  const { legal } = await selling()
  assert.deepEqual([legal.name, legal.address.city, legal.address.line2], ['Crumb, Lda.', 'Lisboa', null])
  const saved = await save(ada, '/staff/settings/tax', {
    mode: 'inclusive',
    rates: 'pt | 23 % | IVA\n* | 7,5 | VAT',
    reverse_charge: 'yes',
  })
  assert.equal(readNotice(saved), 'The settings are saved.', saved.text)
  await save(ada, '/staff/settings/tax', { rates: 'PT | 23 | IVA\n* | ７٫5 ％ | VAT' })
  assert.match((await ada.open('/staff/settings/tax')).text, /\* \| 7\.5 \| VAT/)
  const none = await save(ada, '/staff/settings/tax', { rates: '* | 0x10 | VAT' })
  assert.deepEqual([none.status, /\* \| 0x10 \| VAT/.test(none.text)], [422, true])
  await save(ada, '/staff/settings/checkout', {
    hold_minutes: '45',
    'withdrawal_waiver.text': 'I agree.',
    invoice_language: '',
  })
  await save(ada, '/staff/settings/subscriptions', { retry_days: '2 4,6' })
  await save(ada, '/staff/settings/comments', { posts: 'off' })
  const all = await selling()
  assert.deepEqual(all.tax.rates, [
    { country: 'PT', percent: '23', name: 'IVA' },
    { country: '*', percent: '7.5', name: 'VAT' },
  ])
  assert.deepEqual(
    [
      all.tax.reverse_charge,
      all.tax.taxed_at.in_person,
      all.checkout.hold_minutes,
      all.checkout.withdrawal_waiver.text,
    ],
    [true, 'place', 45, 'I agree.'],
  )
  assert.deepEqual(
    [all.checkout.invoice_language, all.subscriptions.retry_days, all.comments.posts],
    [null, [2, 4, 6], 'off'],
  )
  assert.deepEqual(all.legal, legal)
  const late = await save(ada, '/staff/settings/checkout', { hold_minutes: 'soon' })
  assert.match(readNotice(late), /Minutes that an unpaid order/)
  const seen = await ben.open('/staff/settings/seller')
  assert.deepEqual([seen.status, listForms(seen).length, seen.text.includes('Crumb, Lda.')], [200, 0, true])
  const token =
    new Map(listFields(formTo(await ben.open('/staff/settings/school'), '/staff/settings/school'))).get('token') ?? ''
  const forced = { token, revision: String(all.revision), name: 'Ben, Lda.' }
  assert.equal((await post(app.port, ben, '/staff/settings/seller', Object.entries(forced))).status, 403)
  assert.deepEqual((await selling()).legal, legal)
  assert.equal((await ada.open('/staff/settings/bread')).status, 404)
})

const readStored = async (email: string) =>
  (
    await app.database.query<{ id: string; role: string; status: string }>(
      'select id, role, status from members where school_id = $1 and email = $2',
      [app.a.id, email],
    )
  )[0]

const INVITATIONS = '/staff/invitations'

test('the settings say how the webhooks stand', async () => {
  const ada = await enter('ada')
  const readTile = async () => {
    const { text } = await ada.open('/staff/settings')
    const tile =
      text
        .split('<li class="tile">')
        .slice(1)
        .find(part => part.includes('href="/staff/webhooks"')) ?? ''
    return (tile.split('</li>')[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  }
  const staff = await app.actor('ada', { scopes: ['school:read'] })
  const made = await staff.write('POST', '/webhooks', { url: 'https://hooks.example.org/', types: ['school.updated'] })
  assert.equal(made.status, 201, made.text)
  assert.match(await readTile(), /Working .*webhooks?\..* Nothing waits\./)
  const set = (values: string) => app.database.query(`update webhooks set ${values} where client_id is not null`)
  await set(`status = 'failing', failing_since = stoa.now()`)
  assert.match(await readTile(), /1 failing/)
  await set(`status = 'disabled', failing_since = null, disabled_reason = 'by_person'`)
  assert.doesNotMatch(await readTile(), /Working|failing|turned off/)
  await set(`disabled_reason = 'gone'`)
  assert.match(await readTile(), /1 turned off/)
})

test('an owner invites somebody as a lecturer once, sends it again and withdraws it; an admin gives no role', async () => {
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const page = await ada.open(INVITATIONS)
  const form = formTo(page, INVITATIONS, { act: 'invite' })
  const fields = { name: 'Gil Tavares', email: 'gil@crumb.example', role: 'lecturer' }
  const replies = await Promise.all([1, 2].map(() => post(app.port, ada, INVITATIONS, listFields(form, fields))))
  assert.deepEqual(
    replies.map(({ headers }) => headers.location),
    Array(2).fill(`${INVITATIONS}?done=invited`),
  )
  const { role, status } = (await readStored('gil@crumb.example')) ?? {}
  assert.deepEqual([role, status], ['lecturer', 'invited'])
  await mailbox.waitFor('gil@crumb.example', 1, /invited/)
  const list = await ada.open(INVITATIONS)
  const press = async (act: string) => {
    const found = listForms(await ada.open(INVITATIONS)).filter(one => one.fields.some(([, value]) => value === act))
    const id = /\/staff\/people\/(mem_\w+)"><bdi>Gil Tavares/.exec(list.text)?.[1]
    const one = found.find(({ fields: all }) => all.some(([, value]) => value === id))
    assert.ok(one !== undefined)
    return ada.submit(one, [])
  }
  assert.match(readNotice(await press('resend')), /new invitation/)
  await mailbox.waitFor('gil@crumb.example', 2, /invited/)
  assert.match(readNotice(await press('withdraw')), /withdrawn/)
  assert.equal((await readStored('gil@crumb.example'))?.status, 'deleted')

  const again = await ada.submit(form, Object.entries({ ...fields, email: people.dev.email, form_key: 'another-key' }))
  assert.deepEqual([again.status, readNotice(again)], [409, 'A member with this address already exists.'])
  assert.ok(again.text.includes('value="Gil Tavares"'))
  const bens = await ben.open(INVITATIONS)
  assert.ok(!bens.text.includes('name="role"'))
  const forced = listFields(formTo(bens, INVITATIONS, { act: 'invite' }), {
    name: 'Ivo',
    email: 'ivo@crumb.example',
    role: 'admin',
  })
  const reply = await post(app.port, ben, INVITATIONS, forced)
  assert.equal(reply.headers.location, `${INVITATIONS}?done=no_role`)
  assert.equal((await readStored('ivo@crumb.example'))?.role, 'member')
})

test('an admin cannot take the place of somebody who is invited as an admin by another address', async () => {
  const ada = await enter('ada')
  const form = formTo(await ada.open(INVITATIONS), INVITATIONS, { act: 'invite' })
  await ada.submit(form, Object.entries({ name: 'Hana Sato', email: 'hana@crumb.example', role: 'admin' }))
  const owner = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const admin = await app.actor('ben', { scopes: ['members:read', 'members:write'] })
  const [hana] = (await owner.get('/members?email=hana@crumb.example')).json.data
  assert.equal(hana.role, 'admin')
  const change = { email: 'ben.two@crumb.example' }
  const refused = await admin.write('PATCH', `/members/${hana.id}`, change)
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  assert.equal((await admin.write('PATCH', `/members/${hana.id}`, { phone: '+351 21 000' })).status, 200)
  assert.equal((await owner.write('PATCH', `/members/${hana.id}`, change)).status, 200)
})

test('one field finds people, courses, orders, products, coupons and pages', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  await sell(ada, 'Zwieback from scratch', [once(4900)])
  const browser = await enter('ben')
  const found = async (q: string) => listPaths(await browser.open(`/staff/search?${new URLSearchParams({ q })}`))
  const listPaths = ({ status, text }: TestReply): string[] => {
    assert.equal(status, 200)
    return [...(/<main[\s\S]*/.exec(text)?.[0] ?? '').matchAll(/<li><a href="([^"]*)"/g)].map(([, path = '']) => path)
  }
  const [course = '', ...others] = await found('zwieb')
  assert.match(course, /^\/staff\/courses\/crs_\w+$/)
  assert.deepEqual(others, [])
  assert.match((await browser.open(course)).text, /Zwieback from scratch/)
  const pages = await app.actor('ada', { scopes: ['pages:write'] })
  const { id } = (await pages.write('POST', '/pages', { title: 'Zopf at Easter' })).json
  assert.deepEqual(await found('zopf'), [`/staff/pages/${id}`])
  assert.ok((await found('ORD-1')).includes('/staff/orders/ORD-1'))
  assert.equal((await found('femi')).filter(path => path.startsWith('/staff/people/')).length, 1)
  assert.ok((await found('')).includes('/staff/coupons/new'), 'without words what one can do')
  const nothing = await browser.open(`/staff/search?${new URLSearchParams({ q: '<i>' })}`)
  assert.match(nothing.text, /Nothing was found for “&lt;i&gt;”/)
  assert.equal((await browser.open(`/staff/search?q=${'x'.repeat(201)}`)).status, 200)
})

test('the first page counts what waits, and what does not wait is not there', async () => {
  const ben = await enter('ben')
  const buyer = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const member = await app.actor('ben', { scopes: ['account:read', 'account:write'] })
  assert.ok(!(await ben.open('/staff')).text.includes('of an app to approve'))
  const [session] = (await member.get('/account/sessions')).json.data
  assert.equal((await member.write('DELETE', `/account/sessions/${session.id}`)).status, 202)
  await until(async () => />1 request of an app to approve</.test((await ben.open('/staff')).text), 'it waits')
  assert.equal((await buyer.get('/account/orders')).status, 200)
  assert.match((await ben.open('/staff')).text, /Active learners<\/a><b>\d+</)
})

test('the outbox shows no code and no link of any kind of mail, which it never reads', async () => {
  const secrets = { code: '731942', link: 'https://x.example/hush', unsubscribe: 'https://x.example/hush-too' }
  const ada = await enter('ada')
  const kinds = listMailKinds(areas)
  assert.ok(kinds.some(kind => listNames(kind).includes('code')) && kinds.some(({ mute }) => mute !== undefined))
  for (const kind of kinds) {
    const id = newUuid(Date.now())
    const { key, context } = mailSeal(app.secret, app.a.id, id)
    const sealed = seal(key, JSON.stringify(secrets), context)
    // Without a job it waits, and is shown with its text.
    await app.database.query(
      `insert into mails (school_id, id, kind, recipient, locale, "values", attachments, secrets_sealed, recorded_at, not_before)
       values ($1, $2, $3, 'femi@crumb.example', 'en', '{}', '[]', $4, stoa.now(), stoa.now())`,
      [app.a.id, id, kind.name, sealed],
    )
    const [list, mail] = [await ada.open('/staff/outbox'), await ada.open(`/staff/outbox/${toId('eml', id)}`)]
    assert.deepEqual([list.status, mail.status], [200, 200], kind.name)
    for (const { text } of [list, mail]) assert.ok(!/731942|hush/.test(text), kind.name)
    const names = listNames(kind)
    if (names.includes('code') || names.includes('link')) assert.match(mail.text, /is never shown here/, kind.name)
  }
})

test('staff complete a course on the page of its outline for all who lack nothing, and see for how many before', async () => {
  const owner = await app.actor('ada', { scopes: TEACHING })
  const { id, lessons } = await teach(owner, 'Left out', [{ name: 'One' }, { name: 'Two' }])
  await enrollIn(app, 'dev', id)
  const dev = await app.actor('dev', { scopes: LEARNING })
  assert.equal((await dev.write('PUT', `/account/lessons/${lessons[0]}/completion`)).status, 200)
  const path = `/staff/courses/${id}`
  const ada = await enter('ada')
  assert.doesNotMatch((await ada.open(path)).text, /id="ready"/)
  assert.equal((await owner.write('DELETE', `/lessons/${lessons[1]}`)).status, 200)
  // The percentages follow within seconds.
  const counts = 'Not finished, although nothing is missing: 1'
  await until(async () => (await ada.open(path)).text.includes(counts), counts)
  const page = await ada.open(path)
  const listed = await ada.open(`/staff/students?course_id=${id}&completed=ready`)
  assert.match(listed.text, /Dev Patel/)
  const counted = await ada.submit(formTo(page, path, { do: 'count_ready' }), [])
  assert.match(counted.text, /People for whom the course is completed: 1\. Certificates by e-mail: 0\./)
  const complete = formTo(counted, path, { do: 'complete_all' })
  // A page that showed another number of people, before something changed.
  const stale = await ada.submit(complete, [['people', '2']])
  assert.match(stale.text, /has changed this since you opened the page/)
  assert.equal((await owner.get(`/courses/${id}/enrollments?completed=true`)).json.data.length, 0)
  const done = await ada.submit(complete, [])
  assert.equal(readNotice(done), 'The course was completed for them.')
  assert.doesNotMatch(done.text, /id="ready"/)
  const { json } = await owner.get(`/courses/${id}/enrollments?completed=true`)
  assert.equal(json.data.length, 1)
})

suite('on a machine without a connection to spare', () => {
  // Nobody waits for a connection: what needs more of them than there are is refused.
  const narrow = testApp({ connections: 5, databaseWait: 1 })

  test('the first page needs no more connections at once than a process has left', async () => {
    const browser = await enterAccount({
      ...{ port: narrow.port, school: narrow.a, email: people.ada.email, password: PASSWORD },
    })
    for (let times = 0; times < 5; times++) {
      const { status, text } = await browser.open('/staff')
      assert.equal(status, 200, text)
    }
  })
})
