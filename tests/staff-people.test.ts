import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { readMemberId } from '#testing/learning.ts'

const app = testApp()

const enter = (name: PersonName, school = app.a): Promise<Browser> =>
  enterAccount({ port: app.port, school, email: people[name].email, password: PASSWORD })

const pathOf = async (name: PersonName): Promise<string> =>
  `/staff/people/${toId('mem', await readMemberId(app, name))}`

const PARTS = ['', '/courses', '/orders', '/mails', '/activity', '/details']

/** Sends the form of a page that has these fields, with others replaced; returns the page that follows. */
const send = async (
  browser: Browser,
  at: string,
  having: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>> = {},
): Promise<TestReply> => {
  const page = await browser.open(at)
  const form = formTo(page, at.replace(/\?.*/, ''), having)
  return browser.submit(form, listFields(form, fields))
}

const readNotice = ({ text }: TestReply): string => /role="(?:status|alert)"[^>]*>([^<]*)</.exec(text)?.[1] ?? ''

test('the page of a person has what they learn, buy, get and did, and links to the pages of each', async () => {
  const ada = await enter('ada')
  const path = await pathOf('eli')
  const overview = await ada.open(path)
  assert.match(overview.text, /<h1>Eli Sørensen<\/h1>/)
  const actor = await app.actor('ada', { scopes: ['students:read', 'orders:read', 'courses:read'] })
  const id = path.split('/').at(-1)
  const { data: enrollments, total } = (await actor.get(`/enrollments?member_id=${id}&include_total=true`)).json
  assert.ok(total > 0)
  for (const { id: enrollment } of enrollments.slice(0, 5))
    assert.ok(overview.text.includes(`/staff/students/${enrollment}"`))
  assert.match(overview.text, new RegExp(`Courses <span class="count">${total}</span>`))
  const { data: orders } = (await actor.get(`/orders?member_id=${id}&limit=3`)).json
  for (const { number } of orders) assert.ok(overview.text.includes(`href="/staff/orders/${number}"`), number)
  assert.match(overview.text, /Why there is (?:no )?access to /)
  for (const part of PARTS) {
    const page = await ada.open(`${path}${part}`)
    assert.equal(page.status, 200, part)
    assert.match(page.text, new RegExp(`<a href="${path}${part}" aria-current="page">`), part)
  }
})

test('a note is added once and deleted, and only staff write or see one', async () => {
  const [ben, path] = [await enter('ben'), await pathOf('eli')]
  const body = 'Bakes gluten-free <b>'
  const form = formTo(await ben.open(path), path, { act: 'note' })
  for (let times = 0; times < 2; times++)
    assert.equal(readNotice(await ben.submit(form, listFields(form, { body }))), 'The note was added.')
  const page = await ben.open(path)
  assert.equal(page.text.split('<p class="lines" dir="auto">Bakes gluten-free &lt;b&gt;').length - 1, 1)
  assert.match(readNotice(await send(ben, path, { act: 'note' }, { body: ' ' })), /Write what the team should know/)
  const changed = await send(ben, path, { act: 'note_save' }, { body: 'Bakes with spelt' })
  assert.equal(readNotice(changed), 'The note was changed.')
  assert.ok(changed.text.includes('Bakes with spelt'))
  const late = await ben.submit(formTo(page, path, { act: 'note_save' }), [['body', 'Written on the old one']])
  assert.deepEqual([late.status, late.text.includes('Written on the old one')], [412, true])
  assert.equal(readNotice(await send(ben, path, { act: 'note_delete' })), 'The note was deleted.')
  assert.ok(!(await ben.open(path)).text.includes('Bakes with spelt'))
})

test('details, custom fields, a consent, tags and groups are changed, and a change that somebody else made first is not lost', async () => {
  const [ada, path] = [await enter('ada'), `${await pathOf('eli')}/details`]
  const stale = formTo(await ada.open(path), path, { act: 'save' })
  const saved = await send(ada, path, { act: 'save' }, { phone: '+351 21 000 0000', news: 'yes' })
  assert.equal(readNotice(saved), 'The details were changed.')
  const actor = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const group = (await actor.write('POST', '/groups', { name: 'Weekend class' })).json.id
  const read = async () => (await actor.get(`/members/${path.split('/').at(3)}?expand=groups`)).json
  const before = await read()
  assert.deepEqual(
    [before.phone, before.marketing_consent.granted, before.marketing_consent.source],
    ['+351 21 000 0000', true, 'Staff'],
  )
  const refused = await ada.submit(stale, listFields(stale, { name: 'Somebody else' }))
  assert.equal(refused.status, 412)
  assert.equal((await read()).name, before.name)
  assert.equal(readNotice(await send(ada, path, { act: 'tag' }, { tag: 'Rye' })), 'The tag was added.')
  assert.deepEqual((await read()).tags.includes('rye'), true)
  assert.equal(readNotice(await send(ada, path, { act: 'untag', tag: 'rye' })), 'The tag was removed.')
  assert.equal(readNotice(await send(ada, path, { act: 'join' }, { group })), 'The person is in the group.')
  const isIn = async () => (await read()).groups.some(({ id }: { id: string }) => id === group)
  assert.ok(await isIn())
  assert.equal(readNotice(await send(ada, path, { act: 'leave', group })), 'The person is no longer in the group.')
  assert.ok(!(await isIn()))
  const bad = await send(ada, path, { act: 'save' }, { phone: 'no number' })
  assert.equal(bad.status, 422)
  assert.match(bad.text, /value="no number"/)
})

test('an act says first what it does; an erasure is typed, and a merge names the other account', async () => {
  const ada = await enter('ada')
  const actor = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const add = async (email: string) =>
    (await actor.write('POST', '/members', { email, name: email.split('@')[0], send_invitation: false })).json
      .id as string
  const [kept, gone] = [await add('kept@crumb.example'), await add('gone@crumb.example')]
  const at = `/staff/people/${kept}/acts`
  const shown = await ada.open(`${at}/delete`)
  assert.match(shown.text, /class="effects"/)
  assert.equal((await actor.get(`/members/${kept}`)).json.status, 'invited', 'nothing is done yet')
  const nobody = await send(ada, `${at}/merge`, { act: 'check' }, { email: 'nobody@crumb.example' })
  assert.match(readNotice(nobody), /no other account/)
  const checked = await send(ada, `${at}/merge`, { act: 'check' }, { email: 'GONE@crumb.example' })
  assert.match(checked.text, /gone@crumb\.example/)
  const form = formTo(checked, `${at}/merge`, { act: 'merge' })
  assert.equal(readNotice(await ada.submit(form, listFields(form))), 'The two accounts are one.')
  assert.equal((await ada.open(`/staff/people/${gone}`)).status, 200, 'an erased person has a page without a name')
  const wrong = await send(ada, `${at}/erase`, { act: 'erase' }, { typed: 'kept' })
  assert.match(readNotice(wrong), /not the address/)
  assert.equal((await actor.get(`/members/${kept}`)).json.email, 'kept@crumb.example')
  const erased = await send(ada, `${at}/erase`, { act: 'erase' }, { typed: 'kept@crumb.example' })
  assert.equal(readNotice(erased), 'The personal data was erased.')
  for (const part of PARTS) {
    const page = await ada.open(`/staff/people/${kept}${part}`)
    assert.equal(page.status, 200, part)
    assert.doesNotMatch(page.text, /kept@crumb\.example/, part)
  }
})

test('a lecturer sees of a student what the API gives them, and nothing of anybody else', async () => {
  const carla = await enter('carla')
  const actor = await app.actor('carla', { scopes: ['students:read'] })
  const { data } = (await actor.get('/students?limit=100')).json
  assert.ok(data.length > 0)
  const page = await carla.open(`/staff/people/${data[0].id}`)
  assert.equal(page.status, 200)
  assert.ok(page.text.includes(data[0].email))
  assert.doesNotMatch(page.text, /staff\/orders|\/acts\/|\/view"|mailto:|id="notes"|Spent/)
  const own = new Set(data.map(({ id }: { id: string }) => id))
  const everybody = await app.database.query<{ id: string }>('select id from members where school_id = $1', [app.a.id])
  const other = everybody.map(({ id }) => toId('mem', id)).find(id => !own.has(id)) ?? assert.fail('somebody else')
  const unknown = await carla.open('/staff/people/mem_00000000000000000000000000')
  const refused = await carla.open(`/staff/people/${other}`)
  assert.deepEqual([refused.status, refused.text], [404, unknown.text])
  for (const part of [...PARTS.slice(1), '/acts/suspend', '/view'])
    assert.equal((await carla.open(`/staff/people/${data[0].id}${part}`)).status, 403, part)
  const dev = await enter('dev')
  assert.equal((await dev.open(`/staff/people/${data[0].id}`)).status, 403)
  const elsewhere = await enter('ada', app.b)
  assert.equal((await elsewhere.open(`/staff/people/${data[0].id}`)).status, 404, 'a person of another school')
})

test('a filter is saved as a segment, found again by its name, and several people get a tag after its effects were shown', async () => {
  const ada = await enter('ada')
  const filtered = await ada.open('/staff/people?status=active&role=member')
  assert.match(filtered.text, /class="chip on"/)
  const at = '/staff/segments/new?status=active&role=member'
  assert.ok(filtered.text.includes(`href="${at.replace('&', '&amp;')}"`))
  const form = formTo(await ada.open(at), at)
  assert.match(readNotice(await ada.submit(form, listFields(form, { name: 'Students' }))), /segment was saved/)
  const list = await ada.open('/staff/people')
  assert.match(list.text, /<a class="chip" href="\/staff\/people\?status=active&amp;role=member"><bdi>Students</)
  const twice = formTo(await ada.open(at), at)
  assert.match(readNotice(await ada.submit(twice, listFields(twice, { name: 'students' }))), /Another segment/)
  const bulk = '/staff/people/bulk?status=active&role=member&all=yes&act=tag'
  const asked = formTo(await ada.open(bulk), bulk)
  const tried = await ada.submit(asked, listFields(asked, { add: 'spring', step: 'check' }))
  const actor = await app.actor('ada', { scopes: ['members:read'] })
  const { total } = (await actor.get('/members?status=active&role=member&include_total=true')).json
  assert.match(tried.text, new RegExp(`The tags of ${total} people change`))
  assert.equal((await actor.get('/members?tag=spring')).json.data.length, 0, 'nothing is done yet')
  const done = formTo(tried, bulk)
  const after = await ada.submit(done, listFields(done, { step: 'do' }))
  assert.match(readNotice(after), /tags were changed/)
  assert.equal((await actor.get('/members?tag=spring&include_total=true')).json.total, total)
})

test('who was ticked is enrolled and joins a group; nobody was ticked leads back; a file has exactly those', async () => {
  const ada = await enter('ada')
  const [eli, dev] = [(await pathOf('eli')).split('/').at(-1), (await pathOf('dev')).split('/').at(-1)]
  const chosen = `id=${eli}&id=${dev}`
  const actor = await app.actor('ada', { scopes: ['members:read', 'members:write', 'courses:read'] })
  const group = (await actor.write('POST', '/groups', { name: 'Chosen' })).json.id
  const course_id = (await actor.get('/courses?status=published&limit=1')).json.data[0].id
  for (const act of ['group', 'enroll']) {
    const at = `/staff/people/bulk?${chosen}&act=${act}`
    const asked = formTo(await ada.open(at), at)
    const tried = await ada.submit(asked, listFields(asked, { group, course_id, step: 'check' }))
    assert.match(tried.text, /class="effects"/, act)
    const sure = formTo(tried, at)
    assert.match(
      readNotice(await ada.submit(sure, listFields(sure, { group, course_id, step: 'do' }))),
      /They are/,
      act,
    )
  }
  const nobody = await ada.open('/staff/people/bulk?act=tag')
  assert.match(readNotice(nobody), /Nobody was chosen/)
  const file = await ada.open(`/staff/people/bulk?${chosen}&act=export`)
  assert.match(String(file.headers['content-type']), /text\/csv/)
  assert.equal(file.text.trim().split('\n').length, 3)
  const token = new Map(listFields(formTo(await ada.open('/staff/people'), '/account/sign-out'))).get('token') ?? ''
  for (const address of ['/staff/people/bulk?act=tag', `/staff/people/bulk?${chosen}&act=drop`])
    assert.equal((await post(app.port, ada, address, [['token', token]])).status, 403, address)
})

test('all access of a person is put on hold after its effects were shown, and lifted where it is explained', async () => {
  const [ben, path] = [await enter('ben'), await pathOf('eli')]
  const actor = await app.actor('ada', { scopes: ['students:read'] })
  const readStates = async (): Promise<string[]> => {
    const { data } = (await actor.get(`/enrollments?member_id=${path.split('/').at(-1)}&state=active`)).json
    return data.map(({ id }: { readonly id: string }) => id)
  }
  const before = await readStates()
  assert.ok(before.length > 0)
  assert.ok((await ben.open(path)).text.includes(`href="${path}/acts/hold"`))
  const page = await ben.open(`${path}/acts/hold`)
  assert.match(page.text, /class="effects"/)
  assert.equal((await readStates()).length, before.length, 'nothing is done before')
  const wrong = await send(ben, `${path}/acts/hold`, { act: 'hold' }, { until: '2001-01-01', note: 'invoice unpaid' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /value="2001-01-01"[\s\S]*value="invoice unpaid"/)
  const held = await send(ben, `${path}/acts/hold`, { act: 'hold' }, { note: 'invoice unpaid' })
  assert.equal(readNotice(held), 'All access is on hold.')
  assert.deepEqual(await readStates(), [])
  assert.ok(held.text.includes(`href="${path}/acts/lift"`))
  const enrollment = /href="(\/staff\/students\/enr_\w+)"/.exec(held.text)?.[1] ?? ''
  const enrolled = await ben.open(enrollment)
  assert.ok(enrolled.text.includes(`href="${path}/acts/lift"`))
  assert.doesNotMatch(enrolled.text, /name="act" value="lift"/)
  assert.equal(readNotice(await send(ben, `${path}/acts/lift`, { act: 'lift' })), 'The hold was lifted.')
  assert.deepEqual((await readStates()).toSorted(), before.toSorted())
  assert.ok(!(await ben.open(path)).text.includes(`href="${path}/acts/lift"`))
  const femi = await enter('femi')
  assert.equal((await femi.open(`${path}/acts/hold`)).status, 403)
})
