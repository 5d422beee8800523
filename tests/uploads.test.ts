import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { nobodysId, sumOfRows } from '#testing/matrix.ts'
import { withinASecond } from '#testing/oauth.ts'
import { fetched, readObjects, uploader } from '#testing/uploads.ts'

const app = testApp()

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const roomTaken = async (): Promise<number> =>
  Number(
    (
      await app.database.query<{ bytes: string }>('select bytes from storage_totals where school_id = $1', [app.a.id])
    )[0]?.bytes,
  )

/** Sends parts of a body one by one, without its length, and disconnects when it is told to. */
const sendPieces = async (
  token: string,
  id: string,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  options: { readonly leaves?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<number> => {
  const { headers = { 'transfer-encoding': 'chunked' } } = options
  const outgoing = request({
    host: '127.0.0.1',
    port: app.port,
    method: 'PUT',
    path: `/api/v1/uploads/${id}/content`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  outgoing.on('error', () => undefined)
  let isOver = false
  const answered = new Promise<number>(resolve => {
    outgoing.on('response', answer => resolve(answer.resume().statusCode ?? 0))
    outgoing.on('close', () => resolve(0))
  }).finally(() => {
    isOver = true
  })
  for await (const piece of pieces) {
    if (isOver) break
    if (!outgoing.write(piece)) await Promise.race([once(outgoing, 'drain'), answered])
  }
  if (options.leaves === true) outgoing.destroy()
  else outgoing.end()
  return answered
}

/** The content of the store for an upload that is not complete. */
const readPieces = async (id: string): Promise<string[]> =>
  (await readObjects(app)).filter(key => key.startsWith(`incoming/${fromId('upl', id)}/`))

test('a file is uploaded in parts and downloaded byte for byte, with its name, type and checksum', async () => {
  const dev = await uploader(app, 'dev')
  const bytes = randomBytes(3_000_000)
  const { json, status, text } = await dev.upload(bytes, { filename: 'Pão de centeio.bin', sha256: sha256(bytes) })
  assert.equal(status, 200, text)
  assert.deepEqual(
    [json.status, json.sha256, json.filename, json.byte_size],
    ['ready', sha256(bytes), 'Pão de centeio.bin', bytes.length],
  )
  const got = await fetched(json.file.url)
  assert.equal(got.status, 200)
  assert.ok(got.bytes.equals(bytes))
  assert.equal(
    (await readObjects(app)).filter(key => key.startsWith('incoming/')).length,
    0,
    'nothing is left on the way',
  )
  const again = await dev.complete(json.id)
  // A link that is created in the next hour ends an hour later.
  const withoutLink = ({ file: { url: _url, url_expires_at: _until, ...file }, ...upload }: typeof json) => ({
    ...upload,
    file,
  })
  assert.deepEqual(withoutLink(again.json), withoutLink(json), 'asked again it is the same file')
})

test('an upload continues where the connection broke, and from no other byte', async () => {
  const dev = await uploader(app, 'dev')
  const bytes = randomBytes(2_000_000)
  const { json } = await dev.announce({ byte_size: bytes.length, sha256: sha256(bytes) })
  await sendPieces(dev.token, json.id, [bytes.subarray(0, 1_200_000)], { leaves: true })
  let at = 0
  for (let tries = 0; at === 0 && tries < 200; tries++) {
    at = (await dev.get(`/uploads/${json.id}`)).json.received_bytes
    if (at === 0) await new Promise(resolve => setTimeout(resolve, 25))
  }
  assert.ok(at > 0 && at <= 1_200_000, `${at} bytes were received`)
  const early = await dev.complete(json.id)
  assert.deepEqual([early.status, early.json.code], [409, 'invalid_state'])
  const range = (start: number, end: number) => ({ 'content-range': `bytes ${start}-${end}/${bytes.length}` })
  const wrong = await dev.put(json.id, bytes.subarray(0, 10), range(0, 9))
  assert.deepEqual([wrong.status, wrong.json.code, wrong.json.received_bytes], [409, 'invalid_offset', at])
  for (const bad of ['bytes 0-1/9', 'bytes 5-2/2000000', 'octets 0-1/2', 'bytes 0-2000000/2000000'])
    assert.equal((await dev.put(json.id, bytes.subarray(0, 2), { 'content-range': bad })).status, 400, bad)
  const middle = at + 300_000
  assert.equal((await dev.put(json.id, bytes.subarray(at, middle), range(at, middle - 1))).status, 200)
  const last = await dev.put(json.id, bytes.subarray(middle), range(middle, bytes.length - 1))
  assert.deepEqual([last.status, last.json.status], [200, 'received'], last.text)
  const done = await dev.complete(json.id)
  assert.equal(done.json.status, 'ready', done.text)
  assert.ok((await fetched(done.json.file.url)).bytes.equals(bytes))
})

test('I-05 more bytes than announced are refused, with or without a length, and none is stored', async () => {
  const dev = await uploader(app, 'dev')
  const { json } = await dev.announce({ byte_size: 1000 })
  const objects = await readObjects(app)
  assert.equal((await dev.put(json.id, Buffer.alloc(1_000_000))).status, 413)
  function* endless() {
    for (;;) yield Buffer.alloc(65_536)
  }
  const status = await sendPieces(dev.token, json.id, endless())
  assert.ok(status === 413 || status === 0, `${status}`)
  const { received_bytes: received, status: state } = (await dev.get(`/uploads/${json.id}`)).json
  assert.deepEqual([received, state], [0, 'created'])
  assert.deepEqual(await readObjects(app), objects)
})

test('I-05 one byte a second is ended after ten', { timeout: 40_000 }, async () => {
  const dev = await uploader(app, 'dev')
  const { json } = await dev.announce({ byte_size: 1000 })
  async function* drops() {
    for (let sent = 0; sent < 30; sent++) {
      yield Buffer.alloc(1)
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }
  const began = performance.now()
  const status = await sendPieces(dev.token, json.id, drops())
  assert.ok(status === 408 || status === 0, `${status}`)
  assert.ok(performance.now() - began < 25_000)
})

test('I-05 one of two concurrent transfers is stored completely, and the bytes of the other are deleted', async () => {
  const dev = await uploader(app, 'dev')
  const both = [Buffer.alloc(500_000, 1), Buffer.alloc(500_000, 2)]
  const { json } = await dev.announce({ byte_size: 500_000 })
  const replies = await Promise.all(both.map(bytes => dev.put(json.id, bytes)))
  for (const { status, json: body } of replies) assert.ok(status === 200 || body.code === 'invalid_state')
  const [done, again] = await Promise.all([dev.complete(json.id), dev.complete(json.id)])
  assert.equal(done?.json.status, 'ready', done?.text)
  assert.equal(again?.json.status, 'ready', again?.text)
  const { bytes } = await fetched(done?.json.file.url)
  assert.ok(
    both.some(one => one.equals(bytes)),
    'the bytes of one of them',
  )
  assert.deepEqual(await readPieces(json.id), [])
})

test('I-05 a request that restarts a file replaces all bytes that arrived after it was sent, and leaves none of them', async () => {
  const dev = await uploader(app, 'dev')
  const { json } = await dev.announce({ byte_size: 200_000 })
  const [slow, quick] = [Buffer.alloc(100_000, 1), Buffer.alloc(200_000, 2)]
  async function* around() {
    yield slow
    const end = performance.now() + 10_000
    while (!(await readObjects(app)).some(key => key.startsWith('incoming/unfinished/')))
      assert.ok(performance.now() < end, 'the server waits for the rest')
    assert.equal((await dev.put(json.id, quick)).status, 200)
    assert.equal((await readPieces(json.id)).length, 1)
    yield slow
  }
  assert.equal(await sendPieces(dev.token, json.id, around()), 200)
  assert.equal((await readPieces(json.id)).length, 1, 'what was sent meanwhile is gone')
  const done = await dev.complete(json.id)
  assert.deepEqual((await fetched(done.json.file.url)).bytes, Buffer.concat([slow, slow]))
  assert.deepEqual(await readPieces(json.id), [])
})

test('a file that is not what was announced is rejected with the reason, and uses no quota', async () => {
  const dev = await uploader(app, 'dev')
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const before = { room: await roomTaken(), objects: await readObjects(app) }
  const rejected = [
    ['type_mismatch', await dev.upload(html, { filename: 'loaf.png', content_type: 'image/png' })],
    ['wrong_checksum', await dev.upload(html, { sha256: sha256(Buffer.from('other')) })],
    ['unreadable_image', await dev.upload(Buffer.concat([PNG, html]), { content_type: 'image/png' })],
  ] as const
  for (const [reason, { status, json }] of rejected) {
    assert.deepEqual([status, json.status, json.rejected_for], [200, 'rejected', reason])
    assert.equal(json.file, undefined)
    assert.equal((await dev.put(json.id, html)).json.code, 'invalid_state', 'a rejected upload takes no more bytes')
  }
  assert.deepEqual({ room: await roomTaken(), objects: await readObjects(app) }, before)
})

// The first bytes of a picture, and its size.
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const pngSaying = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const rows = deflateSync(Buffer.alloc(1000))
  return Buffer.concat([PNG.subarray(0, 8), chunk('IHDR', size), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

test('I-07 a picture that would unpack to billions of pixels is rejected unopened, and an archive is never opened', async () => {
  const dev = await uploader(app, 'dev')
  const bomb = await dev.upload(pngSaying(50_000, 50_000), { content_type: 'image/png', purpose: 'avatar' })
  assert.deepEqual([bomb.json.status, bomb.json.rejected_for], ['rejected', 'too_many_pixels'])
  const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), randomBytes(500)])
  const kept = await dev.upload(zip, { filename: 'a.zip', content_type: 'application/zip' })
  assert.equal(kept.json.status, 'ready', kept.text)
  const got = await fetched(kept.json.file.url)
  assert.match(String(got.headers.get('content-disposition')), /^attachment;/)
  assert.ok(got.bytes.equals(zip))
})

test('a request without a body, or with an empty one, is refused and takes nothing away', async () => {
  const dev = await uploader(app, 'dev')
  const { id } = (await dev.announce({ byte_size: 6 })).json
  const range = (from: number) => ({ 'content-range': `bytes ${from}-5/6` })
  const empty = async (headers = {}) => {
    const { status, json } = await dev.put(id, Buffer.alloc(0), headers)
    assert.deepEqual([status, json.code], [400, 'invalid_request'])
  }
  await empty()
  await empty(range(0))
  assert.equal(await sendPieces(dev.token, id, []), 400)
  assert.equal((await dev.put(id, Buffer.from('Rye'), { 'content-range': 'bytes 0-2/6' })).json.received_bytes, 3)
  await empty(range(3))
  await empty()
  assert.equal((await dev.put(id, Buffer.from('men'), range(3))).json.received_bytes, 6)
  assert.equal((await dev.complete(id)).json.status, 'ready')
})

test('I-04 J-04 hostile names are stored as plain text, under our own key, and are returned in one header', async () => {
  const dev = await uploader(app, 'dev')
  for (const filename of [
    '../../etc/passwd',
    'a";x="\r\nSet-Cookie: a=b',
    'CON',
    'é'.repeat(300),
    'a\u202Eb.txt',
    '..',
  ]) {
    const { json } = await dev.upload(Buffer.from('Rye'), { filename })
    assert.ok(!/[/\\\r\n"]/.test(json.filename) && Buffer.byteLength(json.filename) <= 150, json.filename)
    const { status, headers } = await fetched(json.file.url)
    assert.equal(status, 200, json.file.url)
    assert.equal(headers.get('set-cookie'), null)
    const encoded = headers.get('content-disposition')?.split("filename*=UTF-8''")[1] ?? ''
    assert.equal(decodeURIComponent(encoded), json.filename)
  }
  const refused = await dev.announce({ filename: 'a\u0000b' })
  assert.equal(refused.status, 422)
  for (const key of await readObjects(app)) assert.match(key, /^(?:files\/[0-9a-f]{2}|incoming)\/[0-9a-f-]{36}/)
})

test('the quota is never exceeded by parallel uploads, and deleted files free it', async () => {
  const dev = await uploader(app, 'dev')
  const room = await roomTaken()
  await app.database.query('update schools set storage_quota = $1 where id = $2', [room + 3500, app.a.id])
  const replies = await Promise.all(Array.from({ length: 12 }, () => dev.announce({ byte_size: 1000 })))
  const created = replies.filter(({ status }) => status === 201)
  assert.equal(created.length, 3)
  for (const { status, json } of replies)
    if (status !== 201) assert.deepEqual([status, json.code], [409, 'quota_exceeded'])
  assert.equal(await roomTaken(), room + 3000)
  const [first] = created
  assert.equal((await dev.write('DELETE', `/uploads/${first?.json.id}`)).status, 204)
  assert.equal(await roomTaken(), room + 2000)
  assert.equal((await dev.write('DELETE', `/uploads/${first?.json.id}`)).status, 404)
  assert.equal(await roomTaken(), room + 2000, 'room comes back once')
  assert.equal((await dev.announce({ byte_size: 1000 })).status, 201)
  await app.database.query('update schools set storage_quota = 10000000000')
})

test('each purpose has its people, size and types', async () => {
  const [dev, carla, ben] = await Promise.all([uploader(app, 'dev'), uploader(app, 'carla'), uploader(app, 'ben')])
  const input = (purpose: string) => ({ purpose, byte_size: 1000, content_type: 'image/png' })
  const statuses = async (purpose: string) =>
    Promise.all([dev, carla, ben].map(async one => (await one.announce(input(purpose))).status))
  assert.deepEqual(await statuses('avatar'), [201, 201, 201])
  assert.deepEqual(await statuses('submission'), [201, 201, 201])
  assert.deepEqual(await statuses('course'), [403, 201, 201])
  for (const purpose of ['post', 'event']) assert.deepEqual(await statuses(purpose), [403, 201, 201], purpose)
  for (const purpose of ['page', 'product', 'plan', 'appearance'])
    assert.deepEqual(await statuses(purpose), [403, 403, 201], purpose)
  // Nobody uploads these as a member.
  for (const purpose of ['form', 'invoice', 'export'])
    assert.deepEqual(await statuses(purpose), [422, 422, 422], purpose)
  const large = await dev.announce({ ...input('avatar'), byte_size: 5_000_001 })
  assert.deepEqual([large.status, large.json.errors[0].pointer], [422, '/byte_size'])
  for (const content_type of ['image/svg+xml', 'text/html', 'application/pdf'])
    assert.equal((await dev.announce({ ...input('avatar'), content_type })).status, 422, content_type)
})

test('F-01 F-03 only its owner sees an upload', async () => {
  const [dev, eli, other] = await Promise.all([uploader(app, 'dev'), uploader(app, 'eli'), uploader(app, 'ada', app.b)])
  const { json } = await dev.announce({ byte_size: 3 })
  const sum = await sumOfRows(app.database)
  const ask = (uploader: typeof dev, id: string) =>
    Promise.all([
      uploader.get(`/uploads/${id}`),
      uploader.put(id, Buffer.from('Rye')),
      uploader.complete(id),
      uploader.write('DELETE', `/uploads/${id}`),
    ])
  const plain = ({ status, json: problem }: Awaited<ReturnType<typeof dev.get>>) => ({
    status,
    code: problem.code,
    detail: problem.detail,
  })
  for (const uploader of [eli, other]) {
    const theirs = (await ask(uploader, json.id)).map(plain)
    assert.deepEqual(theirs, (await ask(uploader, nobodysId('upl'))).map(plain))
    assert.ok(theirs.every(({ status }) => status === 404 || status === 401))
  }
  assert.equal(await sumOfRows(app.database), sum)
  assert.ok(!(await eli.get('/uploads')).text.includes(json.id))
  const forged = await dev.write('POST', '/uploads', {
    filename: 'a',
    content_type: 'text/plain',
    byte_size: 1,
    purpose: 'submission',
    school_id: app.b.id,
  })
  assert.equal(forged.status, 422)
})

test('the list has what nothing refers to, newest first, page by page', async () => {
  const femi = await uploader(app, 'femi')
  const names = ['one.txt', 'two.txt', 'three.txt']
  for (const filename of names) await femi.announce({ filename })
  const first = await femi.get('/uploads?limit=2&include_total=true')
  assert.deepEqual([first.json.data[0].filename, first.json.total], ['three.txt', 5])
  const second = await femi.get(`/uploads?limit=2&cursor=${first.json.next_cursor}`)
  assert.equal(second.json.data[0].filename, 'one.txt')
  const ready = await femi.get('/uploads?status=ready')
  assert.deepEqual(
    ready.json.data.map((one: { filename: string }) => one.filename),
    ['rye.txt'],
  )
})

test('a body that is compressed, and a dry run, are refused', async () => {
  const dev = await uploader(app, 'dev')
  const { json } = await dev.announce({ byte_size: 3 })
  assert.equal((await dev.put(json.id, Buffer.from('Rye'), { 'content-encoding': 'gzip' })).status, 415)
  assert.equal((await dev.write('POST', `/uploads/${json.id}/completion?dry_run=true`)).json.code, 'unknown_parameter')
  const dry = await dev.write('POST', '/uploads?dry_run=true', {
    filename: 'a.txt',
    content_type: 'text/plain',
    byte_size: 1000,
    purpose: 'submission',
  })
  assert.deepEqual([dry.status, dry.json.result.id], [200, null])
})

test('C-12 a token that is revoked during a transfer invalidates the transfer', async () => {
  const femi = await uploader(app, 'femi')
  const { json } = await femi.announce({ byte_size: 6 })
  const before = await readObjects(app)
  async function* slowly() {
    yield Buffer.from('Rye')
    await app.database.query(`update members set status = 'suspended' where email = 'femi@crumb.example'`)
    await withinASecond(
      () => femi.get('/uploads'),
      ({ status }) => status === 401,
    )
    yield Buffer.from('Rye')
  }
  assert.equal(await sendPieces(femi.token, json.id, slowly()), 401)
  const [row] = await app.database.query('select status, received_bytes from uploads where id = $1', [
    fromId('upl', json.id),
  ])
  assert.deepEqual(row, { status: 'created', received_bytes: '0' })
  assert.deepEqual(await readObjects(app), before)
  await app.database.query(`update members set status = 'active' where email = 'femi@crumb.example'`)
})
