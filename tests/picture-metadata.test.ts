import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
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

const MARK = 'Rua da Padaria 7, Porto'
const exif = { IFD0: { Copyright: MARK, ImageDescription: MARK }, IFD3: { GPSLatitude: '41/1 9/1 0/1' } }
const drawing = { create: { width: 90, height: 60, channels: 3, background: '#c80' } } as const

const photo = (format: 'jpeg' | 'png' | 'webp' | 'avif', orientation = 6): Promise<Buffer> =>
  sharp(drawing).withIccProfile('p3').withExif(exif).withMetadata({ orientation })[format]().toBuffer()

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const bytesTaken = async (): Promise<number> => {
  const [row] = await app.database.query<{ bytes: string }>('select bytes from storage_totals where school_id = $1', [
    app.a.id,
  ])
  return Number(row?.bytes ?? 0)
}

// Two frames of a WebP, with EXIF.
const moving = async (format: 'webp' | 'gif'): Promise<Buffer> => {
  const frames = await Promise.all(
    ['#c80', '#08c'].map(background =>
      sharp({ create: { ...drawing.create, width: 800, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .withExif(exif)
    [format]({ delay: [100, 300], loop: 0 })
    .toBuffer()
}

test('a picture is stored upright and without its metadata, with its colors, and the quota takes what is stored', async () => {
  const carla = await uploader(app, 'carla')
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const sent = await photo(format)
    assert.ok(sent.includes(MARK), format)
    const before = await bytesTaken()
    const file = { filename: `a.${format}`, content_type: `image/${format}`, sha256: sha256(sent), purpose: 'course' }
    const { json, text } = await carla.upload(sent, file)
    assert.equal(json.status, 'ready', text)
    const { bytes } = await fetched(json.file.url)
    const found = await sharp(bytes).metadata()
    const metadata = [found.exif, found.xmp, found.iptc, found.orientation, bytes.includes(MARK)]
    assert.deepEqual(metadata, [undefined, undefined, undefined, undefined, false], format)
    assert.deepEqual([found.width, found.height, found.icc !== undefined], [60, 90, true], format)
    assert.deepEqual(json.image, { width: 60, height: 90, is_animated: false }, format)
    assert.deepEqual([json.sha256, json.byte_size, json.received_bytes], [sha256(bytes), bytes.length, bytes.length])
    assert.equal(await bytesTaken(), before + bytes.length, format)
    assert.equal(json.content_type, `image/${format}`)
  }
})

test('a picture without metadata, work that is handed in and files to download keep their bytes', async () => {
  const carla = await uploader(app, 'carla')
  const plain = await sharp(drawing).jpeg().toBuffer()
  const sent = await photo('jpeg')
  const kept = [
    [plain, { purpose: 'course' }],
    [sent, { purpose: 'submission' }],
    [sent, { purpose: 'course', keep_original: true }],
  ] as const
  for (const [bytes, file] of kept) {
    const { json } = await carla.upload(bytes, { content_type: 'image/jpeg', ...file })
    assert.ok((await fetched(json.file.url)).bytes.equals(bytes), JSON.stringify(file))
    assert.equal(json.keep_original, 'keep_original' in file)
  }
})

test('a picture that keeps its metadata cannot be shown', async () => {
  const ada = await uploader(app, 'ada', app.a, ['courses:write', 'courses:read', 'posts:read', 'posts:write'])
  const readId = async (purpose: string) =>
    (await ada.upload(await photo('jpeg'), { content_type: 'image/jpeg', purpose, keep_original: true })).json.file
      .file_id
  const [course, post] = [await readId('course'), await readId('post')]
  const refused = [
    ['/courses', { name: 'Rye', image_file_id: course }, '/image_file_id'],
    ['/posts', { title: 'Rye', cover_file_id: post }, '/cover_file_id'],
    ['/posts', { title: 'Rye', body: `![Rye](${post})` }, '/body'],
  ] as const
  for (const [path, body, pointer] of refused) {
    const { status, json } = await ada.write('POST', path, body)
    assert.deepEqual([status, json.errors?.[0].pointer, json.errors?.[0].code], [422, pointer, 'unsuitable'], path)
  }
})

test('what moves goes on to move without its metadata and in its widths, and an animated PNG keeps its frames', async () => {
  const carla = await uploader(app, 'carla')
  const webp = await carla.upload(await moving('webp'), { content_type: 'image/webp', purpose: 'course' })
  assert.deepEqual(webp.json.image, { width: 800, height: 60, is_animated: true })
  const whole = await sharp((await fetched(webp.json.file.url)).bytes).metadata()
  assert.deepEqual([whole.pages, whole.delay, whole.exif], [2, [100, 300], undefined])
  const gif = await carla.upload(await moving('gif'), { content_type: 'image/gif', purpose: 'course' })
  for (const { json } of [webp, gif]) {
    const small = await sharp((await fetched(`${json.file.url}&width=320`)).bytes).metadata()
    assert.deepEqual([small.format, small.width, small.height, small.pages], ['webp', 320, 24, 2])
  }
  const png = await readFile(join(import.meta.dirname, '../testing/files/animated.png'))
  const data = Buffer.from(`eXIfII*\0${MARK}`)
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length - 4, 0)
  frame.writeUInt32BE(crc32(data), 4)
  // Behind the signature and the first chunk, which has 13 bytes.
  const sent = Buffer.concat([png.subarray(0, 33), frame.subarray(0, 4), data, frame.subarray(4), png.subarray(33)])
  const { json } = await carla.upload(sent, { content_type: 'image/png', purpose: 'course' })
  assert.equal(json.image?.is_animated, true)
  assert.ok((await fetched(json.file.url)).bytes.equals(png), 'everything else is as it was')
})

test('pictures that were stored before lose their metadata once, but for those that are only handed over', async () => {
  const ada = await uploader(app, 'ada', app.a, ['courses:write', 'curriculum:write', 'curriculum:read'])
  const sent = await photo('jpeg')
  const upload = async () =>
    (await ada.upload(sent, { content_type: 'image/jpeg', purpose: 'course', keep_original: true })).json
  const [shown, attached, unused] = [await upload(), await upload(), await upload()]
  // As they were before the migration.
  await app.database.query(`update uploads set keep_original = false, is_animated = null where keep_original`)
  const course = await ada.write('POST', '/courses', { name: 'Old pictures', image_file_id: shown.file.file_id })
  const section = await ada.write('POST', `/courses/${course.json.id}/sections`, { name: 'One' })
  const lesson = await ada.write('POST', `/sections/${section.json.id}/lessons`, { name: 'One', type: 'text' })
  const body = { file_id: attached.file.file_id }
  assert.equal((await ada.write('POST', `/lessons/${lesson.json.id}/attachments`, body)).status, 201)
  const rows = () =>
    app.database.query<{ id: string; object_key: string; keep_original: boolean; bytes: number }>(
      `select id, object_key, keep_original, byte_size::integer as bytes from uploads where id = any ($1) order by id`,
      [[shown, attached, unused].map(({ id }) => fromId('upl', id))],
    )
  const before = await rows()
  const run = async () => {
    await app.database.query(
      `insert into jobs (school_id, kind, id, due_at) values ($1, 'image_metadata', $1, stoa.now())`,
      [app.a.id],
    )
    const end = performance.now() + 20_000
    while ((await app.database.query(`select from jobs where kind = 'image_metadata'`)).length > 0) {
      assert.ok(performance.now() < end, 'the job ends')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  await run()
  const now = await rows()
  for (const one of [shown, unused]) {
    const { bytes } = await fetched(one.file.url)
    assert.deepEqual([bytes.includes(MARK), (await sharp(bytes).metadata()).width], [false, 60])
  }
  assert.ok((await fetched(attached.file.url)).bytes.equals(sent))
  const keys = ({ object_key: key }: { object_key: string }): string => key.slice(app.a.id.length + 1)
  const objects = await readObjects(app)
  assert.deepEqual(
    before.map(row => objects.includes(keys(row))),
    [false, true, false],
    'the old objects are gone',
  )
  assert.deepEqual(
    now.map(row => objects.includes(keys(row))),
    [true, true, true],
  )
  const late = await ada.write('POST', '/courses', { name: 'Late', image_file_id: attached.file.file_id })
  assert.deepEqual([late.status, late.json.errors[0].code], [422, 'unsuitable'])
  const [{ sum } = { sum: '' }] = await app.database.query<{ sum: string }>(
    `select sum(byte_size) from uploads where school_id = $1 and status <> 'rejected' and status <> 'gone'`,
    [app.a.id],
  )
  assert.equal(await bytesTaken(), Number(sum))
  await run()
  assert.deepEqual(await rows(), now, 'done twice, it changes nothing')
})
