import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { endpoints } from '#testing/matrix.ts'
import { until } from '#testing/until.ts'

const statements: string[] = []
const app = testApp({ onStatement: text => statements.push(text) })
const ben = { email: people.ben.email, password: PASSWORD }
const adaIn = { email: people.ada.email, password: PASSWORD }
const PATH = '/staff/appearance'

const enter = () => enterAccount({ ...ben, port: app.port, school: app.a })

const SHAPES = { heading: '', body: '', radius: 'soft', width: 'normal' }

const formIn = (page: TestReply) => formTo(page, PATH, { revision: fieldIn(page, 'revision') })

const fieldIn = (page: TestReply, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''

test('staff save colors, read which cannot be told apart, use what is proposed, and publish', async () => {
  const browser = await enter()
  const send = async (fields: Readonly<Record<string, string>>) =>
    browser.submit(formIn(await browser.open(PATH)), Object.entries({ ...SHAPES, ...fields }))
  const saved = await send({ act: 'save', light_accent: '#ffffff', light_sheet: '#ffffff' })
  assert.match(saved.text, /The draft is saved/)
  assert.match(saved.text, /1\.00/)
  const refused = await send({ act: 'publish' })
  assert.equal(refused.status, 422, refused.text)
  assert.match(refused.text, /id="complaint">Not published/)
  for (let round = 0; round < 20; round++) {
    const page = await browser.open(PATH)
    if (!page.text.includes('value="suggestion"')) break
    await browser.submit(formTo(page, PATH, { act: 'suggestion' }), [])
  }
  const css = await send({ act: 'save', css: 'a { behavior: none }' })
  assert.equal(css.status, 422)
  assert.match(css.text, /line 1: the property behavior is not allowed/)
  assert.match(css.text, /a \{ behavior: none \}/, 'what was typed is still there')
  const links = await send({ act: 'save', navigation: 'Evil | javascript:alert(1)' })
  assert.match(links.text, /A line of the navigation/)
  const long = await send({ act: 'save', sign_in: 'x'.repeat(501) })
  assert.match(long.text, /The text on the sign-in page has more than 500 characters/)
  const announced = await send({ act: 'save', announcement: 'Bake sale', from: '2026-07-01T09:30', until: 'soon' })
  assert.match(announced.text, /The announcement has an address or a time/)
  const published = await send({ act: 'publish', navigation: 'Courses | /courses\n- Bread | /courses?category=bread' })
  assert.match(published.text, /It is published/)
  const stale = await browser.submit(
    formIn(await browser.open(PATH)),
    Object.entries({ ...SHAPES, act: 'save', revision: '1' }),
  )
  assert.equal(stale.status, 412)
  assert.match(stale.text, /Somebody else changed the draft/)
  const preview = await send({ act: 'preview', footer: 'Only in the draft' })
  assert.match(preview.text, /Only in the draft/)
  const restored = await browser.submit(formTo(await browser.open(PATH), PATH, { act: 'restore', version: '1' }), [])
  assert.match(restored.text, /The version is in the draft/)
})

test('two who edit the draft see what differs, and keep theirs or take that of the other', async () => {
  const [ben, ada] = [await enter(), await enterAccount({ ...adaIn, port: app.port, school: app.a })]
  const before = formIn(await ada.open(PATH))
  await ben.submit(
    formIn(await ben.open(PATH)),
    Object.entries({ ...SHAPES, act: 'save', footer: 'Ben <b>baked</b> it' }),
  )
  const typed = { ...SHAPES, pair: 'gentle', footer: 'Ada baked it', light_page: '#fefefe' }
  const conflict = await ada.submit(before, Object.entries({ ...typed, act: 'publish' }))
  assert.equal(conflict.status, 412)
  const [section = ''] = /<section class="card conflict"[\s\S]*?<\/section>/.exec(conflict.text) ?? []
  for (const said of ['Text of the footer', '<mark>Ada', '&lt;b&gt;', 'Lora', 'Page (Light)'])
    assert.ok(section.includes(said), `${said} is in ${section}`)
  assert.match(conflict.text, /name="footer"[^>]*>\s*Ada baked it/, 'the fields have what was typed')
  const taken = await ada.submit(before, Object.entries({ ...typed, act: 'take' }))
  assert.match(taken.text, /name="footer"[^>]*>\s*Ben &lt;b&gt;baked/)
  assert.match(taken.text, /What you typed[\s\S]*<mark>Ada/)
  const revision = fieldIn(conflict, 'revision')
  const kept = await ada.submit(before, Object.entries({ ...typed, act: 'save', revision }))
  assert.match(kept.text, /The draft is saved/)
  const api = await app.actor('ada', { scopes: ['appearance:read'] })
  const { fonts, footer } = (await api.get('/appearance/draft')).json
  assert.deepEqual([fonts, footer.text], [{ heading: 'lora', body: 'work_sans' }, 'Ada baked it'])
})

const countPreviews = async (): Promise<number> =>
  (await app.database.query("select from audit_log where operation = 'createAppearancePreview'")).length

test('the draft is shown in a frame of the same host, read as a visitor reads it, and nothing else of the site is', async () => {
  const recorded = await countPreviews()
  const browser = await enter()
  const page = await browser.open(PATH)
  const [, preview = ''] = /<iframe name="preview" src="(\/appearance\/previews\/[^"]+)"/.exec(page.text) ?? []
  assert.match(page.text, /<iframe [^>]*sandbox="allow-same-origin"/)
  const policy = String(page.headers['content-security-policy'])
  assert.ok(policy.includes(`frame-src ${app.a.siteOrigin}/appearance/previews/;`), policy)
  assert.match(policy, /frame-ancestors 'none'/)
  for (const path of ['', '/courses', '/courses/sourdough-from-scratch', '/nothing']) {
    const shown = await browser.open(`${preview}${path.replace('/nothing', '/courses/nothing')}`)
    assert.equal(shown.headers['x-frame-options'], 'SAMEORIGIN', path)
    assert.match(String(shown.headers['content-security-policy']), /frame-ancestors 'self'$/, path)
    assert.ok(!shown.text.includes(people.ben.name), 'nobody is signed in there')
  }
  for (const path of ['/', '/courses', '/account', '/account/sign-in', '/staff']) {
    const other = await browser.open(path)
    assert.equal(other.headers['x-frame-options'], 'DENY', path)
    assert.match(String(other.headers['content-security-policy']), /frame-ancestors 'none'/, path)
  }
  const dark = await browser.open(`${preview}?scheme=dark`)
  assert.match(dark.text, /<html data-scheme="dark"/)
  const [, sheet = ''] = /href="(\/appearance\/previews\/[^"]+\.css\?scheme=dark)"/.exec(dark.text) ?? []
  const { text: css } = await browser.open(sheet)
  assert.match(css, /@media screen and \(update\)\{:root\{--/)
  assert.match(css, /"Playfair Display"/, 'a font that may be chosen next')
  const forged = preview.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
  assert.equal((await app.send({ path: forged, headers: { accept: 'application/json' } })).status, 404)
  assert.equal(await countPreviews(), recorded, 'reading the page records nothing')
})

test('the times of an announcement are those of the person, and keep their seconds where nobody changes them', async () => {
  const from = '2026-07-01T08:30:15.000Z'
  await app.database.query(`update members set time_zone = 'Europe/Lisbon' where email = '${people.ben.email}'`)
  const ada = await app.actor('ada', { scopes: ['appearance:read'] })
  const browser = await enter()
  const save = async (until: string) => {
    const fields = { ...SHAPES, act: 'save', announcement: 'Bake sale', from: '2026-07-01T09:30', until }
    const bars = { navigation: 'Bread | rolls | /courses' }
    return browser.submit(formIn(await browser.open(PATH)), Object.entries({ ...fields, ...bars }))
  }
  const first = await save('2026-12-24T18:00')
  assert.match(first.text, /Shown from \(Europe\/Lisbon\)/)
  await app.database.query(`update appearances set draft = jsonb_set(draft, '{announcement,from}', '"${from}"')`)
  assert.match((await save('2026-12-24T18:30')).text, /name="from"[^>]* value="2026-07-01T09:30"/)
  const { announcement, navigation } = (await ada.get('/appearance/draft')).json
  assert.deepEqual([announcement.from, announcement.until], [from, '2026-12-24T18:30:00.000Z'])
  assert.deepEqual([navigation[0].label, navigation[0].href], ['Bread | rolls', '/courses'])
})

test('a page of the site reads the look with the school, and no statement more', async () => {
  const isRead = async () => {
    statements.length = 0
    const { text } = await app.send({ path: '/developers' })
    assert.match(text, /\/appearance\/[\w-]{22}\.css/)
    assert.deepEqual(
      statements.filter(statement => /appearance/.test(statement)),
      [],
      'the look comes with the school',
    )
    const others = statements.filter(
      statement => !/digital_products|product_files|membership_plans|from pages/.test(statement),
    )
    return others.length <= 1
  }
  // What is read for all pages is read again after a write, which may be one of a job that ends meanwhile.
  await until(isRead, 'a page that reads the look with the school, and no statement more')
})

const readSheet = ({ text }: TestReply): string => /href="(\/appearance\/[\w-]{22}\.css)"/.exec(text)?.[1] ?? 'none'

test('pages to pay, learn and manage have the colors of the school, and not its CSS', async () => {
  const browser = await enter()
  const fields = { ...SHAPES, act: 'publish', css: 'h1 { top: 0 }' }
  const published = await browser.submit(formIn(await browser.open(PATH)), Object.entries(fields))
  assert.match(published.text, /It is published/)
  const isStyled = async () =>
    (await app.send({ path: readSheet(await app.send({ path: '/developers' })) })).text.includes('.school-content')
  await until(isStyled, 'the CSS of the school')
  const course = await app.send({ path: '/courses/sourdough-from-scratch' })
  assert.match(course.text, /<body class="school-content">/)
  const [, checkout = ''] = /href="(\/checkout\?price=[^"]*)"/.exec(course.text) ?? []
  const pages = [await app.send({ path: checkout, headers: { accept: 'text/html' } })]
  for (const path of ['/learn', '/account/orders', '/staff/orders', '/staff/coupons'])
    pages.push(await browser.open(path))
  for (const page of pages) {
    assert.equal(page.status, 200, page.text)
    assert.doesNotMatch(page.text, /school-content/)
    const { text } = await app.send({ path: readSheet(page) })
    assert.match(text, /--accent/)
    assert.doesNotMatch(text, /school-content/)
  }
})

// Pages of the site whose routes have parameters.
const SOME = ['/courses/sourdough-from-scratch', '/products/sourdough-workbook', '/search?q=bread', '/nothing-here']

test('no page on which people type has the CSS of the school, and a link leads to the search instead of a field', async () => {
  const sheet = readSheet(await app.send({ path: '/developers' }))
  const paths = endpoints.flatMap(({ route }) => /^GET (\/[^:*]*)$/.exec(route)?.[1] ?? [])
  const [styled, typed]: [string[], string[]] = [[], []]
  for (const path of [...paths, ...SOME]) {
    const { text } = await app.send({ path, headers: { accept: 'text/html' } })
    const isStyled = text.includes('school-content') || text.includes(sheet)
    const isTyped = /<(?:form|input|select|textarea)\b/.test(text)
    assert.ok(!(isStyled && isTyped), path)
    if (isStyled) styled.push(path)
    if (isTyped) typed.push(path)
  }
  for (const path of ['/', '/courses', '/lecturers', ...SOME.filter(one => !one.startsWith('/search'))])
    assert.ok(styled.includes(path), path)
  for (const path of ['/search', '/search?q=bread', '/account/sign-up', '/account/sign-in'])
    assert.ok(typed.includes(path), path)
  const home = await app.send({ path: '/' })
  assert.match(home.text, /<a class="tool [^"]*" href="\/search"/)
})

test('each page has one version as a whole while another one is published', async () => {
  const ada = await app.actor('ada', { scopes: ['appearance:read', 'appearance:write'] })
  const publish = async (name: string) => {
    const { json, headers } = await ada.get('/appearance/draft')
    const fields = ['logo_file_id', 'logo_dark_file_id', 'favicon_file_id', 'social_image_file_id', 'colors', 'fonts']
    const more = ['radius', 'width', 'navigation', 'announcement']
    const body = {
      ...Object.fromEntries([...fields, ...more].map(field => [field, json[field]])),
      footer: { ...json.footer, text: `Footer ${name}` },
      email: { header_image_file_id: null, footer: null },
      sign_in: { image_file_id: null, text: null },
      custom_css: `.version-${name} {\n  top:0;\n}`,
    }
    const put = await ada.write('PUT', '/appearance/draft', body, { 'if-match': String(headers.etag) })
    assert.equal(put.status, 200, put.text)
    const published = await ada.write('POST', '/appearance/publications', undefined, {
      'if-match': String(put.headers.etag),
    })
    assert.equal(published.status, 201, published.text)
  }
  let isOver = false
  const seen = new Set<string>()
  const read = async (): Promise<void> => {
    while (!isOver) {
      const { text } = await app.send({ path: '/developers' })
      const [, sheet = ''] = /href="(\/appearance\/[\w-]{22}\.css)"/.exec(text) ?? []
      const [, footer = 'none'] = /Footer (\w+)</.exec(text) ?? []
      const css = await app.send({ path: sheet })
      const [, version = 'none'] = /version-(\w+)/.exec(css.text) ?? []
      assert.equal(version, footer)
      seen.add(version)
    }
  }
  const readers = Promise.all([read(), read(), read()])
  for (const name of ['one', 'two', 'three']) await publish(name)
  const end = async () => {
    while (!seen.has('three')) await app.send({ path: '/healthz' })
    isOver = true
  }
  await Promise.all([readers, end()])
})

test('an image is uploaded without a script, shown, and removed; what is not an image is refused', async () => {
  const browser = await enter()
  const upload = async (file: Buffer) => {
    const page = await browser.open(PATH)
    const data = new FormData()
    for (const [name, value] of formIn(page).fields) data.set(name, value)
    for (const [name, value] of Object.entries({
      ...SHAPES,
      footer: 'Typed beside it',
      act: 'add_image',
      field: 'logo',
    }))
      data.set(name, value)
    data.set('file', new File([new Uint8Array(file)], 'logo.png', { type: 'image/png' }))
    const request = new Request('http://x.example', { method: 'POST', body: data })
    return app.send({
      method: 'POST',
      path: PATH,
      headers: {
        accept: 'text/html',
        cookie: formatCookie(browser),
        origin: app.a.baseUrl,
        'content-type': request.headers.get('content-type') ?? '',
      },
      body: Buffer.from(await request.arrayBuffer()),
    })
  }
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
  const added = await upload(await picture.png().toBuffer())
  assert.equal(added.status, 303, added.text)
  assert.match((await browser.open(PATH)).text, /class="thumbnail" src="[^"]*logo\.png/)
  const refused = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  assert.deepEqual([refused.status, /not a PNG, WebP or JPEG/.test(refused.text)], [422, true], refused.text)
  const photograph = await upload(await picture.jpeg().toBuffer())
  assert.deepEqual([photograph.status, /must be a PNG or WebP/.test(photograph.text)], [422, true], photograph.text)
  assert.match(photograph.text, /Typed beside it/)
  const page = await browser.open(PATH)
  await browser.submit(formIn(page), Object.entries({ ...SHAPES, act: 'remove_logo', footer: 'Typed beside it' }))
  assert.match((await browser.open(PATH)).text, /Typed beside it/)
  assert.doesNotMatch((await browser.open(PATH)).text, /class="thumbnail"/)
})
