import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { testApp } from '#testing/app.ts'
import { fetched, uploader } from '#testing/uploads.ts'

const app = testApp()

const made = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, '../testing/files', name))

const drawing = { create: { width: 60, height: 40, channels: 3, background: '#c80' } } as const

// The first box of a picture of a phone (ISO/IEC 14496-12 §4.3), and bytes of no meaning.
const boxed = (brand: string): Buffer => {
  const box = Buffer.alloc(24)
  box.writeUInt32BE(24, 0)
  box.write(`ftyp${brand}`, 4, 'latin1')
  box.write(`mif1${brand}`, 16, 'latin1')
  return Buffer.concat([box, Buffer.alloc(100, 0xa5)])
}

const bytesOf: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  heic: () => boxed('heic'),
  heif: () => boxed('mif1'),
  tiff: () => sharp(drawing).tiff().toBuffer(),
  bmp: () =>
    Buffer.concat([Buffer.from('BM'), Buffer.from([58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40]), Buffer.alloc(43)]),
  jxl: () => Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.alloc(60, 0xa5)]),
  ico: () => Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]), Buffer.alloc(60)]),
  png: () => sharp(drawing).png().toBuffer(),
  avif: () => sharp(drawing).avif().toBuffer(),
  zip: () => Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(60, 0xa5)]),
  'id3 text': () => Buffer.from('ID3 is how tags of recordings begin, e.g. “TIT2”.'),
  'gif text': () => Buffer.from('GIF89a is the newer of the two formats — since 1989.'),
  'pdf text': () => Buffer.from('%PDF-1.7 is the first line of such files.'),
  'bmp text': () => Buffer.from('BMW makes cars in München.'),
  'utf-16 text': () => Buffer.from('\uFEFFPão e água', 'utf16le'),
  'long text': () => Buffer.from(`GIF89a ${'é'.repeat(40_000)}`),
  'nul text': () => Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(60)]),
}

const send = async (name: string) => (bytesOf[name] === undefined ? made(name) : bytesOf[name]())

type Row = readonly [file: string, declared: string, type: string, how: 'inline' | 'attachment']

const cases: readonly Row[] = [
  // 1: parameters, of the declaration and of the library
  ['sound.webm', 'audio/webm;codecs=opus', 'audio/webm', 'inline'],
  ['sound.webm', 'Audio/WebM; codecs="opus, vorbis"', 'audio/webm', 'inline'],
  ['sound.ogg', 'audio/ogg', 'audio/ogg', 'inline'],
  ['id3 text', 'text/plain; charset=utf-8', 'text/plain', 'attachment'],
  // 2: a text is a text, however it begins
  ['id3 text', 'text/plain', 'text/plain', 'attachment'],
  ['gif text', 'text/markdown', 'text/markdown', 'attachment'],
  ['pdf text', 'text/plain', 'text/plain', 'attachment'],
  ['bmp text', 'text/csv', 'text/csv', 'attachment'],
  ['utf-16 text', 'text/plain', 'text/plain', 'attachment'],
  ['long text', 'text/plain', 'text/plain', 'attachment'],
  ['gif text', 'application/json', 'application/json', 'attachment'],
  ['gif text', 'application/x-yaml', 'application/x-yaml', 'attachment'],
  ['gif text', 'application/ld+json', 'application/ld+json', 'attachment'],
  ['gif text', 'application/octet-stream', 'application/octet-stream', 'attachment'],
  ['png', 'text/plain', 'image/png', 'inline'],
  // 3: sound or film is what was declared, within one container
  ['sound.webm', 'audio/webm', 'audio/webm', 'inline'],
  ['sound.webm', 'video/webm', 'video/webm', 'inline'],
  ['film.webm', 'application/octet-stream', 'video/webm', 'inline'],
  ['sound.mp4', 'audio/mp4', 'audio/mp4', 'inline'],
  ['sound.mp4', 'audio/x-m4a', 'audio/mp4', 'inline'],
  ['sound.m4a', 'audio/mp4', 'audio/x-m4a', 'inline'],
  ['sound.m4a', 'video/mp4', 'video/mp4', 'inline'],
  ['film.mp4', 'video/mp4', 'video/mp4', 'inline'],
  ['sound.mka', 'audio/x-matroska', 'audio/matroska', 'attachment'],
  ['film.mkv', 'video/x-matroska', 'video/matroska', 'attachment'],
  ['sound.ogg', 'application/ogg', 'audio/ogg', 'inline'],
  ['film.ogv', 'video/ogg', 'video/ogg', 'inline'],
  ['film.3gp', 'audio/3gpp', 'audio/3gpp', 'attachment'],
  ['film.3gp', 'video/3gpp', 'video/3gpp', 'attachment'],
  ['sound.mp3', 'audio/mpeg', 'audio/mpeg', 'inline'],
  // 4: a picture of another kind
  ['heic', 'image/heic', 'image/heic', 'attachment'],
  ['heif', 'image/heif', 'image/heif', 'attachment'],
  ['heic', 'image/jpeg', 'image/heic', 'attachment'],
  ['tiff', 'image/tiff', 'image/tiff', 'attachment'],
  ['bmp', 'image/bmp', 'image/bmp', 'attachment'],
  ['jxl', 'image/jxl', 'image/jxl', 'attachment'],
  ['ico', 'image/vnd.microsoft.icon', 'image/vnd.microsoft.icon', 'attachment'],
  ['avif', 'image/avif', 'image/avif', 'inline'],
  // 5: an animated PNG is a PNG
  ['animated.png', 'image/png', 'image/png', 'inline'],
  ['animated.png', 'image/apng', 'image/png', 'inline'],
]

test('a file is what its bytes and its declaration say together, and is shown only where browsers can', async () => {
  const dev = await uploader(app, 'dev')
  for (const [file, declared, type, how] of cases) {
    const label = `${file} as ${declared}`
    const { json, text } = await dev.upload(await send(file), { filename: `a.${file}`, content_type: declared })
    assert.deepEqual([json.status, json.content_type], ['ready', type], `${label}: ${text}`)
    const { headers } = await fetched(json.file.url)
    assert.equal(headers.get('content-type'), type, label)
    assert.match(headers.get('content-disposition') ?? '', new RegExp(`^${how};`), label)
  }
})

test('bytes that contradict their declaration are rejected, and a portrait of a kind that no browser shows says so', async () => {
  const dev = await uploader(app, 'dev')
  const rejected = [
    ['zip', 'image/png', 'submission', 'type_mismatch'],
    ['gif text', 'image/gif', 'submission', 'type_mismatch'],
    ['id3 text', 'audio/mpeg', 'submission', 'type_mismatch'],
    ['nul text', 'text/plain', 'submission', 'unreadable_image'],
    ['heic', 'image/jpeg', 'avatar', 'unsupported_type'],
    ['tiff', 'image/png', 'avatar', 'unsupported_type'],
    ['pdf text', 'image/png', 'avatar', 'type_mismatch'],
  ] as const
  for (const [file, declared, purpose, reason] of rejected) {
    const { json } = await dev.upload(await send(file), { content_type: declared, purpose })
    assert.deepEqual([json.status, json.rejected_for], ['rejected', reason], `${file} as ${declared}`)
  }
  const announced = await dev.announce({ content_type: 'image/heic', purpose: 'avatar' })
  assert.deepEqual([announced.status, announced.json.errors[0].pointer], [422, '/content_type'])
  for (const type of ['audio', 'audio/', 'audio/webm codecs', 'audio/webm;\n'])
    assert.equal((await dev.announce({ content_type: type })).status, 422, type)
})

test('a picture that no browser shows is refused where one must be shown, and kept where it is handed over', async () => {
  const scopes = ['courses', 'digital_products', 'membership_plans', 'pages', 'posts', 'events', 'curriculum']
  const ada = await uploader(
    app,
    'ada',
    app.a,
    scopes.flatMap(scope => [`${scope}:read`, `${scope}:write`]),
  )
  const fileFor = async (purpose: string): Promise<string> => {
    const heic = { filename: 'IMG_0001.HEIC', content_type: 'image/heic', purpose }
    return (await ada.upload(boxed('heic'), heic)).json.file.file_id
  }
  const [course, product, plan] = [await fileFor('course'), await fileFor('product'), await fileFor('plan')]
  const [page, post, event] = [await fileFor('page'), await fileFor('post'), await fileFor('event')]
  const image = { type: 'image', file_id: page, alt: 'Rye' }
  const section = (await ada.get('/courses?limit=1')).json.data[0]
  const outline = await ada.get(`/courses/${section.id}/outline`)
  const lessons = `/sections/${outline.json.sections[0].id}/lessons`
  const refused = [
    ['/courses', { name: 'Rye', image_file_id: course }, '/image_file_id'],
    ['/digital-products', { name: 'Rye', image_file_id: product }, '/image_file_id'],
    ['/membership-plans', { name: 'Rye', plan_type: 'lifetime', image_file_id: plan }, '/image_file_id'],
    ['/posts', { title: 'Rye', cover_file_id: post }, '/cover_file_id'],
    ['/posts', { title: 'Rye', body: `![Rye](${post})` }, '/body'],
    [
      '/events',
      {
        name: 'Rye',
        duration_minutes: 60,
        starts_at: { local: '2090-03-14T19:00', time_zone: 'Europe/Lisbon' },
        image_file_id: event,
      },
      '/image_file_id',
    ],
    ['/pages', { title: 'Rye', blocks: [image] }, '/blocks/0/file_id'],
    ['/pages', { title: 'Rye', blocks: [{ type: 'text', body: `![Rye](${page})` }] }, '/blocks/0/body'],
    [lessons, { name: 'Rye', type: 'text', body: `![Rye](${course})` }, '/body'],
  ] as const
  for (const [path, body, pointer] of refused) {
    const { status, json, text } = await ada.write('POST', path, body)
    assert.equal(status, 422, `${path}: ${text}`)
    assert.deepEqual([json.errors[0].pointer, json.errors[0].code], [pointer, 'unsupported_type'], path)
  }
  const kept = [
    ['/digital-products', { name: 'Rye', sample_file_id: product }],
    ['/posts', { title: 'Rye', body: `[the photograph](${post})` }],
    ['/pages', { title: 'Rye', blocks: [{ type: 'text', body: `[the photograph](${page})` }] }],
    [lessons, { name: 'Rye', type: 'download', file_id: course, body: `[the photograph](${course})` }],
  ] as const
  for (const [path, body] of kept) {
    const { status, text } = await ada.write('POST', path, body)
    assert.equal(status, 201, `${path}: ${text}`)
  }
  const template = await ada.write('POST', '/certificate-templates', { name: 'Rye' })
  const printed = await ada.write('PATCH', `/certificate-templates/${template.json.id}`, { image_file_id: course })
  assert.deepEqual([printed.status, printed.json.errors?.[0].code], [422, 'unsupported_type'], printed.text)
})
