import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { readConfig } from '#src/config.ts'
import { checkStore, openFiles } from '#src/store/index.ts'
import { testApp } from '#testing/app.ts'
import { startMailbox } from '#testing/mail.ts'
import { type ObjectStore, startObjectStore } from '#testing/object-store.ts'
import { openUploads } from '#testing/page-uploads.ts'
import { fetched, readObjects, uploader } from '#testing/uploads.ts'

let objects: ObjectStore | undefined
let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  files: async () => {
    objects = await startObjectStore()
    return openFiles({ s3: objects.place })
  },
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(async () => {
  await mailbox?.stop()
  await objects?.stop()
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const followed = async (url: string, init: RequestInit = {}) => {
  const led = await fetched(url, init)
  assert.equal(led.status, 307)
  assert.equal(led.headers.get('cache-control'), 'private, no-store')
  return { to: led.headers.get('location') ?? '', ...(await fetched(led.headers.get('location') ?? '', init)) }
}

/** Sends a body in two chunks over one request. */
const inTwoChunks = (url: URL, bytes: Buffer, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'PUT', headers: { 'content-length': bytes.length, ...headers } },
      answer => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    outgoing.on('error', reject)
    outgoing.write(bytes.subarray(0, 4_000_000), () => setImmediate(() => outgoing.end(bytes.subarray(4_000_000))))
  })

test('6 MB in two chunks through us lie in the object store byte for byte, and are fetched there in ranges', async () => {
  const dev = await uploader(app, 'dev')
  const bytes = randomBytes(6_000_000)
  const { json } = await dev.announce({ byte_size: bytes.length, sha256: sha256(bytes), filename: 'Pão.bin' })
  const url = new URL(`/api/v1/uploads/${json.id}/content`, app.a.baseUrl)
  assert.equal(await inTwoChunks(url, bytes, { authorization: `Bearer ${dev.token}` }), 200)
  const done = await dev.complete(json.id)
  assert.equal(done.json.status, 'ready', done.text)
  const got = await followed(done.json.file.url)
  assert.ok(got.bytes.equals(bytes))
  assert.match(got.headers.get('content-disposition') ?? '', /^attachment; filename="Pa_?o.bin"/)
  const part = await followed(done.json.file.url, { headers: { range: 'bytes=10-19' } })
  assert.deepEqual([part.status, part.bytes.equals(bytes.subarray(10, 20))], [206, true])
  const head = await fetched(done.json.file.url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)])
  assert.deepEqual(
    (await readObjects(app)).filter(key => key.startsWith('incoming/')),
    [],
  )
})

test('6 MB past us go to an address of the object store, and are checked here', async () => {
  const dev = await uploader(app, 'dev')
  const bytes = randomBytes(6_000_000)
  const { json } = await dev.announce({ byte_size: bytes.length, sha256: sha256(bytes) })
  assert.deepEqual([json.transfer.authorization, json.transfer.is_resumable], ['none', false])
  const signed = new URL(json.transfer.url).searchParams.get('X-Amz-SignedHeaders')?.split(';')
  assert.ok(signed?.includes('content-length'), 'the address is good for the announced size alone')
  const early = await dev.complete(json.id)
  assert.deepEqual([early.status, early.json.code], [409, 'invalid_state'])
  assert.equal(await inTwoChunks(new URL(json.transfer.url), bytes, {}), 200)
  const done = await dev.complete(json.id)
  assert.equal(done.json.status, 'ready', done.text)
  assert.ok((await followed(done.json.file.url)).bytes.equals(bytes))
  // The address still lives, and writes to nothing that is served.
  await inTwoChunks(new URL(json.transfer.url), randomBytes(bytes.length), {})
  assert.ok((await followed(done.json.file.url)).bytes.equals(bytes))
})

test('an object that was sent directly and differs from its announcement is rejected and deleted', async () => {
  const dev = await uploader(app, 'dev')
  const before = await readObjects(app)
  const { json } = await dev.announce({ byte_size: 5_000_000, content_type: 'image/png' })
  await inTwoChunks(new URL(json.transfer.url), Buffer.alloc(5_000_000), {})
  const done = await dev.complete(json.id)
  assert.deepEqual([done.json.status, done.json.rejected_for], ['rejected', 'type_mismatch'])
  assert.deepEqual(await readObjects(app), before)
  const range = { 'content-range': 'bytes 0-2/6' }
  const piece = await dev.announce({ byte_size: 6 })
  assert.equal((await dev.put(piece.json.id, Buffer.from('Rye'), range)).json.code, 'invalid_request')
  assert.equal((await dev.put(piece.json.id, Buffer.from('Rye'))).json.code, 'invalid_request')
})

test('a picture that was sent to the object store is rewritten there without its metadata', async () => {
  const carla = await uploader(app, 'carla')
  const drawn = { create: { width: 80, height: 40, channels: 3, background: '#c80' } } as const
  const sent = await sharp(drawn)
    .withExif({ IFD0: { Copyright: 'Porto' } })
    .jpeg()
    .toBuffer()
  const file = { content_type: 'image/jpeg', purpose: 'course', byte_size: sent.length }
  const { json } = await carla.announce(file)
  const put = await fetch(json.transfer.url, { method: 'PUT', body: new Uint8Array(sent) })
  assert.equal(put.status, 200)
  const objects = (await readObjects(app)).length
  const done = (await carla.complete(json.id)).json
  const { bytes } = await followed(done.file.url)
  assert.deepEqual([bytes.includes('Porto'), bytes.length, sha256(bytes)], [false, done.byte_size, done.sha256])
  assert.equal((await readObjects(app)).length, objects, 'one object in place of the one that was sent')
})

test('an image in the object store is measured and resized there, and deleted with all its widths', async () => {
  const dev = await uploader(app, 'dev')
  const drawn = { create: { width: 800, height: 400, channels: 3, background: '#c80' } } as const
  const { json } = await dev.upload(await sharp(drawn).png().toBuffer(), {
    content_type: 'image/png',
    purpose: 'avatar',
  })
  assert.deepEqual(json.image, { width: 800, height: 400, is_animated: false })
  const small = await followed(`${json.file.url}&width=320`)
  assert.equal((await sharp(small.bytes).metadata()).width, 320)
  const keys = (await readObjects(app)).filter(key => key.startsWith('variants/'))
  assert.equal(keys.length, 1)
  await dev.write('DELETE', `/uploads/${json.id}`)
  const end = performance.now() + 10_000
  while ((await readObjects(app)).some(key => key.startsWith('variants/'))) {
    assert.ok(performance.now() < end, 'its widths go')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
})

test('a public picture in a width comes from us and is kept by browsers, and the whole and private ones are led to', async () => {
  const ada = await uploader(app, 'ada', app.a, ['account:write', 'courses:read', 'courses:write'])
  const drawn = { create: { width: 800, height: 400, channels: 3, background: '#c80' } } as const
  const png = await sharp(drawn).png().toBuffer()
  const { json } = await ada.upload(png, { content_type: 'image/png', purpose: 'course' })
  await followed(`${json.file.url}&width=320`)
  const path = '/courses/slug:sourdough-from-scratch'
  const changed = await ada.write('PATCH', path, { image_file_id: json.file.file_id })
  assert.equal(changed.status, 200, changed.text)
  const { image } = changed.json
  await followed(image.url)
  const small = await fetched(`${image.url}?width=640`)
  assert.equal(small.status, 200)
  assert.equal(small.headers.get('cache-control'), 'public, max-age=2592000, s-maxage=3600, immutable')
  assert.equal((await sharp(small.bytes).metadata()).width, 640)
  const etag = small.headers.get('etag') ?? ''
  const again = await fetched(`${image.url}?width=640`, { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.bytes.length], [304, 0])
  const head = await fetched(`${image.url}?width=640`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(small.bytes.length)])
  await ada.write('PATCH', path, { image_file_id: null })
})

test('the setting names a folder or a bucket, prints no secret, and doctor tests it', async () => {
  const set = (STOA_STORAGE: string) => readConfig({ STOA_STORAGE }).storage
  assert.deepEqual(set('s3://KEY:se%2Fcret@s3.example.org/loaves?region=eu-west-1'), {
    s3: {
      endpoint: 'https://s3.example.org',
      region: 'eu-west-1',
      bucket: 'loaves',
      credentials: { accessKeyId: 'KEY', secretAccessKey: 'se/cret' },
    },
  })
  assert.deepEqual(set('/srv/loaves'), { folder: '/srv/loaves' })
  for (const bad of [
    's3://KEY:hidden@host',
    's3+http://a:hidden@s3.example.org/b',
    'https://hidden.example/x',
    's3://a@h/bucket',
  ])
    assert.throws(
      () => set(bad),
      (error: Error) => /STOA_STORAGE/.test(error.message) && !error.message.includes('hidden'),
    )
  assert.ok(objects)
  assert.equal(await checkStore({ s3: objects.place }), undefined)
  assert.match((await checkStore({ s3: { ...objects.place, bucket: 'nowhere' } })) ?? '', /NoSuchBucket/)
})

test('the policy of the site allows pictures and media from the bucket, to which files redirect, and from nowhere else', async () => {
  const { headers } = await app.send({ path: '/', headers: { accept: 'text/html' } })
  const { origin } = new URL(objects?.place.endpoint ?? '')
  const policy = String(headers['content-security-policy']).split('; ')
  assert.ok(policy.includes(`img-src 'self' ${origin}`), policy.join('; '))
  assert.ok(policy.includes(`media-src 'self' ${origin}`), policy.join('; '))
})

test('a page sends a file to a bucket as a whole, and again as a whole where it was cut short', async () => {
  const ada = await openUploads(app, 'ada')
  const file = { name: 'film.bin', type: 'application/octet-stream', bytes: randomBytes(300_000) }
  const { json } = await ada.announce(file, 'course')
  assert.equal(json.is_resumable, false)
  const short = await ada.sendPiece(json.id, file.bytes.subarray(0, 1000), undefined, { bytes: '300000' })
  assert.equal(short.status, 400, short.text)
  assert.equal((await ada.get(`/staff/uploads/${json.id}`)).json.received, 0)
  assert.equal((await ada.sendPiece(json.id, file.bytes)).json.received, 300_000)
  const done = await ada.post(`/staff/uploads/${json.id}`, { act: 'complete' })
  assert.deepEqual([done.status, done.json.status], [200, 'ready'])
})
