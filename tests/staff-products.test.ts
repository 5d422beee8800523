import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { formTo, listFields, listForms, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { PageForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { buyer } from '#testing/products.ts'
import { formWith, once, press, readNotice, sendFiles, type TextFile } from '#testing/staff-pages.ts'

const app = testApp()

const ada = once(() => app.actor('ada', { scopes: ['digital_products:read', 'digital_products:write'] }))
const ben = once(() => learner(app, 'ben'))

const NEW = '/staff/products/new'

const sendFile = async (form: PageForm, file: TextFile | undefined): Promise<TestReply> =>
  sendFiles(app, await ben(), form, file && { file })

const uploadForm = (page: TestReply, action: string, act: string): PageForm => {
  const found = listForms(page).find(form => form.action === action && new Map(form.fields).get('act') === act)
  assert.ok(found !== undefined, page.text)
  return found
}

/** Creates a product in the browser; returns the path of its page. */
const create = async (name: string): Promise<string> => {
  const made = await (await ben()).submit(
    formWith(await (await ben()).open(NEW), 'name'),
    Object.entries({ name, visibility: 'listed' }),
  )
  assert.match(readNotice(made), /was created/)
  const [edit = ''] = listLinks(made).filter(href => href.endsWith('/edit'))
  return edit.replace(/\/edit$/, '')
}

const productAt = async (path: string) => (await (await ada()).get(`/digital-products/${path.split('/').at(-1)}`)).json

test('staff create a product once, and change its texts; a change of an old page is refused', async () => {
  const form = formWith(await (await ben()).open(NEW), 'name')
  const values = { name: 'Proofing times', subtitle: 'For the door', visibility: 'unlisted', tags: 'Bread, tables' }
  const refused = await (await ben()).submit(form, Object.entries({ ...values, download_limit: '0' }))
  assert.equal(refused.status, 422)
  assert.match(readNotice(refused), /number from 1 to 1,000/)
  assert.match(refused.text, /value="Proofing times"/)
  const sent = await Promise.all([1, 2].map(async () => post(app.port, await ben(), NEW, listFields(form, values))))
  const [first, second] = sent.map(({ headers }) => headers.location ?? '')
  assert.equal(first, second)
  const path = (first ?? '').split('?')[0] ?? ''
  const { status, visibility, tags, link_minutes } = await productAt(path)
  assert.deepEqual([status, visibility, tags, link_minutes], ['draft', 'unlisted', ['bread', 'tables'], 60])
  const old = formWith(await (await ben()).open(`${path}/edit`), 'name')
  const changed = await (await ben()).submit(
    old,
    Object.entries({ ...values, name: 'Proofing table', slug: 'proofing' }),
  )
  assert.match(readNotice(changed), /was changed/)
  const late = await (await ben()).submit(old, Object.entries({ ...values, name: 'Lost' }))
  assert.deepEqual([late.status, (await productAt(path)).name], [412, 'Proofing table'])
})

test('files are uploaded, replaced by versions, ordered and removed', async () => {
  const path = await create('Files of a product')
  const action = `${path}/files`
  const none = await sendFile(uploadForm(await (await ben()).open(path), path, 'add_file'), undefined)
  assert.equal(none.status, 422)
  assert.match(readNotice(none), /Choose a file/)
  await sendFile(uploadForm(await (await ben()).open(path), path, 'add_file'), { name: 'one.txt', text: 'One' })
  const page = await sendFile(uploadForm(await (await ben()).open(path), path, 'add_file'), {
    name: 'two.txt',
    text: 'Two',
  })
  assert.match(readNotice(page), /file was added/)
  const files = listLinks(page).filter(href => href.startsWith(`${action}/dpf_`))
  assert.equal(files.length, 2)
  const [first = '', second = ''] = files
  const replaced = await sendFile(uploadForm(await (await ben()).open(first), first, 'replace'), {
    name: 'one.txt',
    text: 'One, again',
  })
  assert.match(readNotice(replaced), /new version is there/)
  assert.match(readMain(replaced), /Version 2.*Version 1/)
  const moved = await press(await ben(), second, 'up')
  assert.deepEqual(
    listLinks(moved).filter(href => href.startsWith(`${action}/dpf_`)),
    [second, first],
  )
  const stale = formTo(await (await ben()).open(first), first, { act: 'remove' })
  await press(await ben(), second, 'remove')
  assert.equal((await (await ben()).submit(stale, [])).status, 412)
  const { data } = (await (await ada()).get(`/digital-products/${path.split('/').at(-1)}/files`)).json
  assert.deepEqual(
    data.map(({ name, version }: { name: string; version: number }) => [name, version]),
    [['one.txt', 2]],
  )
  const sample = await sendFile(uploadForm(await (await ben()).open(path), path, 'set_sample'), {
    name: 'sample.txt',
    text: 'A page',
  })
  assert.match(readNotice(sample), /sample was changed/)
  assert.equal((await productAt(path)).sample.name, 'sample.txt')
})

test('prices are added and retired, and a product is published, planned and archived', async () => {
  const path = await create('Sold by staff')
  const bad = await press(await ben(), path, 'price', { amount: 'a lot', days: '' })
  assert.equal(bad.status, 422)
  assert.match(bad.text, /value="a lot"/)
  assert.match(readNotice(await press(await ben(), path, 'price', { amount: '12,50', days: '30' })), /price was added/)
  await press(await ben(), path, 'price', { amount: '20', days: '' })
  const { primary_price: primary } = await productAt(path)
  assert.deepEqual([primary.amount, primary.access.days], [1250, 30])
  const page = await press(await ben(), path, 'primary')
  assert.match(readNotice(page), /shown first/)
  assert.equal((await productAt(path)).primary_price.amount, 2000)
  await (await ben()).submit(formTo(page, path, { act: 'retire', price: primary.id }), [])
  assert.doesNotMatch((await (await ben()).open(path)).text, /12\.50/)
  assert.equal((await press(await ben(), path, 'schedule', { at: '2001-01-01T09:00' })).status, 422)
  const states = []
  for (const [act, fields] of [
    ['schedule', { at: '2199-01-01T09:00' }],
    ['publish', {}],
    ['archive', {}],
    ['unarchive', {}],
  ] as const) {
    await press(await ben(), path, act, fields)
    const { status, publish_at } = await productAt(path)
    states.push([status, publish_at])
  }
  assert.deepEqual(states, [
    ['draft', '2199-01-01T09:00:00.000Z'],
    ['published', null],
    ['archived', null],
    ['draft', null],
  ])
  assert.match(readNotice(await press(await ben(), path, 'delete')), /is in the bin/)
})

test('a product is given to a member and taken back', async () => {
  const path = await create('A gift')
  const page = `${path}/people`
  const fields = { email: people.femi.email, ends_on: '', note: 'For the bake sale', notify: '' }
  assert.match(readNotice(await press(await ben(), page, 'give', fields)), /was given/)
  const again = await press(await ben(), page, 'give', fields)
  assert.equal(again.status, 409)
  assert.match(readNotice(again), /has this gift already/)
  assert.match(again.text, new RegExp(`value="${people.femi.email}"`))
  assert.match(readMain(again), /Femi Adeyemi.*gift.*For the bake sale/)
  const csv = await (await ben()).open(`${path}/downloads/csv`)
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  const gifts = await (await ben()).open(
    /href="(\/staff\/csv\/listProductGifts[^"]*)"/.exec(again.text)?.[1]?.replaceAll('&amp;', '&') ?? '',
  )
  assert.match(gifts.text, /Femi Adeyemi.*For the bake sale/)
  assert.match(String(gifts.headers['content-disposition']), /filename="[a-z-]*gifts-\d{4}-\d\d-\d\d\.csv"/)
  assert.match(readNotice(await press(await ben(), page, 'take_back')), /taken back/)
  const femi = await buyer(app, 'femi')
  assert.ok(!(await femi.get('/account/downloads')).text.includes('A gift'))
})

test('E-14 a form about a product is refused without its token', async () => {
  const path = await create('Tokenless')
  const fields = Object.entries({ act: 'delete', revision: '1', name: 'Changed', visibility: 'listed' })
  for (const form of [NEW, path, `${path}/edit`, `${path}/people`])
    assert.equal((await post(app.port, await ben(), form, fields)).status, 403, form)
  assert.equal((await productAt(path)).name, 'Tokenless')
})
