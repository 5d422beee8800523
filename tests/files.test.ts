import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { filesPublic, useFile, usesOf } from '#src/areas/files/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { startMailbox } from '#testing/mail.ts'
import { fetched, readObjects, uploader } from '#testing/uploads.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

// The hooks that a later area implements: which resources refer to files, and who may see those.
const open = new Set<string>()
const used = new Set<string>()
filesPublic.set('test', async ({ fileIds }) => fileIds.filter(id => open.has(id)))
usesOf.set('test', async ({ fileIds }) =>
  fileIds.filter(id => used.has(id)).map(fileId => ({ fileId, kind: 'course', id: 'crs_1' })),
)

const rowId = (fileId: string): string => fromId('fil', fileId) ?? ''

const until = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + 10_000
  while (!(await condition())) {
    assert.ok(performance.now() < end, what)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const DAY = 24 * 3600

/** Lets a day of the worker begin, and waits until it has looked after every file. */
const passDay = async (seconds: number): Promise<void> => {
  await app.moveClock(seconds)
  await until('the worker looks after the files', async () => {
    const jobs = await app.database.query(
      `select from jobs where due_at <= stoa.now() + interval '1 hour' and kind in ('storage', 'file_removal')`,
    )
    return jobs.length === 0
  })
}

test('RFC 9110 one range, suffixes, HEAD, 304 and If-Range are honoured byte for byte', async () => {
  const dev = await uploader(app, 'dev')
  const bytes = randomBytes(400_000)
  const { url } = (await dev.upload(bytes)).json.file
  const head = await fetched(url, { method: 'HEAD' })
  const etag = head.headers.get('etag') ?? ''
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, '400000', 0])
  const cases: readonly (readonly [string, number, number])[] = [
    ['bytes=0-99', 0, 99],
    ['bytes=399999-', 399_999, 399_999],
    ['bytes=-1000', 399_000, 399_999],
    ['bytes=100000-999999', 100_000, 399_999],
  ]
  for (const [range, start, end] of cases) {
    const part = await fetched(url, { headers: { range } })
    assert.equal(part.status, 206, range)
    assert.equal(part.headers.get('content-range'), `bytes ${start}-${end}/400000`)
    assert.ok(part.bytes.equals(bytes.subarray(start, end + 1)), range)
  }
  const outside = await fetched(url, { headers: { range: 'bytes=400000-' } })
  assert.deepEqual([outside.status, outside.headers.get('content-range')], [416, 'bytes */400000'])
  for (const range of ['bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2'])
    assert.equal((await fetched(url, { headers: { range } })).status, 200, range)
  const range = 'bytes=0-9'
  assert.equal((await fetched(url, { headers: { range, 'if-range': etag } })).status, 206)
  assert.equal((await fetched(url, { headers: { range, 'if-range': '"other"' } })).bytes.length, 400_000)
  const cached = await fetched(url, { headers: { 'if-none-match': etag } })
  assert.deepEqual([cached.status, cached.bytes.length], [304, 0])
})

test('I-01 I-02 a page, a script and a drawing are handed over in a sandbox, never shown', async () => {
  const dev = await uploader(app, 'dev')
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><foreignObject/></svg>'
  const active = [
    ['text/html', '<!doctype html><script>alert(1)</script>'],
    ['image/svg+xml', svg],
    ['image/svg+xml', `<?xml version="1.0"?>${svg}`],
    ['text/javascript', 'alert(1)'],
    ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ] as const
  for (const [type, text] of active) {
    const { json } = await dev.upload(Buffer.from(text), { filename: 'a.png', content_type: type })
    assert.equal(json.status, 'ready', type)
    const { headers } = await fetched(json.file.url)
    assert.equal(headers.get('content-type'), type)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-disposition') ?? '', /^attachment; /)
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox;/)
  }
  for (const claimed of ['image/png', 'application/pdf', 'video/mp4'])
    assert.equal((await dev.upload(Buffer.from(svg), { content_type: claimed })).json.status, 'rejected', claimed)
})

test('I-09 a guessed, edited or expired link, or one of another file, school or removed member, opens nothing', async () => {
  const [dev, eli] = await Promise.all([uploader(app, 'dev'), uploader(app, 'eli')])
  const [mine, theirs] = await Promise.all([dev.upload(Buffer.from('mine')), eli.upload(Buffer.from('theirs'))])
  const url = new URL(mine.json.file.url)
  const other = new URL(theirs.json.file.url)
  const status = async (edit: (at: URL) => void, init: RequestInit = {}) => {
    const at = new URL(url)
    edit(at)
    return (await fetched(at.href, init)).status
  }
  const set = (name: string, value: string) => (at: URL) => at.searchParams.set(name, value)
  assert.equal(await status(() => undefined), 200)
  const edits = [
    (at: URL) => void Object.assign(at, { search: '' }),
    set('expires', String(Number(url.searchParams.get('expires')) + 3600)),
    set('member', other.searchParams.get('member') ?? ''),
    set('member', 'anyone'),
    set('signature', other.searchParams.get('signature') ?? ''),
    (at: URL) => void Object.assign(at, { pathname: other.pathname }),
    (at: URL) => void Object.assign(at, { pathname: at.pathname.replace('loaf.txt', 'other.txt') }),
    (at: URL) => void Object.assign(at, { pathname: '/files/fil_00000000000000000000000000/loaf.txt' }),
    (at: URL) => void Object.assign(at, { pathname: '/files/..%2f..%2fsecret/loaf.txt' }),
  ]
  for (const [index, edit] of edits.entries()) assert.equal(await status(edit), 404, `edit ${index}`)
  for (const method of ['PUT', 'POST', 'DELETE']) assert.equal(await status(() => undefined, { method }), 405, method)
  const bearer = { headers: { authorization: `Bearer ${dev.token}` } }
  assert.equal(await status(edits[0] ?? (() => undefined), bearer), 404, 'a token opens nothing here')
  const inB = await app.send({ path: `${url.pathname}${url.search}` }, app.b)
  assert.equal(inB.status, 404)
  await app.database.query(`update members set status = 'suspended' where email = 'dev@crumb.example'`)
  assert.equal(await status(() => undefined), 404, 'who is kept out keeps no link')
  await app.database.query(`update members set status = 'active' where email = 'dev@crumb.example'`)
  assert.equal(await status(() => undefined), 200)
  await app.moveClock(2 * 3600)
  assert.equal(await status(() => undefined), 404, 'it has ended')
  await app.moveClock(-2 * 3600)
})

test('I-09 a removed file is unavailable to everybody, and its bytes are deleted', async () => {
  const dev = await uploader(app, 'dev')
  const { json } = await dev.upload(Buffer.from('gone soon'))
  const [{ key } = { key: '' }] = await app.database.query<{ key: string }>(
    'select object_key as key from uploads where id = $1',
    [rowId(json.file.file_id)],
  )
  const object = key.slice(app.a.id.length + 1)
  assert.ok((await readObjects(app)).includes(object), key)
  assert.equal((await dev.write('DELETE', `/uploads/${json.id}`)).status, 204)
  assert.equal((await fetched(json.file.url)).status, 404)
  assert.equal((await dev.get(`/uploads/${json.id}`)).status, 404)
  await until('its object is removed', async () => !(await readObjects(app)).includes(object))
})

test('a file that something public refers to is open to all, and cannot be removed while it is used', async () => {
  const dev = await uploader(app, 'dev')
  const { json } = await dev.upload(Buffer.from('a public loaf'))
  const id = rowId(json.file.file_id)
  const plain = json.file.url.split('?')[0]
  assert.equal((await fetched(plain)).status, 404)
  open.add(id)
  used.add(id)
  const shown = (await dev.get(`/uploads/${json.id}`)).json.file
  assert.deepEqual([shown.url, shown.url_expires_at], [plain, null])
  const got = await fetched(plain)
  assert.deepEqual([got.status, got.headers.get('cache-control')], [200, 'public, max-age=0, must-revalidate'])
  const refused = await dev.write('DELETE', `/uploads/${json.id}`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'file_in_use'])
  assert.deepEqual(refused.json.used_by, [{ kind: 'course', id: 'crs_1' }])
  assert.equal((await fetched(plain)).status, 200, 'it stays')
  open.delete(id)
  assert.equal((await fetched(plain)).status, 404)
  assert.equal((await fetched(json.file.url)).status, 200)
  used.delete(id)
})

test('F-04 an area accepts only files of its school that are ready, for its purpose and of the person', async () => {
  const [dev, other] = await Promise.all([uploader(app, 'dev'), uploader(app, 'ada', app.b)])
  const [mine, theirs] = await Promise.all([dev.upload(Buffer.from('mine')), other.upload(Buffer.from('theirs'))])
  const announced = await dev.announce({})
  const database = openDatabase(app.database.appUrl)
  const take = (id: string, more: object = {}) =>
    database
      .transaction(app.a.id, db =>
        useFile({ db, school: app.a }, { id, pointer: '/file_id', purposes: ['submission'], ...more }),
      )
      .catch((error: unknown) => (error instanceof Refusal ? error.problem.code : String(error)))
  const id = rowId(mine.json.file.file_id)
  const bad = [theirs.json.file.file_id, announced.json.id.replace('upl', 'fil'), toId('fil', newUuid(0))].map(rowId)
  for (const one of bad) assert.equal(await take(one), 'invalid_body')
  assert.equal(await take(id, { purposes: ['course'] }), 'invalid_body')
  assert.equal(await take(id, { memberId: app.a.id }), 'invalid_body')
  assert.ok((await dev.get('/uploads')).text.includes(mine.json.id))
  assert.equal(await take(id), id)
  assert.ok(!(await dev.get('/uploads')).text.includes(mine.json.id), 'what is used is not listed any more')
  await database.close()
})

test('an image is measured upright, and resized to three widths on first request', async () => {
  const dev = await uploader(app, 'dev')
  const drawn = { create: { width: 1500, height: 900, channels: 3, background: '#c80' } } as const
  const jpeg = await sharp(drawn).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const { json } = await dev.upload(jpeg, { filename: 'loaf.jpg', content_type: 'image/jpeg', purpose: 'avatar' })
  assert.deepEqual(json.image, { width: 900, height: 1500, is_animated: false })
  const whole = await fetched(json.file.url)
  assert.match(whole.headers.get('content-disposition') ?? '', /^inline; /)
  assert.equal(whole.headers.get('content-security-policy'), null)
  const sizes = await Promise.all(
    [320, 640, 1280, 320].map(async width => {
      const { status, headers, bytes } = await fetched(`${json.file.url}&width=${width}`)
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp'])
      const { width: wide, height } = await sharp(bytes).metadata()
      return [wide, height]
    }),
  )
  assert.deepEqual(sizes, [
    [320, 533],
    [640, 1067],
    [900, 1500],
    [320, 533],
  ])
  const signed = await fetched(`${json.file.url}&width=320`)
  assert.equal(signed.headers.get('cache-control'), 'private, max-age=0, must-revalidate', 'a link may end')
  open.add(rowId(json.file.file_id))
  const shown = await fetched(`${json.file.url.split('?')[0]}?width=320`)
  assert.equal(shown.headers.get('cache-control'), 'public, max-age=2592000, s-maxage=3600, immutable')
  open.delete(rowId(json.file.file_id))
  const keys = (await readObjects(app)).filter(key => key.startsWith('variants/'))
  assert.equal(keys.length, 3)
  for (const width of ['321', '0', '-1', '1e3', 'x'])
    assert.equal((await fetched(`${json.file.url}&width=${width}`)).status, 400, width)
  const text = await dev.upload(Buffer.from('no image'))
  assert.equal((await fetched(`${text.json.file.url}&width=320`)).status, 400)
  await dev.write('DELETE', `/uploads/${json.id}`)
  await until('the widths go with it', async () => {
    const left = await readObjects(app)
    return !left.some(key => key.startsWith('variants/'))
  })
})

test('abandoned uploads are deleted after a day, unused files after thirty, and objects without a row too', async () => {
  const dev = await uploader(app, 'dev')
  const started = await dev.announce({ byte_size: 9 })
  await dev.put(started.json.id, Buffer.from('half'))
  const [kept, unused] = [await dev.upload(Buffer.from('kept')), await dev.upload(Buffer.from('unused'))]
  used.add(rowId(kept.json.file.file_id))
  async function* once() {
    yield Buffer.from('lost')
  }
  const lost = `${app.a.id}/files/00/00000000-0000-7000-8000-00000000abcd`
  const part = `${app.a.id}/incoming/unfinished/00000000-0000-7000-8000-00000000abcd`
  for (const key of [lost, part]) await app.files.store.put(key, once(), 4)
  const there = async (id: string) =>
    (await app.database.query('select from uploads where id = $1', [fromId('upl', id)])).length === 1
  await passDay(DAY + 60)
  assert.deepEqual([await there(started.json.id), await there(unused.json.id)], [false, true])
  assert.equal(await app.files.store.find(lost), undefined, 'an object that nothing names goes')
  const missing = await app.database.query('select from uploads where missing_since is not null')
  assert.ok(missing.length > 0, 'files whose bytes never were are noted')
  await passDay(DAY + 60)
  assert.equal(await app.files.store.find(part), undefined)
  await passDay(30 * DAY)
  assert.deepEqual([await there(unused.json.id), await there(kept.json.id)], [false, true])
  used.delete(rowId(kept.json.file.file_id))
  await passDay(DAY + 60)
  assert.equal(await there(kept.json.id), true, 'thirty days begin when the last reference is gone')
  await passDay(31 * DAY)
  assert.equal(await there(kept.json.id), false)
  const [{ bytes } = { bytes: '' }] = await app.database.query<{ bytes: string }>(
    'select bytes from storage_totals where school_id = $1',
    [app.a.id],
  )
  const [{ sum } = { sum: '' }] = await app.database.query<{ sum: string }>(
    `select coalesce(sum(byte_size), 0) as sum from uploads where school_id = $1 and status in ('created', 'received', 'ready')`,
    [app.a.id],
  )
  assert.equal(bytes, sum, 'room is counted exactly')
})

test('an erased person leaves neither picture nor unused file, in no row and no folder', async () => {
  const [eli, ada] = await Promise.all([
    uploader(app, 'eli'),
    app.actor('ada', { scopes: ['members:read', 'members:write', 'school:read'] }),
  ])
  const marker = `marker-${randomBytes(8).toString('hex')}`
  const filed = await eli.upload(Buffer.from(marker), { filename: `${marker}.txt` })
  const drawn = { create: { width: 20, height: 20, channels: 3, background: '#c80' } } as const
  const avatar = await eli.upload(await sharp(drawn).png().toBuffer(), { content_type: 'image/png', purpose: 'avatar' })
  used.add(rowId(avatar.json.file.file_id))
  const { json } = await ada.get('/members?email=eli@crumb.example')
  const usage = await ada.get('/school/usage')
  assert.ok(usage.json.areas.storage.bytes > 0 && usage.json.areas.storage.quota_bytes === 10_000_000_000)
  const reply = await ada.write('POST', `/members/${json.data[0].id}/erasure`)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  for (const one of [filed, avatar]) assert.equal((await fetched(one.json.file.url)).status, 404)
  await until('their objects go', async () => {
    const rows = await app.database.query(`select from uploads where filename like $1 or status = 'gone'`, [
      `%${marker}%`,
    ])
    return rows.length === 0
  })
  for (const key of await readObjects(app)) {
    const chunks: Uint8Array[] = []
    for await (const chunk of app.files.store.read(`${app.a.id}/${key}`)) chunks.push(chunk)
    assert.ok(!Buffer.concat(chunks).includes(marker), key)
  }
})
