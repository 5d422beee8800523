import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { addFile } from '#src/areas/files/storage/index.ts'
import { openDatabase } from '#src/db/database.ts'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { readMemberId } from '#testing/learning.ts'
import { until } from '#testing/until.ts'

const app = testApp()

const MANIFEST = '/appearance/manifest.webmanifest'
const ACCENT = [0x94, 0x40, 0x0f, 255]
const PAGE = [0xfb, 0xf7, 0xef, 255]
const BLUE = [0x33, 0x66, 0x99, 255]
const WHITE = [255, 255, 255, 255]

type Pixels = { readonly edge: number; at(x: number, y: number): number[]; count(color: readonly number[]): number }

const readIcon = async (name: string): Promise<Pixels> => {
  const response = await fetch(`${app.a.siteOrigin}/appearance/icons/${name}.png`)
  assert.equal(response.status, 200, name)
  assert.equal(response.headers.get('content-type'), 'image/png')
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.equal(info.width, info.height)
  const edge = info.width
  const at = (x: number, y: number): number[] => [
    ...data.subarray((Math.floor(y * edge) * edge + Math.floor(x * edge)) * 4).subarray(0, 4),
  ]
  const count = (color: readonly number[]): number => {
    let found = 0
    for (let pixel = 0; pixel < data.length; pixel += 4)
      if (color.every((part, index) => data[pixel + index] === part)) found += 1
    return found
  }
  return { edge, at, count }
}

const publish = async (change: object): Promise<void> => {
  const ada = await app.actor('ada', { scopes: ['appearance:read', 'appearance:write'] })
  const { json, headers } = await ada.get('/appearance/draft')
  const names = ['logo_file_id', 'logo_dark_file_id', 'favicon_file_id', 'social_image_file_id', 'colors', 'fonts']
  const more = ['radius', 'width', 'navigation', 'footer', 'announcement', 'custom_css']
  const draft = {
    ...Object.fromEntries([...names, ...more].map(name => [name, json[name]])),
    email: { header_image_file_id: null, footer: null },
    sign_in: { image_file_id: null, text: null },
    ...change,
  }
  const put = await ada.write('PUT', '/appearance/draft', draft, { 'if-match': String(headers.etag) })
  assert.equal(put.status, 200, put.text)
  const revision = { 'if-match': String(put.headers.etag) }
  const published = await ada.write('POST', '/appearance/publications', undefined, revision)
  assert.equal(published.status, 201, published.text)
}

const addImage = async (filename: string, width: number, height: number): Promise<string> => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const database = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
  try {
    const memberId = await readMemberId(app, 'ada')
    const file = { memberId, purpose: 'appearance', filename, contentType: 'image/png', bytes } as const
    return toId('fil', await addFile({ database, school: app.a, files: app.files }, file))
  } finally {
    await database.close()
  }
}

const rename = async (name: string): Promise<void> => {
  await app.database.query('update schools set name = $2 where id = $1', [app.a.id, name])
  await until(async () => (await app.send({ path: MANIFEST })).json.name === name, 'the name')
}

test('a school is installed by a manifest that every page names, with icons of its sizes', async () => {
  for (const path of ['/', '/account/sign-in', '/nothing']) {
    const { text, headers } = await app.send({ path, headers: { accept: 'text/html' } })
    assert.ok(text.includes(`<link rel="manifest" href="${MANIFEST}">`), path)
    assert.ok(text.includes('<link rel="apple-touch-icon" href="/appearance/icons/touch.png">'), path)
    assert.match(String(headers['content-security-policy']), /manifest-src 'self'/, path)
    assert.doesNotMatch(text.replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, ''), /<script/)
  }
  const { status, headers, json } = await app.send({ path: MANIFEST })
  assert.deepEqual([status, headers['content-type']], [200, 'application/manifest+json'])
  const { icons, ...manifest } = json
  assert.deepEqual(manifest, {
    id: '/',
    name: 'Crumb & Crust',
    lang: 'en',
    dir: 'auto',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    display_override: ['minimal-ui'],
    background_color: '#fbf7ef',
    theme_color: '#fbf7ef',
  })
  const shown = icons.map(({ src, sizes, purpose }: Record<string, string>) => [src, sizes, purpose])
  assert.deepEqual(shown, [
    ['/appearance/icons/192.png', '192x192', 'any'],
    ['/appearance/icons/512.png', '512x512', 'any'],
    ['/appearance/icons/maskable.png', '512x512', 'maskable'],
  ])
  const { etag = '' } = headers
  assert.equal((await app.send({ path: MANIFEST, headers: { 'if-none-match': etag } })).status, 304)
  for (const name of ['193', 'toString', '__proto__', '192.png'])
    assert.equal((await app.send({ path: `/appearance/icons/${name}.png` })).status, 404, name)
})

test('what is installed is about no person: no cookie is read or set', async () => {
  const cookie = `stoa-local-session-${app.port}=${'a'.repeat(43)}; stoa-local-language-${app.port}=pt`
  for (const path of [MANIFEST, '/appearance/icons/192.png']) {
    const [stranger, known] = [await app.send({ path }), await app.send({ path, headers: { cookie } })]
    assert.equal(known.text, stranger.text, path)
    assert.equal(known.headers['cache-control'], 'public, max-age=3600', path)
    assert.equal(known.headers['set-cookie'], undefined, path)
  }
})

test('a school without a picture has its mark: letters in its colors, within every shape that cuts the square', async () => {
  for (const [name, edge] of [
    ['192', 192],
    ['512', 512],
    ['maskable', 512],
    ['touch', 180],
  ] as const) {
    const icon = await readIcon(name)
    assert.equal(icon.edge, edge)
    for (const [x, y] of [
      [0, 0],
      [0.99, 0],
      [0, 0.99],
      [0.99, 0.99],
      [0.5, 0.12],
      [0.15, 0.5],
    ] as const)
      assert.deepEqual(icon.at(x, y), ACCENT, `${name} at ${x}, ${y}`)
    const share = icon.count(WHITE) / edge ** 2
    assert.ok(share > 0.04 && share < 0.25, `${name} has letters: ${share}`)
  }
})

test('letters of other scripts are drawn, and what no font has is left out', async () => {
  for (const name of ['مدرسة الخبز', 'Ψωμί', 'Хлеб', '面包', 'Łódź Šports', '<b>&amp;']) {
    await rename(name)
    assert.ok((await readIcon('512')).count(WHITE) > 5000, name)
  }
  await rename('🍞🍞')
  assert.equal((await readIcon('512')).count(ACCENT), 512 ** 2)
  await rename('Crumb & Crust')
})

test('a logo is within the square; the icon of the tab comes before it, and a logo with a name in it is left to the pages', async () => {
  await publish({ logo_file_id: await addImage('logo.png', 400, 200) })
  const free = await readIcon('512')
  assert.deepEqual([free.at(0.5, 0.5), free.at(0.01, 0.5), free.at(0.5, 0.05)[3]], [BLUE, BLUE, 0])
  const cut = await readIcon('maskable')
  assert.deepEqual([cut.at(0.5, 0.5), cut.at(0, 0), cut.at(0.15, 0.5)], [BLUE, PAGE, PAGE])
  assert.deepEqual((await readIcon('touch')).at(0, 0), PAGE)
  await publish({ logo_file_id: await addImage('wordmark.png', 600, 100) })
  assert.deepEqual((await readIcon('512')).at(0, 0), ACCENT)
  await publish({ favicon_file_id: await addImage('icon.png', 64, 64) })
  assert.deepEqual((await readIcon('192')).at(0, 0), BLUE)
})

test('a picture that cannot be read leaves the mark', async () => {
  const fileId = await addImage('broken.png', 64, 64)
  await publish({ favicon_file_id: fileId })
  const row = 'select object_key from uploads where school_id = $1 and filename = $2'
  const [{ object_key: key } = { object_key: '' }] = await app.database.query(row, [app.a.id, 'broken.png'])
  async function* bytes() {
    yield Buffer.from('no picture')
  }
  await app.files.store.put(key, bytes(), 10)
  assert.deepEqual((await readIcon('192')).at(0, 0), ACCENT)
  assert.ok(app.log.some(line => line.includes('icon_unreadable')))
})
