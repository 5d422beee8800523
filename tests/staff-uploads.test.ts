// One thing: files that a page of the console sends before its form, and forms that come back with the files that they had.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { testApp } from '#testing/app.ts'
import { listSent } from '#testing/controls.ts'
import type { TestReply } from '#testing/http.ts'
import { type NamedFile, openUploads, type PageUploads } from '#testing/page-uploads.ts'

const app = testApp()

const drawPicture = async (name = 'loaf.png', background = '#884422'): Promise<NamedFile> => ({
  name,
  type: 'image/png',
  bytes: await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer(),
})

const countUploads = async (): Promise<number> =>
  Number((await app.database.query(`select count(*) as n from uploads where status <> 'gone'`))[0]?.n)

/** A new course, with the form of its picture. */
const openCourse = async (ada: PageUploads, name: string) => {
  const actor = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { json } = await actor.write('POST', '/courses', { name })
  const path = `/staff/courses/${json.id}/details`
  const fields = { ...Object.fromEntries(listSent(await ada.browser.open(path), path)), act: 'picture' }
  const readImage = async () => (await actor.get(`/courses/${json.id}`)).json.image
  return { path, fields, readImage }
}

const describeUpload = (id: string, { name, bytes }: NamedFile): string => `${id} ${bytes.length} ${name}`

test('a file is announced, sent in pieces and completed, and its form has only its id', async () => {
  const ada = await openUploads(app, 'ada')
  const picture = await drawPicture()
  const { json } = await ada.announce(picture, 'course')
  assert.deepEqual([json.status, json.received, json.is_resumable], ['created', 0, true])
  const [size, half] = [picture.bytes.length, 50]
  const first = await ada.sendPiece(json.id, picture.bytes.subarray(0, half), `bytes 0-${half - 1}/${size}`)
  assert.equal(first.json.received, half)
  const again = await ada.sendPiece(json.id, picture.bytes.subarray(0, half), `bytes 0-${half - 1}/${size}`)
  assert.deepEqual([again.status, again.json.received], [409, half], 'the page is told where to go on')
  assert.equal((await ada.get(`/staff/uploads/${json.id}`)).json.received, half)
  await ada.sendPiece(json.id, picture.bytes.subarray(half), `bytes ${half}-${size - 1}/${size}`)
  const done = await ada.post(`/staff/uploads/${json.id}`, { act: 'complete' })
  assert.equal(done.json.status, 'ready')
  assert.match(done.json.picture, /width=320$/)
  const { path, fields, readImage } = await openCourse(ada, 'With a picture')
  const sent = await ada.post(path, { ...fields, 'upload.file': describeUpload(json.id, picture) })
  assert.equal(sent.status, 303, sent.text)
  assert.equal((await readImage()).name, 'loaf.png')
})

test('an upload of somebody else, of another school, for another purpose or of nothing goes into no form', async () => {
  const [ada, carla, elsewhere] = await Promise.all([
    openUploads(app, 'ada'),
    openUploads(app, 'carla'),
    openUploads(app, 'ada', app.b),
  ])
  const picture = await drawPicture()
  const { path, fields, readImage } = await openCourse(ada, 'Without a picture')
  const unfinished = (await ada.announce(picture, 'course')).json.id
  const others = [
    await carla.upload(picture, 'course'),
    await elsewhere.upload(picture, 'course'),
    await ada.upload(picture, 'post'),
    unfinished,
    `upl_${'0'.repeat(26)}`,
    `fil_${'0'.repeat(26)}`,
  ]
  for (const id of others) {
    const sent = await ada.post(
      path,
      { ...fields, 'upload.file': describeUpload(id, picture) },
      { accept: 'text/html' },
    )
    assert.equal(sent.status, 422, `${id} ${sent.status}`)
    assert.equal(await readImage(), null, id)
  }
  const foreign = [
    () => carla.get(`/staff/uploads/${unfinished}`),
    () => carla.sendPiece(unfinished, Buffer.from('x'), `bytes 0-0/${picture.bytes.length}`),
    () => carla.post(`/staff/uploads/${unfinished}`, { act: 'complete' }),
    () => carla.post(`/staff/uploads/${unfinished}`, { act: 'delete' }),
    () => elsewhere.get(`/staff/uploads/${unfinished}`),
  ]
  for (const ask of foreign) assert.equal((await ask()).status, 404)
  assert.equal((await ada.get(`/staff/uploads/${unfinished}`)).json.received, 0)
})

test('nobody else stores a byte: members, other sites, forms without the token, who is signed out', async () => {
  const [ada, dev] = await Promise.all([openUploads(app, 'ada'), openUploads(app, 'dev')])
  const picture = await drawPicture()
  const { id } = (await ada.announce(picture, 'course')).json
  const before = await countUploads()
  const range = `bytes 0-${picture.bytes.length - 1}/${picture.bytes.length}`
  const cases: readonly (readonly [string, number, () => Promise<TestReply>])[] = [
    ['a member announces', 403, () => dev.announce(picture, 'course')],
    ['a member announces work', 403, () => dev.announce(picture, 'submission')],
    ['a member sends', 403, () => dev.sendPiece(id, picture.bytes, range)],
    ['another site announces', 403, () => ada.post('/staff/uploads', {}, { origin: 'https://evil.example' })],
    [
      'another site sends',
      403,
      () => ada.postFile(`/staff/uploads/${id}/content`, { range }, picture, { 'sec-fetch-site': 'cross-site' }),
    ],
    ['no token', 403, () => ada.announce(picture, 'course', { token: '' })],
    ['the token of another', 403, () => ada.announce(picture, 'course', { token: dev.token })],
    ['a piece without a token', 403, () => ada.sendPiece(id, picture.bytes, range, { token: '' })],
    ['a piece with the token of another', 403, () => ada.sendPiece(id, picture.bytes, range, { token: dev.token })],
    [
      'a piece of who is signed out',
      403,
      () => ada.postFile(`/staff/uploads/${id}/content`, { range }, picture, { cookie: '' }),
    ],
    ['who is signed out', 303, () => ada.post('/staff/uploads', {}, { cookie: '' })],
    ['a purpose of staff by a lecturer', 403, async () => (await openUploads(app, 'carla')).announce(picture, 'page')],
  ]
  for (const [what, status, ask] of cases) assert.equal((await ask()).status, status, what)
  assert.equal(await countUploads(), before)
  assert.equal((await ada.get(`/staff/uploads/${id}`)).json.received, 0)
})

test('a file that lies about its kind, is too large or exceeds the quota is refused in words', async () => {
  const ada = await openUploads(app, 'ada')
  const lie: NamedFile = { name: 'loaf.png', type: 'image/png', bytes: Buffer.from('This is no picture at all.') }
  const { id } = (await ada.announce(lie, 'course')).json
  await ada.sendPiece(id, lie.bytes, `bytes 0-${lie.bytes.length - 1}/${lie.bytes.length}`)
  const done = await ada.post(`/staff/uploads/${id}`, { act: 'complete' })
  assert.deepEqual(
    [done.status, done.json.error],
    [422, 'The content of the file is not of the type that its name says.'],
  )
  const large = await ada.post('/staff/uploads', {
    name: 'a.mp4',
    type: 'video/mp4',
    bytes: '100000001',
    purpose: 'post',
  })
  assert.deepEqual([large.status, large.json.error], [422, 'The file is too large.'])
  await app.database.query('update schools set storage_quota = 10 where id = $1', [app.a.id])
  const full = await ada.announce(lie, 'course')
  await app.database.query('update schools set storage_quota = default where id = $1', [app.a.id])
  assert.deepEqual(
    [full.status, full.json.error],
    [409, 'The file is larger than what is left of the storage of the school.'],
  )
})

test('a form that is refused keeps its files, however they came', async () => {
  const ada = await openUploads(app, 'ada')
  const { path, fields, readImage } = await openCourse(ada, 'Twice')
  const picture = await drawPicture('kept.png')
  const refused = await ada.postFile(path, { ...fields, revision: '99' }, picture, { accept: 'text/html' })
  assert.equal(refused.status, 412)
  const [, name, value = ''] =
    /<input type="checkbox" name="(upload\.file)" value="([^"]+)" form="details" checked>/.exec(refused.text) ?? []
  assert.equal(name, 'upload.file', refused.text)
  assert.match(value, /^upl_\w{26} \d+ kept\.png$/)
  const again = await ada.post(path, { ...fields, revision: '99', 'upload.file': value }, { accept: 'text/html' })
  assert.ok(again.text.includes(`value="${value}" form="details" checked`), 'and keeps them again')
  const sent = await ada.post(path, { ...fields, 'upload.file': value })
  assert.equal(sent.status, 303)
  assert.equal((await readImage()).name, 'kept.png')
})

test('without scripts a file of the library is chosen on a page of its own, and what was typed comes back', async () => {
  const ada = await openUploads(app, 'ada')
  const library = await drawPicture('shelf.png')
  const id = await ada.upload(library, 'course')
  const { path, fields, readImage } = await openCourse(ada, 'From the shelf')
  const choose = `/staff/files/choose?${new URLSearchParams({ purpose: 'course', field: 'file', kind: 'picture' })}`
  const led = await ada.post(path, { ...fields, choose })
  assert.equal(led.status, 303)
  const { location = '' } = led.headers
  assert.ok(location.startsWith(`${choose}&return_to=`), location)
  const page = await ada.browser.open(location)
  const link = [...page.text.matchAll(/href="([^"]+)" data-file="fil_(\w+)/g)].find(([, , one]) =>
    id.endsWith(one ?? '-'),
  )
  const back = await ada.browser.open((link?.[1] ?? '').replaceAll('&amp;', '&'))
  assert.match(back.text, /id="kept"[^>]*><p>The file is in the form/)
  const [, name = '', value = ''] = /name="(upload\.file)" value="([^"]+)" form="details"/.exec(back.text) ?? []
  const sent = await ada.post(path, { ...Object.fromEntries(listSent(back, path)), [name]: value, act: 'picture' })
  assert.equal(sent.status, 303)
  assert.equal((await readImage()).name, 'shelf.png')
  const elsewhere = await ada.post(
    path,
    { ...fields, choose: 'https://evil.example/staff/files/choose?' },
    { accept: 'text/html' },
  )
  assert.equal(elsewhere.status, 422, 'and to no other address')
})

test('of a form that is sent twice at once one writes, and both name the same file', async () => {
  const ada = await openUploads(app, 'ada')
  const picture = await drawPicture('once.png')
  const { path, fields, readImage } = await openCourse(ada, 'At once')
  const value = describeUpload(await ada.upload(picture, 'course'), picture)
  const sent = await Promise.all(
    [1, 2].map(() => ada.post(path, { ...fields, 'upload.file': value }, { accept: 'text/html' })),
  )
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 412])
  assert.equal((await readImage()).name, 'once.png')
})
