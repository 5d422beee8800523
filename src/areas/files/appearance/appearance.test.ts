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
const SCOPES = ['appearance:read', 'appearance:write', 'storage:write']
const ada = () => app.actor('ada', { scopes: SCOPES })

/** The draft as it is sent back, with its ETag. */
const readDraft = async () => {
  const { json, headers } = await (await ada()).get('/appearance/draft')
  const names = ['logo_file_id', 'logo_dark_file_id', 'favicon_file_id', 'social_image_file_id', 'colors', 'fonts']
  const more = ['radius', 'width', 'navigation', 'footer', 'announcement', 'custom_css']
  const { email, sign_in: signIn } = json
  const input = {
    ...Object.fromEntries([...names, ...more].map(name => [name, json[name]])),
    email: { header_image_file_id: email.header_image_file_id, footer: email.footer },
    sign_in: { image_file_id: signIn.image_file_id, text: signIn.text },
  }
  return { input, etag: String(headers.etag), json }
}

const put = async (change: object) => {
  const { input, etag } = await readDraft()
  return (await ada()).write('PUT', '/appearance/draft', { ...input, ...change }, { 'if-match': etag })
}

const publish = async () =>
  (await ada()).write('POST', '/appearance/publications', undefined, { 'if-match': (await readDraft()).etag })

const addFileNamed = async (
  filename: string,
  contentType: string,
  bytes: Buffer,
  purpose: 'appearance' | 'course' = 'appearance',
): Promise<string> => {
  const database = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
  try {
    const file = { memberId: await readMemberId(app, 'ada'), purpose, filename, contentType, bytes }
    return toId('fil', await addFile({ database, school: app.a, files: app.files }, file))
  } finally {
    await database.close()
  }
}

const addImage = async (name: string, purpose?: 'appearance' | 'course', width = 400): Promise<string> => {
  const picture = sharp({ create: { width, height: 200, channels: 3, background: '#336699' } })
  return addFileNamed(name, 'image/png', await picture.png().toBuffer(), purpose)
}

/** A page of the school once it contains a text; it may have the look of a second ago until then. */
const readPage = async (path: string, needle: string): Promise<string> => {
  let text = ''
  await until(async () => {
    text = (await app.send({ path, headers: { accept: 'text/html' } })).text
    return text.includes(needle)
  }, `${path} has ${needle}`)
  return text
}

test('a draft is replaced as a whole, with the ETag that was read, and nobody else sees it', async () => {
  const { input, etag, json } = await readDraft()
  const editor = await ada()
  assert.equal((await editor.write('PUT', '/appearance/draft', input)).status, 428)
  const changed = await put({ radius: 'square' })
  assert.deepEqual([changed.status, changed.json.radius, changed.json.revision], [200, 'square', json.revision + 1])
  const late = await editor.write('PUT', '/appearance/draft', input, { 'if-match': etag })
  assert.equal(late.status, 412)
  const same = await put({})
  assert.equal(same.json.revision, changed.json.revision, 'what changes nothing stores nothing')
  const published = await app.send({ path: '/api/v1/appearance' })
  assert.notEqual(published.json.radius, 'square')
  const dev = await app.actor('dev', { scopes: ['appearance:read'] })
  assert.equal((await dev.get('/appearance/draft')).status, 403)
  assert.equal((await dev.get('/appearance')).status, 200)
  await put({ radius: 'soft' })
})

test('addresses that lead elsewhere than they seem, unknown pages and files, and SVG are refused', async () => {
  const bad = [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'data:text/html,x',
    'http://a.example',
    ' /x',
  ]
  const more = [
    '/a\tb',
    'https://user@evil.example',
    'https:evil.example',
    'https://a.example/\\',
    '/%0d%0a',
    'https://é.example',
  ]
  for (const href of [...bad, ...more]) {
    const link = { label: 'Link', href, page_id: null }
    const refused = await put({ navigation: [{ ...link, children: [] }] })
    assert.equal(refused.status, 422, href)
    assert.equal((await put({ footer: { text: null, links: [link], social: [] } })).status, 422, href)
    assert.equal((await put({ announcement: { text: 'x', href, from: null, until: null } })).status, 422, href)
    const social = [{ service: 'youtube', href }]
    assert.equal((await put({ footer: { text: null, links: [], social } })).status, 422, href)
  }
  const without = { label: 'Link', href: null, page_id: null, children: [] }
  assert.equal((await put({ navigation: [without] })).status, 422)
  const unknown = await put({ navigation: [{ ...without, page_id: `pag_${'0'.repeat(26)}` }] })
  assert.deepEqual([unknown.status, unknown.json.errors[0].pointer], [422, '/navigation/0/page_id'])
  const deep = { ...without, href: '/', children: [{ ...without, href: '/' }] }
  assert.equal((await put({ navigation: [deep] })).status, 422, 'two levels, and no third')
  assert.equal((await put({ logo_file_id: `fil_${'0'.repeat(26)}` })).status, 422)
  assert.equal((await put({ logo_file_id: await addImage('other.png', 'course') })).status, 422, 'another purpose')
  const svg = await addFileNamed('a.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  for (const field of ['logo_file_id', 'favicon_file_id', 'social_image_file_id'])
    assert.equal((await put({ [field]: svg })).json.errors[0].code, 'unsupported_type', field)
  const order = { text: 'x', href: null, from: '2026-01-02T00:00:00.000Z', until: '2026-01-01T00:00:00.000Z' }
  assert.equal((await put({ announcement: order })).json.errors[0].pointer, '/announcement/until')
})

test('publishing refuses colors that cannot be told apart, in either scheme, and proposes others', async () => {
  const { input } = await readDraft()
  const { colors } = (await readDraft()).json
  const white = { ...colors, light: { ...colors.light, accent: '#ffffff', sheet: '#ffffff' } }
  const drafted = await put({ colors: white })
  assert.equal(drafted.status, 200, 'a draft may have them')
  const refused = await publish()
  assert.deepEqual([refused.status, refused.json.code], [422, 'contrast_too_low'])
  type Pair = { scheme: string; foreground: string; background: string; ratio: string; suggestion: object }
  const pairsIn = (reply: typeof refused): Pair[] => reply.json.pairs
  const found = pairsIn(refused).find(({ foreground, background }) => foreground === 'accent' && background === 'sheet')
  assert.deepEqual([found?.ratio, found?.scheme], ['1.00', 'light'])
  assert.match(JSON.stringify(found?.suggestion), /"accent":"#767676"/)
  const dark = { ...colors, dark: { ...colors.dark, ink: '#777777', page: '#888888' } }
  await put({ colors: dark })
  const second = await publish()
  assert.equal(second.status, 422)
  assert.ok(pairsIn(second).every(({ scheme }) => scheme === 'dark'))
  await put(input)
})

test('a published version is on every page with its own style sheet, and the CSS of the school only on the site', async () => {
  const angry = '</style><script>alert(1)</script>'
  const link = { label: angry, href: '/courses', page_id: null }
  const change = {
    custom_css: 'h1 { color: red }',
    navigation: [{ ...link, children: [{ ...link, label: 'Below' }] }],
    footer: { text: angry, links: [link], social: [{ service: 'mastodon', href: 'https://social.example/@crumb' }] },
    announcement: { text: angry, href: '/courses', from: null, until: null },
    sign_in: { image_file_id: null, text: angry },
    email: { header_image_file_id: null, footer: angry },
  }
  assert.equal((await put(change)).status, 200)
  const published = await publish()
  assert.equal(published.status, 201, published.text)
  const { number } = published.json
  assert.equal((await publish()).json.number, number, 'the same settings are not published twice')
  const sheet = new URL(published.json.css_url).pathname
  const { headers, text: css } = await app.send({ path: sheet })
  assert.deepEqual(
    [headers['content-type'], headers['cache-control']],
    ['text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  )
  assert.match(css, /\.school-content h1\{color:red\}/)
  const home = await readPage('/', sheet)
  assert.ok(home.includes(`href="${sheet}"`) && home.includes('<body class="school-content">'))
  assert.ok(!home.includes('<script>alert') && home.includes('&lt;script&gt;alert') && home.includes('@crumb'))
  for (const path of ['/account/sign-in', '/problems/not_found', '/docs/callback']) {
    const text = await readPage(path, '/appearance/')
    const [, other = ''] = /href="(\/appearance\/[\w-]{22}\.css)"/.exec(text) ?? []
    assert.ok(other !== '' && other !== sheet && !text.includes('school-content'), path)
    assert.ok(!(await app.send({ path: other })).text.includes('school-content'), path)
    assert.ok(!text.includes('<script>alert'), path)
  }
  const everything = await app.send({ path: '/api/v1/appearance' })
  assert.deepEqual([everything.json.version, everything.json.css_url], [number, published.json.css_url])
  for (const path of ['/appearance/x.css', `${sheet}x`, sheet.replace('.css', ''), '/appearance/..%2f.css'])
    assert.equal((await app.send({ path })).status, 404, path)
  assert.equal((await app.send({ path: sheet }, app.b)).status, 404, 'another school has its own')
})

test('a restored version whose logo was deleted is shown without it, and staff read a warning', async () => {
  const logo = await addImage('logo.png')
  const other = await addImage('other.png')
  assert.equal((await put({ logo_file_id: logo, favicon_file_id: logo })).status, 200)
  const first = (await publish()).json.number
  const shown = await readPage('/', `/appearance/images/640/${logo}`)
  assert.ok(shown.includes(`<img src="/appearance/images/640/${logo}" alt="">`), shown.slice(0, 2000))
  assert.ok(shown.includes('<a class="brand" href="/">'), 'the name is beside a logo of about its height')
  const image = await app.send({ path: `/appearance/images/640/${logo}` })
  assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/webp'])
  assert.equal((await app.send({ path: `/appearance/images/640/${other}` })).status, 404, 'it was never published')
  const editor = await ada()
  const inUse = await editor.write('DELETE', `/uploads/${logo.replace('fil_', 'upl_')}`)
  assert.equal(inUse.status, 409)
  const wide = await addImage('wide.png', 'appearance', 600)
  assert.equal((await put({ logo_file_id: wide })).status, 200)
  const { url } = (await editor.write('POST', '/appearance/previews')).json
  const previewed = await app.send({ path: new URL(url).pathname })
  assert.ok(previewed.text.includes('<a class="brand wordmark"'), 'a wide logo has the name in it')
  await publish()
  await readPage('/', '<a class="brand wordmark" href="/">')
  await put({ logo_file_id: other, favicon_file_id: null })
  await publish()
  assert.equal((await editor.write('DELETE', `/uploads/${logo.replace('fil_', 'upl_')}`)).status, 204)
  const restored = await editor.write('PUT', `/appearance/versions/${first}/restoration`)
  assert.deepEqual([restored.status, restored.json.logo_file_id, restored.json.logo], [200, null, null])
  assert.equal(restored.json.warnings[0].code, 'file_missing')
  const again = await publish()
  assert.deepEqual(again.json.missing_files, ['logo', 'favicon'])
  const without = await readPage('/', '<svg class="mark"')
  assert.ok(!without.includes('/appearance/images/'))
  const kept = await editor.get(`/appearance/versions/${first}`)
  assert.deepEqual([kept.json.logo_file_id, kept.json.logo, kept.json.status], [logo, null, 'superseded'])
  const list = await editor.get('/appearance/versions?limit=1&include_total=true')
  assert.deepEqual([list.json.data[0].status, list.json.data[0].number], ['published', list.json.total])
  assert.equal((await editor.get('/appearance/versions/99')).status, 404)
})

test('a preview shows the site with the draft for an hour, and links lead on within it', async () => {
  await put({ custom_css: '.hero { opacity: 0.9 }', announcement: null })
  const created = await (await ada()).write('POST', '/appearance/previews')
  assert.equal(created.status, 201, created.text)
  const path = new URL(created.json.url).pathname
  const home = await app.send({ path })
  assert.deepEqual(
    [home.status, home.headers['x-robots-tag'], home.headers['cache-control']],
    [200, 'noindex', 'no-store'],
  )
  assert.match(home.text, /<meta name="robots" content="noindex">/)
  assert.ok(home.text.includes(`href="${path}/courses"`) && home.text.includes(`href="${path}/search"`))
  assert.ok(home.text.includes(`href="${path}/site.css"`) && home.text.includes('school-content'))
  const search = await app.send({ path: `${path}/search` })
  assert.ok(search.text.includes(`action="${path}/search"`) && search.text.includes(`href="${path}/base.css"`))
  assert.doesNotMatch((await app.send({ path: `${path}/base.css` })).text, /school-content/)
  assert.match((await app.send({ path: `${path}/site.css` })).text, /\.school-content \.hero\{opacity:0\.9\}/)
  assert.equal((await app.send({ path: `${path}/courses/sourdough-from-scratch` })).status, 200)
  const [expires = '', mac = ''] = path.split('/').at(-1)?.split(/-(.*)/s) ?? []
  for (const token of [
    `${Number(expires) + 1}-${mac}`,
    `${expires}-${mac.replace(/^./, first => (first === 'z' ? 'y' : 'z'))}`,
    'x',
  ])
    assert.equal((await app.send({ path: `/appearance/previews/${token}` })).status, 404, token)
  assert.equal((await app.send({ path }, app.b)).status, 404, 'it is of this school')
  await app.moveClock(3601)
  assert.equal((await app.send({ path })).status, 404)
  assert.equal((await app.send({ path: `${path}/site.css` })).status, 404)
  await app.moveClock(-3601)
})

test('an announcement is shown from and until its instants', async () => {
  const [clock] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const at = (minutes: number) => new Date((clock?.now.getTime() ?? 0) + minutes * 60_000).toISOString()
  await put({ announcement: { text: 'Bake sale', href: null, from: at(30), until: at(90) } })
  const { json } = await publish()
  const sheet = new URL(json.css_url).pathname
  assert.ok(!(await readPage('/', sheet)).includes('Bake sale'))
  const announced = async () => (await app.send({ path: '/api/v1/appearance' })).json.announcement?.text
  assert.equal(await announced(), undefined, 'nobody reads it before')
  await app.moveClock(3600)
  assert.ok((await readPage('/', 'Bake sale')).includes('Bake sale'))
  assert.equal(await announced(), 'Bake sale')
  await app.moveClock(3600)
  const isOver = async () => !(await app.send({ path: '/courses' })).text.includes('Bake sale')
  await until(isOver, 'the announcement is over')
  assert.equal(await announced(), undefined)
  await app.moveClock(-7200)
})
