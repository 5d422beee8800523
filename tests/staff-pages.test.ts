// One thing: staff write, publish and arrange the pages of the site in the browser, without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { formTo, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { editorFields, sendEditor, withFields } from '#testing/page-editor.ts'
import { formWith, once, readNotice } from '#testing/staff-pages.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const PATH = '/staff/pages'
const SCOPES = [
  'pages:read',
  'pages:write',
  'courses:read',
  'courses:write',
  'lecturers:read',
  'lecturers:write',
  'school:read',
]

type Values = Readonly<Record<string, string | readonly string[]>>

const ada = once(() => app.actor('ada', { scopes: [...SCOPES, 'digital_products:read', 'membership_plans:read'] }))
const ben = once(() => learner(app, 'ben'))

const create = async (title: string, values: Readonly<Record<string, string>> = {}): Promise<string> => {
  const browser = await ben()
  const form = formWith(await browser.open(PATH), 'title')
  const page = await browser.submit(form, Object.entries({ title, kind: 'content', ...values }))
  assert.match(readNotice(page), /was created as a draft/, page.text)
  return editorFields(page).action
}

const pageAt = async (path: string) => (await (await ada()).get(`/pages/${path.split('/').at(-1)}`)).json

/** Presses a button of an open editor, after these values were entered. */
const pressOn = async (page: TestReply, act: string, values: Values = {}, browser?: Browser): Promise<TestReply> => {
  const { action, fields } = editorFields(page)
  return sendEditor(app, browser ?? (await ben()), { action, fields: withFields(fields, { ...values, act }) })
}

const press = async (path: string, act: string, values: Values = {}): Promise<TestReply> =>
  pressOn(await (await ben()).open(path), act, values)

/** Presses the button of a form of its own, below the editor. */
const act = async (path: string, name: string, values: Readonly<Record<string, string>> = {}): Promise<TestReply> => {
  const browser = await ben()
  return browser.submit(formTo(await browser.open(path), path, { act: name }), Object.entries(values))
}

const errorAt = ({ text }: TestReply, name: string): string =>
  new RegExp(`id="${name.replaceAll('.', '\\.')}-error">([^<]*)`).exec(text)?.[1] ?? ''

test('staff create a page once, and put pages in order', async () => {
  const browser = await ben()
  const empty = await browser.submit(formWith(await browser.open(PATH), 'title'), [['title', '  ']])
  assert.equal(empty.status, 422)
  assert.match(errorAt(empty, 'title'), /enter a title/)
  const form = formWith(await browser.open(PATH), 'title')
  const fields = [...form.fields.filter(([name]) => name !== 'title'), ['title', 'Twice & once'], ['kind', 'content']]
  const sent = await Promise.all([1, 2].map(() => post(app.port, browser, PATH, fields as [string, string][])))
  const [first, second] = sent.map(({ headers }) => headers.location)
  assert.match(first ?? '', /\/staff\/pages\/pag_\w+\?done=created$/)
  assert.equal(first, second)
  const path = (first ?? '').replace(/\?.*$/, '')
  assert.match(readMain(await browser.open(path)), /Twice &amp; once.*draft/)
  const order = async () => (await (await ada()).get('/pages?limit=100')).json.data.map(({ id }: { id: string }) => id)
  const before = await order()
  const id = path.split('/').at(-1) ?? ''
  assert.equal(before.at(-1), id)
  const moved = await browser.submit(formTo(await browser.open(PATH), PATH, { page: id }), [['act', 'up']])
  assert.match(readNotice(moved), /order has changed/)
  assert.deepEqual(await order(), [...before.slice(0, -2), id, before.at(-2)])
})

/** What is entered for each kind of block, and what is stored. */
const blocks = async () => {
  const api = await ada()
  const first = async (path: string) => (await api.get(path)).json.data[0]
  const course = await first('/courses?status=published&expand=prices')
  const [product, category, lecturer, plan] = await Promise.all(
    ['/digital-products', '/categories', '/lecturers', '/membership-plans?status=active'].map(path => first(path)),
  )
  const list = { title: '', category_id: null, tag: null, ids: null, limit: 6 }
  return [
    ['text', { body: 'Flour\r\nand **water**' }, { body: 'Flour\nand **water**' }],
    ['columns', { '0.body': 'Left', '1.body': 'Right' }, { columns: [column('Left'), column('Right')] }],
    [
      'button',
      { label: 'Begin', href: '/courses', style: 'plain' },
      { label: 'Begin', href: '/courses', style: 'plain' },
    ],
    ['quote', { quote: 'Warm.', author: 'Eli', about: '' }, { quote: 'Warm.', author: 'Eli', about: '' }],
    [
      'faq',
      { title: 'Asked', '0.question': 'Why?', '0.answer': 'Yeast.' },
      { title: 'Asked', items: [{ question: 'Why?', answer: 'Yeast.' }] },
    ],
    [
      'embed',
      { url: 'https://youtu.be/dQw4w9WgXcQ', title: 'A film' },
      { url: 'https://youtu.be/dQw4w9WgXcQ', title: 'A film' },
    ],
    ['courses', { title: 'Soon', ids: [course.id], limit: '' }, { ...list, title: 'Soon', ids: [course.id] }],
    [
      'products',
      { ids: [product.id], category_id: category.id, limit: '3' },
      { ...list, ids: [product.id], category_id: category.id, limit: 3 },
    ],
    ['lecturers', { ids: [lecturer.id] }, { title: '', ids: [lecturer.id], limit: 6 }],
    ['plans', { title: 'Join', ids: [plan.id] }, { title: 'Join', ids: [plan.id], limit: 6 }],
    ['reviews', { course_id: course.id, limit: '2' }, { title: '', course_id: course.id, limit: 2 }],
    ['checkout', { price_id: course.prices[0].id }, { price_id: course.prices[0].id, label: '' }],
    ['html', { html: '<p onclick="x">Old</p>' }, { html: '<p>Old</p>' }],
    ['spacer', { size: 'large' }, { size: 'large' }],
  ] as const
}

const column = (body: string) => ({ body, file_id: null, alt: '' })

test('every kind of block is added, filled in, moved and removed, and nothing is stored before it is saved', async () => {
  const path = await create('Every block')
  const all = await blocks()
  let page = await (await ben()).open(path)
  let entered: Values = {}
  for (const [index, [type, values]] of all.entries()) {
    page = await pressOn(page, 'add', { ...entered, add_type: type })
    assert.match(readNotice(page), /stored once you save/)
    assert.match(page.text, new RegExp(`id="block-${index}"[^>]*>\\n<h3 tabindex="-1" autofocus`), type)
    for (const value of Object.values(values).flat())
      if (/^(?:crs|dpr|cat|lec|mpl|prc)_/.test(value))
        assert.ok(page.text.includes(`value="${value}"`), `${type} ${value}`)
    entered = Object.fromEntries(Object.entries(values).map(([name, value]) => [`b.${index}.${name}`, value]))
  }
  assert.deepEqual((await pageAt(path)).blocks, [], 'nothing is stored')
  const saved = await pressOn(page, 'save', entered)
  assert.match(readNotice(saved), /was saved/, saved.text)
  const stored = (await pageAt(path)).blocks
  assert.deepEqual(
    stored,
    all.map(([type, , block]) => ({ type, ...block })),
  )
  const again = await press(path, 'save')
  assert.match(readNotice(again), /was saved/)
  assert.deepEqual((await pageAt(path)).blocks, stored, 'saving what is shown changes nothing')
  const types = async () => (await pageAt(path)).blocks.map(({ type }: { type: string }) => type)
  const before = await types()
  const down = await press(path, 'down.0')
  await pressOn(await pressOn(down, 'up.13'), 'save')
  assert.deepEqual(await types(), [before[1], before[0], ...before.slice(2, 12), before[13], before[12]])
  let left = await (await ben()).open(path)
  for (let index = 13; index >= 1; index--) left = await pressOn(left, `remove.${index}`)
  await pressOn(left, 'save')
  assert.deepEqual(await types(), [before[1]])
})

test('what is wrong is shown beside the field of the block, in the language of the person, with what was typed', async () => {
  const path = await create('Wrong blocks')
  let page = await (await ben()).open(path)
  for (const type of ['button', 'faq', 'image', 'embed', 'courses', 'checkout'])
    page = await pressOn(page, 'add', { add_type: type })
  const values = {
    title: 'Wrong & kept',
    path: '/Account',
    'b.0.label': 'Kept "label"',
    'b.0.href': 'javascript:alert(1)',
    'b.3.url': 'https://evil.example/x',
    'b.3.title': 'Film',
    'b.4.limit': 'many',
  }
  const refused = await pressOn(page, 'save', values)
  assert.equal(refused.status, 422)
  assert.match(readNotice(refused), /Nothing was saved/)
  assert.match(errorAt(refused, 'b.0.href'), /Choose an address of the site/)
  assert.match(errorAt(refused, 'b.1.items'), /at least one question/)
  assert.match(errorAt(refused, 'b.2.file_id'), /Choose an image/)
  assert.match(errorAt(refused, 'b.4.limit'), /whole number from 1 to 24/)
  assert.match(errorAt(refused, 'b.5.price_id'), /Choose a price/)
  assert.match(errorAt(refused, 'path'), /small letters/)
  for (const kept of [
    'value="Kept &quot;label&quot;"',
    'value="javascript:alert(1)"',
    'value="/Account"',
    'value="many"',
  ])
    assert.ok(refused.text.includes(kept), kept)
  assert.ok(listLinks(refused).includes('#block-0'), 'the blocks with errors are linked')
  assert.deepEqual([(await pageAt(path)).title, (await pageAt(path)).blocks], ['Wrong blocks', []])
  const embed = await pressOn(await press(path, 'add', { add_type: 'embed' }), 'save', {
    'b.0.url': 'https://evil.example/x',
    'b.0.title': 'Film',
  })
  assert.match(errorAt(embed, 'b.0.url'), /YouTube, Vimeo/)
  const portuguese = await learner(app, 'ada')
  await app.database.query(`update members set locale = 'pt' where email_folded = 'ada@crumb.example'`)
  const inPortuguese = await pressOn(await portuguese.open(path), 'save', { path: '/Conta' }, portuguese)
  assert.match(readNotice(inPortuguese), /Nada foi guardado/)
  const block = await pressOn(
    await pressOn(await portuguese.open(path), 'add', { add_type: 'button' }, portuguese),
    'save',
    {},
    portuguese,
  )
  assert.match(errorAt(block, 'b.0.href'), /Escolha um endereço do sítio/)
  assert.match(errorAt(block, 'b.0.label'), /Preencha este campo/)
  await app.database.query(`update members set locale = null where email_folded = 'ada@crumb.example'`)
})

test('what somebody else changed is not overwritten: by saving, nor after a button that moves blocks', async () => {
  const path = await create('Two editors')
  const open = await (await ben()).open(path)
  const added = await press(path, 'add', { add_type: 'text' })
  await (await ada()).write('PATCH', `/pages/${path.split('/').at(-1)}`, { title: 'Theirs' })
  for (const page of [open, await pressOn(open, 'add', { add_type: 'text' }), added]) {
    const refused = await pressOn(page, 'save', { title: 'Mine' })
    assert.equal(refused.status, 412)
    assert.match(readNotice(refused), /Somebody has changed the page/)
    assert.match(refused.text, /name="title"[^>]* value="Mine"/)
    assert.match(refused.text, /id="conflict"[\s\S]*<mark>Mine<\/mark>[\s\S]*<mark>Theirs<\/mark>/)
  }
  const refused = await pressOn(open, 'save', { title: 'Mine' })
  const taken = await pressOn(refused, 'take')
  assert.match(taken.text, /name="title"[^>]* value="Theirs"/)
  assert.match(taken.text, /data-taken>[\s\S]*Mine/)
  assert.equal((await pageAt(path)).title, 'Theirs')
  // Whoever has seen both texts saves theirs over it.
  assert.match(readNotice(await pressOn(refused, 'save')), /saved/i)
  assert.equal((await pageAt(path)).title, 'Mine')
})

test('a page is published, changed, scheduled in the time zone of the person, and unpublished', async () => {
  const path = await create('Opening hours')
  await app.database.query(`update members set time_zone = 'America/New_York' where email_folded = 'ben@crumb.example'`)
  const past = await press(path, 'schedule', { title: 'Open', at: '2001-01-01T09:00' })
  assert.equal(past.status, 422)
  assert.match(readNotice(past), /changes are saved as a draft/)
  assert.match(errorAt(past, 'at'), /over already|in the future/)
  const none = await pressOn(past, 'schedule', { title: 'Not saved', at: 'soon' })
  assert.match(readNotice(none), /Nothing was saved/)
  assert.equal((await pageAt(path)).title, 'Open')
  const scheduled = await pressOn(past, 'schedule', { at: '2199-07-01T09:30' })
  assert.match(readNotice(scheduled), /is scheduled/, scheduled.text)
  assert.match(scheduled.text, /time in America\/New_York/)
  assert.match(scheduled.text, /name="at"[^>]* value="2199-07-01T09:30"/)
  assert.equal((await pageAt(path)).publish_at, '2199-07-01T13:30:00.000Z')
  assert.match(readNotice(await act(path, 'unpublish')), /draft again/)
  assert.match(readNotice(await press(path, 'publish', { title: 'Open daily' })), /is published/)
  const { status, title } = await pageAt(path)
  assert.deepEqual([status, title], ['published', 'Open daily'])
  await until(
    async () => /Open daily/.test((await app.send({ path: '/opening-hours', headers: { accept: 'text/html' } })).text),
    'the page',
  )
  const changed = await press(path, 'save', { title: 'Open at night' })
  assert.match(readMain(changed), /has changes that are not published/)
  assert.doesNotMatch(changed.text, /value="schedule"/, 'a published page is not scheduled')
  await app.database.query(`update members set time_zone = null where email_folded = 'ben@crumb.example'`)
})

test('the editor names what was removed from a block, once and after each button that saves', async () => {
  const path = await create('With a frame')
  const added = await press(path, 'add', { add_type: 'html' })
  const typed = '<p>Look</p><iframe src="https://x.example"></iframe><video></video>'
  const saved = await pressOn(added, 'save', { 'b.0.html': typed })
  assert.equal(saved.status, 200)
  assert.match(readNotice(saved), /The page was saved/)
  assert.match(saved.text, /<p class="notice">Removed: iframe \(1\), video \(1\)\. Instead: link the page/)
  assert.doesNotMatch((await (await ben()).open(path)).text, /Removed: iframe/, 'it is no longer there')
  const published = await pressOn(saved, 'publish', { 'b.0.html': typed })
  assert.match(readNotice(published), /is published/)
  assert.match(published.text, /Removed: iframe \(1\)/)
  const preview = await pressOn(published, 'preview', { 'b.0.html': typed })
  assert.match(preview.text, /Removed: iframe \(1\)[\s\S]*href="[^"]*\/pages\/previews\/[^"]*">See the preview</)
  const dead = await pressOn(published, 'preview', { 'b.0.html': '<a href="#nowhere">There</a>' })
  assert.doesNotMatch(dead.text, /See the preview/, 'what the page goes on to say leads nowhere else')
  assert.match((await (await ben()).open(path)).text, /No heading of the text is called: #nowhere\./)
  const { warnings } = (
    await (
      await ada()
    ).write('PATCH', `/pages/${path.split('/').at(-1)}`, {
      blocks: [{ type: 'html', html: typed }],
    })
  ).json
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['content_removed'],
  )
})

test('headings of the same words in several blocks have ids of their own, and links lead to that of their block', async () => {
  const body = '[Below](#hours)\n\n# Hours'
  const blocks = [
    { type: 'text', body },
    { type: 'text', body },
    { type: 'columns', columns: [{ body: '# Hours' }, { body: '# Hours' }] },
    { type: 'faq', items: [{ question: 'When?', answer: '# Hours' }] },
  ]
  const { id } = (await (await ada()).write('POST', '/pages', { title: 'Twice', path: '/twice', blocks })).json
  assert.equal((await (await ada()).write('PUT', `/pages/${id}/publication`, {})).status, 200)
  const { text } = await app.send({ path: '/twice', headers: { accept: 'text/html' } })
  const ids = [...text.matchAll(/<h\d id="(section-[^"]*)"/g)].map(([, one]) => one)
  assert.deepEqual(ids, ['section-hours', 'section-hours-2', 'section-hours-3', 'section-hours-4', 'section-hours-5'])
  assert.deepEqual(
    [...text.matchAll(/href="#(section-[^"]*)"/g)].map(([, one]) => one),
    ['section-hours', 'section-hours-2'],
  )
})

test('versions are listed, read and restored, and a preview is shown to whoever has its address', async () => {
  const path = await create('Version one')
  const page = await pressOn(await press(path, 'add', { add_type: 'text' }), 'save', { 'b.0.body': 'First **words**' })
  await pressOn(page, 'save', { title: 'Version two', 'b.0.body': 'Second words' })
  const browser = await ben()
  const list = await browser.open(`${path}/versions`)
  assert.match(readMain(list), /Version 3 Version two Being edited.*Version 2 Version one/)
  assert.match((await browser.open(`${path}/versions?version=2`)).text, /First \*\*words\*\*/)
  const restore = formTo(list, `${path}/versions`, { number: '2' })
  assert.match(readNotice(await browser.submit(restore, [])), /is the draft now/)
  const { title, blocks: restored } = await pageAt(path)
  assert.deepEqual([title, restored], ['Version one', [{ type: 'text', body: 'First **words**' }]])
  const late = await browser.submit(restore, [])
  assert.deepEqual([late.status, /Somebody has changed/.test(readNotice(late))], [412, true])
  const { action, fields } = editorFields(await browser.open(path))
  const shown = await sendEditor(app, browser, {
    action,
    fields: withFields(fields, { title: 'Only a draft', act: 'preview' }),
  })
  assert.match(shown.text, /Only a draft/)
  assert.match(shown.text, /<strong>words<\/strong>/)
  assert.equal(shown.headers['x-robots-tag'], 'noindex')
})

test('addresses: the old one leads to the page, and one of another page is refused beside the field', async () => {
  const path = await create('Moved page')
  await press(path, 'publish')
  const moved = await press(path, 'save', { path: '/moved/twice', nav_label: 'Moved' })
  assert.match(moved.text, /<textarea id="redirects"[^>]*>\n\/moved-page<\/textarea>/)
  const taken = await press(path, 'save', { path: '/about' })
  assert.equal(taken.status, 409)
  assert.match(errorAt(taken, 'path'), /Another page/)
  const led = await press(path, 'save', { redirects: '/about' })
  assert.deepEqual([errorAt(led, 'path'), /Another page/.test(errorAt(led, 'redirects'))], ['', true])
  const loop = await press(path, 'save', { redirects: '/moved/twice' })
  assert.match(errorAt(loop, 'redirects'), /lead to itself/)
  const reserved = await press(path, 'save', { redirects: '/ok\n/account/x' })
  assert.match(errorAt(reserved, 'redirects'), /something else/)
  await press(path, 'save', { redirects: '/find-us\n\n/find-us\n/moved-page' })
  const { redirects } = await pageAt(path)
  assert.deepEqual(redirects, ['/find-us', '/moved-page'])
})

test('a page becomes the home page, is copied once, and is deleted', async () => {
  const path = await create('Our door')
  assert.match(readNotice(await act(path, 'setHome')), /home page has changed/)
  assert.equal((await pageAt(path)).is_home, true)
  const members = await press(path, 'save', { visibility: 'members' })
  assert.match(errorAt(members, 'visibility'), /cannot be for members/)
  assert.match(readNotice(await act(path, 'clearHome')), /home page has changed/)
  const browser = await ben()
  const form = formTo(await browser.open(path), path, { act: 'copy' })
  const fields = [...form.fields.filter(([name]) => name !== 'copy_title'), ['copy_title', 'Our window']]
  const copies = await Promise.all([1, 2].map(() => post(app.port, browser, path, fields as [string, string][])))
  assert.equal(copies[0]?.headers.location, copies[1]?.headers.location)
  const copy = (copies[0]?.headers.location ?? '').replace(/\?.*$/, '')
  assert.equal((await pageAt(copy)).title, 'Our window')
  assert.match(readNotice(await act(copy, 'delete')), /“Our window” is in the bin/)
  assert.equal((await (await ada()).get(`/pages/${copy.split('/').at(-1)}`)).status, 404)
})

test('images are uploaded with the form of the page, and one that is refused is shown at its field', async () => {
  const path = await create('Pictures')
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  const png = { name: 'loaf "one".png', type: 'image/png', bytes }
  let page = await press(path, 'add', { add_type: 'image' })
  page = await pressOn(page, 'add', { add_type: 'gallery' })
  const { action, fields } = editorFields(page)
  const lying = { name: 'loaf.png', type: 'image/png', bytes: Buffer.from('<svg onload="alert(1)">') }
  const files = { 'b.0.file_id.file': png, 'b.1.0.file_id.file': lying }
  const refused = await sendEditor(
    app,
    await ben(),
    { action, fields: withFields(fields, { act: 'save', 'b.0.alt': 'A loaf' }) },
    files,
  )
  assert.equal(refused.status, 422)
  assert.match(errorAt(refused, 'b.1.0.file_id'), /content of the file is not of the type/)
  assert.match(refused.text, /loaf &quot;one&quot;\.png/, 'the other file is there')
  const text = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('No image') }
  const again = editorFields(refused)
  const notImage = await sendEditor(
    app,
    await ben(),
    { action, fields: withFields(again.fields, { act: 'save' }) },
    { 'b.1.0.file_id.file': text },
  )
  assert.match(errorAt(notImage, 'b.1.0.file_id'), /A picture is needed that every browser shows/)
  const last = editorFields(notImage)
  const saved = await sendEditor(
    app,
    await ben(),
    { action, fields: withFields(last.fields, { act: 'save' }) },
    { 'b.1.0.file_id.file': png },
  )
  assert.match(readNotice(saved), /was saved/, saved.text)
  assert.match(saved.text, /<img class="thumbnail" src="[^"]*\/files\//)
  const stored = (await pageAt(path)).blocks
  assert.deepEqual(
    stored.map(({ type }: { type: string }) => type),
    ['image', 'gallery'],
  )
  assert.equal(stored[0].alt, 'A loaf')
  // A column may have no image, and loses the one that it has.
  const columns = await pressOn(saved, 'add', { add_type: 'columns' })
  const withImage = await sendEditor(
    app,
    await ben(),
    {
      action,
      fields: withFields(editorFields(columns).fields, { act: 'save', 'b.2.0.body': 'One', 'b.2.1.body': 'Two' }),
    },
    { 'b.2.0.file_id.file': png },
  )
  assert.match((await pageAt(path)).blocks[2].columns[0].file_id, /^fil_/)
  await pressOn(withImage, 'save', { 'b.2.0.file_id_without': 'yes' })
  assert.equal((await pageAt(path)).blocks[2].columns[0].file_id, null)
})

test('what a block names keeps its order, and stays when it is gone until somebody removes it', async () => {
  const path = await create('Chosen people')
  const api = await ada()
  const ids: string[] = []
  for (const name of ['Alpha', 'Beta', 'Gamma'])
    ids.push((await api.write('POST', '/lecturers', { display_name: name })).json.id)
  const wanted = ids.toReversed()
  await api.write('PATCH', `/pages/${path.split('/').at(-1)}`, { blocks: [{ type: 'lecturers', ids: wanted }] })
  assert.equal((await api.write('DELETE', `/lecturers/${ids[1]}`)).status, 204)
  const page = await (await ben()).open(path)
  assert.match(page.text, new RegExp(`No longer there \\(${ids[1]}\\)`))
  await pressOn(page, 'save', { title: 'Chosen again' })
  assert.deepEqual((await pageAt(path)).blocks[0].ids, wanted)
})

test('a form belongs to the person whom it was shown to, and pages are for staff', async () => {
  const path = await create('Bound')
  const { action, fields } = editorFields(await (await ben()).open(path))
  const other = await learner(app, 'ada')
  const sent = await sendEditor(app, other, { action, fields: withFields(fields, { title: 'Stolen', act: 'save' }) })
  assert.equal(sent.status, 403)
  const none = await sendEditor(app, await ben(), { action, fields: withFields(fields, { act: 'unknown' }) })
  assert.equal(none.status, 403)
  assert.equal((await pageAt(path)).title, 'Bound')
  const carla = await learner(app, 'carla')
  for (const page of [PATH, path, `${path}/versions`]) {
    const { status, text } = await carla.open(page)
    assert.equal(status, 403, page)
    assert.doesNotMatch(text, /Bound/)
  }
  const stranger = await app.send({ path, headers: { accept: 'text/html' } })
  assert.match(String(stranger.headers.location), /\/account\/sign-in/)
  assert.equal((await (await ben()).open(`${PATH}/pag_${'0'.repeat(26)}`)).status, 404)
})
