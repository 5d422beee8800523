// One thing: reviews, categories, groups, certificates and lecturers in the browser, with one application.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { formTo, listForms, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { readMemberId, TEACHING } from '#testing/learning.ts'
import { formWith, once, press, readNotice, sendFiles } from '#testing/staff-pages.ts'

const app = testApp()

const ada = once(() => app.actor('ada', { scopes: [...TEACHING, 'members:write', 'lecturers:read'] }))
const ben = once(() => learner(app, 'ben'))
const carla = once(() => learner(app, 'carla'))

const takeFirst = async (status: string) => (await (await ada()).get(`/reviews?status=${status}`)).json.data[0]

test('staff hide a review with a reason and publish it again; an old page is refused', async () => {
  const review = await takeFirst('published')
  const path = `/staff/reviews?course_id=${review.course_id}`
  const page = await (await ben()).open(path)
  const hide = listForms(page).find(
    ({ fields }) => new Map(fields).get('act') === 'hide' && new Map(fields).get('review') === review.id,
  )
  assert.ok(hide !== undefined, page.text)
  const nothing = await (await ben()).submit(hide, [['reason', ' ']])
  assert.equal(nothing.status, 400)
  assert.match(readNotice(nothing), /enter a reason/)
  const hidden = await (await ben()).submit(hide, [['reason', 'Names another student']])
  assert.match(readNotice(hidden), /is hidden/)
  assert.match(readMain(hidden), /Names another student/)
  assert.equal((await (await ada()).get(`/reviews/${review.id}`)).json.status, 'hidden')
  assert.equal((await (await ben()).submit(hide, [['reason', 'Again']])).status, 412)
  const published = await (await ben()).submit(formTo(hidden, hide.action, { act: 'publish', review: review.id }), [])
  assert.match(readNotice(published), /is published/)
  assert.equal((await (await ada()).get(`/reviews/${review.id}`)).json.status, 'published')
})

test('a lecturer answers a review of an own course, and cannot hide it', async () => {
  const { course_id: course } = await takeFirst('published')
  const page = await (await carla()).open(`/staff/reviews?course_id=${course}`)
  assert.doesNotMatch(page.text, /value="hide"/)
  const reply = formWith(page, 'reply')
  const id = new Map(reply.fields).get('review') ?? ''
  const empty = await (await carla()).submit(reply, [['reply', '']])
  assert.equal(empty.status, 422)
  const answered = await (await carla()).submit(reply, [['reply', 'Thank you <b>all</b>']])
  assert.match(readNotice(answered), /reply is saved/)
  assert.match(answered.text, /Thank you &lt;b&gt;all&lt;\/b&gt;/)
  const { reply: stored, revision } = (await (await ada()).get(`/reviews/${id}`)).json
  assert.equal(stored.author.name, people.carla.name)
  const fields = [...reply.fields.filter(([name]) => name === 'token' || name === 'review')]
  const hiding: [string, string][] = [
    ...fields.map(([name, value]): [string, string] => [name, value]),
    ['act', 'hide'],
    ['reason', 'Bad for me'],
    ['revision', String(revision)],
  ]
  assert.equal((await post(app.port, await carla(), reply.action, hiding)).status, 403)
  assert.equal((await (await ada()).get(`/reviews/${id}`)).json.status, 'published')
})

test('staff create categories, nest, order, rename and delete them', async () => {
  const path = '/staff/categories'
  const form = formTo(await (await ben()).open(path), path, { act: 'add' })
  const added = await (await ben()).submit(form, [
    ['name', 'Festive'],
    ['parent_id', ''],
  ])
  assert.match(readNotice(added), /was added/)
  const category = async (name: string) =>
    (await (await ada()).get('/categories')).json.data.find((one: { readonly name: string }) => one.name === name)
  const { id } = await category('Festive')
  const child = await press(await ben(), path, 'add', { name: 'Christmas', parent_id: id })
  assert.match(child.text, /level-1[^>]*>.*Christmas/)
  const full = await press(await ben(), `${path}/${id}`, 'delete')
  assert.equal(full.status, 409)
  assert.match(readNotice(full), /has subcategories/)
  await (await ben()).submit(formTo(await (await ben()).open(path), path, { act: 'up', category: id }), [])
  const tops = (await (await ada()).get('/categories')).json.data.filter(
    (one: { parent_id: string | null }) => one.parent_id === null,
  )
  assert.equal(tops.at(-2).id, id)

  const one = await (await ben()).open(`${path}/${(await category('Christmas')).id}`)
  const settings = formTo(one, `${path}/${(await category('Christmas')).id}`, { act: 'save' })
  const bad = await (await ben()).submit(
    settings,
    Object.entries({ name: 'Noël', slug: 'No El', description: '', parent_id: '' }),
  )
  assert.equal(bad.status, 422)
  assert.match(bad.text, /value="No El"/)
  const moved = await (await ben()).submit(
    settings,
    Object.entries({ name: 'Noël', slug: 'noel', description: 'In winter', parent_id: '' }),
  )
  assert.match(readNotice(moved), /was changed/)
  const { slug, parent_id, description } = await category('Noël')
  assert.deepEqual([slug, parent_id, description], ['noel', null, 'In winter'])
  assert.match(readNotice(await press(await ben(), `${path}/${id}`, 'delete')), /was deleted/)
  assert.equal(await category('Festive'), undefined)
})

test('a group is created once, gets members and opens a course to them, until it is deleted', async () => {
  const path = '/staff/groups'
  const form = formWith(await (await ben()).open(path), 'description')
  const created = await (await ben()).submit(
    form,
    Object.entries({ name: 'Spring class', description: 'Of this year' }),
  )
  assert.match(readNotice(created), /was created/)
  const taken = await (await ben()).submit(
    formWith(await (await ben()).open(path), 'description'),
    Object.entries({ name: 'SPRING class', description: '' }),
  )
  assert.deepEqual([taken.status, /another group has this name/i.test(readNotice(taken))], [409, true])
  assert.match(taken.text, /value="SPRING class"/)
  const [group = ''] = listLinks(await (await ben()).open(`${path}?q=spring`)).filter(href =>
    href.startsWith(`${path}/grp_`),
  )
  const femi = toId('mem', await readMemberId(app, 'femi'))
  const { json: course } = await (await ada()).write('POST', '/courses', { name: 'Opened by a group' })
  await (await ada()).write('PUT', `/courses/${course.id}/publication`, {})

  const member = await (await ben()).open(`${group}?q=femi`)
  await (await ben()).submit(formTo(member, group, { act: 'add_member', member: femi }), [])
  const item = await (await ben()).open(`${group}?item=Opened`)
  const opened = await (await ben()).submit(formTo(item, group, { act: 'add_item', item: course.id }), [])
  assert.match(readMain(opened), /Members \(1\).*Femi.*Opened by a group/)
  const has = async () => (await (await ada()).get(`${group.replace('/staff', '')}/items`)).json.data.length
  assert.equal(await has(), 1)
  await (await ben()).submit(formTo(opened, group, { act: 'remove_item', item: course.id }), [])
  assert.equal(await has(), 0)
  const stale = formTo(await (await ben()).open(group), group, { act: 'save' })
  await press(await ben(), group, 'save', { name: 'Summer class', description: '' })
  assert.equal((await (await ben()).submit(stale, Object.entries({ name: 'Autumn', description: '' }))).status, 412)
  assert.match(readNotice(await press(await ben(), group, 'delete')), /was deleted/)
})

test('nobody but staff opens the pages of categories, groups and products', async () => {
  for (const path of ['/staff/categories', '/staff/groups', '/staff/products', '/staff/products/new'])
    assert.equal((await (await carla()).open(path)).status, 403, path)
  for (const path of ['/staff/categories', '/staff/groups', '/staff/products/new'])
    assert.equal((await post(app.port, await carla(), path, [['act', 'add']])).status, 403, path)
})

type Fields = Readonly<Record<string, string>>

// What the choices and longer texts of new forms send.
const TEMPLATE = { text: '{name} completed {course}.', orientation: 'landscape', page_size: 'A4' }
const PROFILE = { bio: '', links: '', visibility: 'visible' }

const save = async (path: string, fields: Fields) => {
  const page = await (await ben()).open(path)
  return (await ben()).submit(formTo(page, path, { act: 'save' }), Object.entries(fields))
}

test('staff create a certificate template once, change it, give it a picture and delete it', async () => {
  const path = '/staff/certificates'
  const blank = formTo(await (await ben()).open(`${path}/new`), `${path}/new`, { act: 'save' })
  const pale = await (await ben()).submit(
    blank,
    Object.entries({ ...TEMPLATE, colors_text: '#fefefe', text: 'For {nobody}' }),
  )
  assert.equal(pale.status, 422)
  assert.match(pale.text, /id="colors_text-error"[\s\S]*For \{nobody\}|For \{nobody\}[\s\S]*id="colors_text-error"/)
  assert.match(pale.text, /id="text-error"/)
  const fields = Object.entries({ ...TEMPLATE, name: 'Of bakers', signature_name: 'Ada <b>Moreira</b>' })
  const created = await (await ben()).submit(blank, fields)
  assert.match(readNotice(created), /template was created/)
  const again = await (await ben()).submit(blank, fields)
  assert.equal(again.text.includes('Of bakers'), true)
  const named = async () =>
    (await (await ada()).get('/certificate-templates')).json.data.filter(
      ({ name }: { readonly name: string }) => name === 'Of bakers',
    )
  assert.equal((await named()).length, 1, 'a form that is sent twice creates one')
  const [{ id, text }] = await named()
  assert.equal(text, TEMPLATE.text)
  const stale = formTo(await (await ben()).open(`${path}/${id}`), `${path}/${id}`, { act: 'save' })
  assert.match(readNotice(await save(`${path}/${id}`, { ...TEMPLATE, title: 'Diploma', hours: '12' })), /was changed/)
  const refused = await (await ben()).submit(stale, Object.entries({ ...TEMPLATE, title: 'Lost?' }))
  assert.deepEqual([refused.status, /value="Lost\?"/.test(refused.text)], [412, true])
  const lie = await sendFiles(app, await ben(), formTo(refused, `${path}/${id}`, { act: 'picture' }), {
    file: { name: 'notes.txt', text: 'no picture' },
  })
  assert.equal(lie.status, 422)
  assert.match(readNotice(lie), /A picture is needed that every browser shows/)
  const phone = new Uint8Array(Buffer.from('00000018667479706865696300000000', 'hex'))
  const heic = await sendFiles(app, await ben(), formTo(lie, `${path}/${id}`, { act: 'picture' }), {
    file: { name: 'IMG_0001.HEIC', text: phone, type: 'image/heic' },
  })
  assert.match(readNotice(heic), /Save the picture as JPEG \(iPhone: Settings, Camera, Formats, Most Compatible\)/)
  const empty = await sendFiles(app, await ben(), formTo(heic, `${path}/${id}`, { act: 'picture' }), {
    file: { name: 'loaf.png', text: '', type: 'image/png' },
  })
  assert.deepEqual([empty.status, readNotice(empty)], [422, 'The file is empty: it has 0 bytes.'])
  const { json: course } = await (await ada()).write('POST', '/courses', { name: 'With a diploma' })
  await (await ada()).write('PATCH', `/courses/${course.id}`, { certificate_template_id: id })
  const used = await press(await ben(), `${path}/${id}`, 'delete')
  assert.equal(used.status, 409)
  assert.match(readNotice(used), /Courses use this template/)
  await (await ada()).write('PATCH', `/courses/${course.id}`, { certificate_template_id: null })
  assert.match(readNotice(await press(await ben(), `${path}/${id}`, 'delete')), /was deleted/)
})

test('staff create the profile of a lecturer for an account, change it and delete it', async () => {
  const path = '/staff/lecturers'
  const blank = formTo(await (await ben()).open(`${path}/new`), `${path}/new`, { act: 'save' })
  const values = { ...PROFILE, display_name: 'Femi the baker', email: 'nobody@crumb.example', bio: 'Bakes **rye**.' }
  const unknown = await (await ben()).submit(blank, Object.entries(values))
  assert.equal(unknown.status, 422)
  assert.match(unknown.text, /id="email-error">Nobody has an account/)
  assert.match(unknown.text, /Bakes \*\*rye\*\*/)
  const created = await (await ben()).submit(blank, Object.entries({ ...values, email: people.femi.email }))
  assert.match(readNotice(created), /profile was created/)
  const all = (await (await ada()).get('/lecturers')).json.data
  const {
    id,
    slug,
    member_id: member,
  } = all.find((one: { readonly display_name: string }) => one.display_name === 'Femi the baker')
  assert.equal(member, toId('mem', await readMemberId(app, 'femi')))
  const own = `${path}/${id}`
  assert.match((await save(own, { ...PROFILE, links: 'no address' })).text, /id="links-error"/)
  const hidden = await save(own, {
    ...PROFILE,
    bio: values.bio,
    links: 'My bakery https://bakery.example',
    visibility: 'hidden',
    slug: 'femi',
  })
  assert.match(readNotice(hidden), /was changed/)
  assert.match(hidden.text, /My bakery https:\/\/bakery\.example/)
  const profile = (await (await ada()).get(`/lecturers/${id}`)).json
  assert.deepEqual(
    [profile.slug, profile.visibility, profile.member_id, profile.bio],
    ['femi', 'hidden', member, 'Bakes **rye**.'],
  )
  assert.notEqual(slug, 'femi')
  assert.match(readMain(await (await ben()).open(path)), /Femi the baker Hidden/)
  assert.match(readNotice(await press(await ben(), own, 'delete')), /was deleted/)
})

test('a lecturer edits the own profile, and sees no other one', async () => {
  const path = '/staff/lecturers'
  await save(`${path}/new`, { ...PROFILE, display_name: 'Gil without an account' })
  const all = (await (await ada()).get('/lecturers')).json.data
  const { id, slug, visibility } = all.find(
    (one: { readonly display_name: string }) => one.display_name === people.carla.name,
  )
  const list = await (await carla()).open(path)
  assert.deepEqual(
    listLinks(list).filter(href => href.startsWith(`${path}/`)),
    [`${path}/${id}`],
  )
  const page = await (await carla()).open(`${path}/${id}`)
  assert.doesNotMatch(page.text, /name="(?:email|slug|visibility)"|value="delete"/)
  const form = formTo(page, `${path}/${id}`, { act: 'save' })
  const saved = await (await carla()).submit(
    form,
    Object.entries({ ...PROFILE, bio: 'Feeds it **daily**.', visibility: 'hidden' }),
  )
  assert.match(readNotice(saved), /was changed/)
  const profile = (await (await ada()).get(`/lecturers/${id}`)).json
  assert.deepEqual([profile.bio, profile.slug, profile.visibility], ['Feeds it **daily**.', slug, visibility])
  const { id: other } = all.find(
    (one: { readonly display_name: string }) => one.display_name === 'Gil without an account',
  )
  assert.equal((await (await carla()).open(`${path}/${other}`)).status, 404)
})

test('staff put lecturers in another order, one place or any, and nobody else does', async () => {
  const path = '/staff/lecturers'
  const readOrder = async () =>
    (await (await ada()).get('/lecturers?sort=position&limit=100')).json.data.map(
      ({ id }: { readonly id: string }) => id,
    )
  const before = await readOrder()
  assert.ok(before.length > 1)
  const [first, second, ...rest] = before
  const page = await (await ben()).open(path)
  const form = formTo(page, path, { lecturer: second })
  assert.match(readNotice(await (await ben()).submit(form, [['act', 'up']])), /order was changed/)
  assert.deepEqual(await readOrder(), [second, first, ...rest])
  await (await ben()).submit(form, [
    ['act', 'place'],
    ['to', String(before.length - 1)],
  ])
  assert.deepEqual(await readOrder(), [first, ...rest, second])
  await (await ben()).submit(form, [
    ['act', 'place'],
    ['to', '1'],
  ])
  assert.deepEqual(await readOrder(), before)
  assert.doesNotMatch((await (await ben()).open(`${path}?sort=display_name`)).text, /name="lecturer"/)
  assert.doesNotMatch((await (await carla()).open(path)).text, /name="lecturer"/)
  const fields = [...form.fields, ['act', 'up']] as const
  assert.equal((await post(app.port, await carla(), path, fields)).status, 403)
  assert.deepEqual(await readOrder(), before)
})
