import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { addFile } from '#src/areas/files/index.ts'
import type { School } from '#src/contract/school.ts'
import { openDatabase } from '#src/db/database.ts'
import { people } from '#src/demo/index.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { until } from '#testing/until.ts'

const app = testApp()

const COURSE = '/courses/sourdough-from-scratch'
const PAGES = ['/', '/courses', COURSE, '/lecturers', '/lecturers/carla-nunes', '/developers']

const open = (path: string, headers: Readonly<Record<string, string>> = {}, school?: School): Promise<TestReply> =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en', ...headers } }, school)

const staff = (): Promise<Actor> =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write', 'school:read'] })

// The data of a page is kept for a second.
const untilPage = (path: string, holds: (page: TestReply) => boolean, awaited: string): Promise<void> =>
  until(async () => holds(await open(path)), awaited)

const publish = async (actor: Actor, input: Readonly<Record<string, unknown>>): Promise<string> => {
  const { json: course, status, text } = await actor.write('POST', '/courses', input)
  assert.equal(status, 201, text)
  const lecturer = (await actor.get('/lecturers/slug:carla-nunes')).json
  assert.ok((await actor.write('PUT', `/courses/${course.id}/lecturers/${lecturer.id}`)).status < 300)
  const published = await actor.write('PUT', `/courses/${course.id}/publication`)
  assert.equal(published.status, 200, published.text)
  return course.slug
}

test('every page of the site is the same for every visitor, may be cached, and answers 304 and HEAD', async () => {
  for (const path of PAGES) {
    const page = await open(path)
    assert.equal(page.status, 200, path)
    const { etag = '', 'set-cookie': cookies, ...headers } = page.headers
    assert.equal(cookies, undefined, path)
    assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate', path)
    assert.equal(headers.vary, 'Accept-Language, Cookie, Accept-Encoding', path)
    assert.equal(headers['referrer-policy'], 'same-origin', path)
    const other = await open(path, { cookie: 'theme=dark' })
    assert.deepEqual([other.text, other.headers.etag, other.headers['set-cookie']], [page.text, etag, undefined], path)
    const again = await open(path, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], path)
    const head = await app.send({ method: 'HEAD', path, headers: { accept: 'text/html', 'accept-language': 'en' } })
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', etag], path)
    assert.match(page.text, new RegExp(`<link rel="canonical" href="${app.a.baseUrl}${path}">`))
    assert.doesNotMatch(page.text, /noindex|<style|\sstyle=|\son\w+=/, path)
    assert.doesNotMatch(page.text.replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, ''), /<script/)
  }
})

test('the policy of the site allows its own files and the players of lessons, and no script', async () => {
  const policy = String((await open('/')).headers['content-security-policy'])
  for (const part of [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self';",
    "media-src 'self';",
    'frame-src https://www.youtube-nocookie.com ',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(part), part)
  assert.doesNotMatch(policy, /unsafe|script-src/)
  for (const path of ['/assets/base.css', '/assets/site.css', '/assets/fonts.css'])
    assert.match(String((await open(path)).headers['content-type']), /^text\/css/)
  const font = await open('/assets/fonts/noto-sans-latin-400.woff2')
  assert.deepEqual([font.status, font.headers['content-type']], [200, 'font/woff2'])
})

test('a course page shows the outline, the lecturers, the reviews, the prices and the previews', async () => {
  const { text } = await open(COURSE)
  for (const part of [
    'Sourdough from scratch',
    'Heat and steam',
    'Carla Nunes',
    'Worth every early morning',
    '€49',
    '3 × €18',
    'each month · €54 in total',
  ])
    assert.ok(text.includes(part), part)
  assert.ok(!text.includes('Folding') && !text.includes('Crackers'), 'a draft of a lesson')
  const [data = ''] = /(?<=<script type="application\/ld\+json">)[^<]*/.exec(text) ?? []
  const course = JSON.parse(data)
  assert.deepEqual(
    [course['@type'], course.offers[0].price, course.offers[0].priceCurrency],
    ['Course', '49.00', 'EUR'],
  )
  const preview = /href="(\/courses\/sourdough-from-scratch\/preview\/les_\w+)"/.exec(text)?.[1] ?? ''
  assert.match((await open(preview)).text, /wild yeast/)
  const lessons = await (await staff()).get('/courses/slug:sourdough-from-scratch')
  assert.equal(lessons.status, 200)
})

test('a lesson that is no preview, an unknown one and one of another course are not found', async () => {
  const { text } = await open(COURSE)
  const preview = /les_\w+/.exec(text)?.[0] ?? ''
  const { json } = await app.send({ path: '/api/v1/courses/slug:sourdough-from-scratch/lessons' })
  const locked = json.data.find((lesson: { preview: boolean }) => !lesson.preview)
  for (const path of [
    `${COURSE}/preview/${locked.id}`,
    `${COURSE}/preview/les_00000000000000000000000000`,
    `${COURSE}/preview/x`,
    `/courses/first-loaf/preview/${preview}`,
  ])
    assert.equal((await open(path)).status, 404, path)
})

test('what is unknown, a draft, archived or of another school is the same page of 404', async () => {
  const paths = [
    '/courses/nobody',
    '/courses/rye-for-the-patient',
    '/courses/winter-stollen',
    '/courses/..%2fapi',
    '/lecturers/nobody',
  ]
  const pages = await Promise.all(paths.map(path => open(path)))
  for (const [index, page] of pages.entries()) {
    assert.equal(page.status, 404, paths[index])
    assert.match(page.text, /Page not found/)
    assert.match(page.text, /noindex/)
    assert.equal(page.text, pages[0]?.text, paths[index])
  }
  assert.equal((await open('/courses?category=nobody')).status, 404)
  assert.equal((await open('/courses?cursor=nonsense')).status, 400)
  const problem = await app.send({ path: '/courses/nobody' })
  assert.match(String(problem.headers['content-type']), /problem\+json/)
  const list = await open('/courses')
  for (const name of ['Rye for the patient', 'Winter stollen']) assert.ok(!list.text.includes(name), name)
})

test('an unlisted course is found by its address alone, and kept from search engines', async () => {
  const actor = await staff()
  const slug = await publish(actor, { name: 'Hidden rolls', visibility: 'unlisted' })
  const page = await open(`/courses/${slug}`)
  assert.equal(page.status, 200)
  assert.match(page.text, /noindex/)
  assert.doesNotMatch(page.text, /canonical|ld\+json/)
  await publish(actor, { name: 'Seen rolls' })
  await untilPage('/courses', ({ text }) => text.includes('Seen rolls'), 'the course in the list')
  for (const path of ['/', '/courses', '/search?q=rolls', '/lecturers/carla-nunes', '/sitemaps/courses-1.xml'])
    assert.doesNotMatch((await open(path)).text, /hidden-rolls/i, path)
})

test('an earlier slug of a course and of a lecturer leads to the current one for good', async () => {
  const actor = await staff()
  const slug = await publish(actor, { name: 'Old name' })
  await actor.write('PATCH', `/courses/slug:${slug}`, { slug: 'new-name' })
  await untilPage(`/courses/${slug}`, ({ status }) => status === 301, 'the redirect')
  assert.equal((await open(`/courses/${slug}`)).headers.location, '/courses/new-name')
  await actor.write('PATCH', '/lecturers/slug:gil-tavares', { slug: 'gil' })
  await untilPage('/lecturers/gil-tavares', ({ status }) => status === 301, 'the redirect')
  assert.equal((await open('/lecturers/gil-tavares')).headers.location, '/lecturers/gil')
})

test('a preview follows its course: its address when the slug changes, and out of search engines when it is unlisted', async () => {
  const actor = await app.actor('ada', {
    scopes: ['courses:read', 'courses:write', 'lecturers:read', 'curriculum:read', 'curriculum:write'],
  })
  const slug = await publish(actor, { name: 'Shown lesson' })
  const section = await actor.write('POST', `/courses/slug:${slug}/sections`, { name: 'Start' })
  const lesson = { name: 'Open to all', type: 'text', status: 'published', preview: true }
  const created = await actor.write('POST', `/sections/${section.json.id}/lessons`, lesson)
  assert.equal(created.status, 201, created.text)
  const path = `/courses/${slug}/preview/${created.json.id}`
  await untilPage(path, ({ status }) => status === 200, 'the preview')
  const { text } = await open(path)
  assert.match(text, new RegExp(`<link rel="canonical" href="${app.a.baseUrl}${path}">`))
  assert.match(text, new RegExp(`<meta property="og:url" content="${app.a.baseUrl}${path}">`))
  await actor.write('PATCH', `/courses/slug:${slug}`, { slug: 'shown', visibility: 'unlisted' })
  await untilPage(path, ({ status }) => status === 301, 'the redirect')
  const moved = (await open(path)).headers.location ?? ''
  assert.equal(moved, `/courses/shown/preview/${created.json.id}`)
  await untilPage(moved, page => /noindex/.test(page.text), 'the page that search engines leave out')
  assert.doesNotMatch((await open(moved)).text, /canonical|og:url/)
})

test('previews of a link have the name, the description and the address of a page', async () => {
  const { text } = await open(COURSE)
  const properties = Object.fromEntries(
    [...text.matchAll(/<meta property="([^"]*)" content="([^"]*)">/g)].map(([, name = '', value]) => [name, value]),
  )
  assert.deepEqual(properties, {
    'og:site_name': 'Crumb &amp; Crust',
    'og:type': 'website',
    'og:title': 'Sourdough from scratch',
    'og:description': 'Flour, water, salt and time',
    'og:url': `${app.a.baseUrl}${COURSE}`,
  })
})

const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>{x}'`

test('names and texts with markup are shown as text, in pages and in data blocks', async () => {
  const actor = await staff()
  const lecturer = await actor.write('POST', '/lecturers', {
    display_name: EVIL,
    slug: 'evil',
    bio: `${EVIL}\n\n[x](javascript:alert(1))`,
    links: [{ label: EVIL, url: 'https://evil.example/"><script>' }],
  })
  assert.equal(lecturer.status, 201, lecturer.text)
  const slug = await publish(actor, {
    name: EVIL,
    slug: 'evil-course',
    subtitle: EVIL,
    description: `# ${EVIL}\n\n[x](javascript:alert(1)) ![x](https://evil.example/x.png)`,
    seo: { title: `</script>${EVIL}`, description: `</script>${EVIL}` },
  })
  await actor.write('POST', '/categories', { name: EVIL, slug: 'evil', description: EVIL })
  await untilPage('/courses', ({ text }) => text.includes(slug), 'the course in the list')
  for (const path of [
    '/',
    '/courses',
    `/courses/${slug}`,
    '/courses?category=evil',
    '/lecturers',
    '/lecturers/evil',
    `/search?q=${encodeURIComponent(EVIL)}`,
    '/search?q=script',
  ]) {
    const { text, status } = await open(path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /<script>|<img src="?(?:x|https:\/\/evil)|href="javascript/i, path)
    assert.doesNotMatch(text.replaceAll(/"[^"<>]*"/g, '""'), /<\w[^>]* onerror/i, path)
    for (const [data] of text.matchAll(/(?<=<script type="application\/ld\+json">).*?(?=<\/script>)/gs))
      assert.doesNotThrow(() => JSON.parse(data), path)
  }
})

test('the frame is in the language of the visitor, and the texts of the school say theirs', async () => {
  const english = await open(COURSE)
  assert.match(english.text, /<html lang="en">/)
  const portuguese = await open(COURSE, { 'accept-language': 'pt-PT,en;q=0.5' })
  assert.match(portuguese.text, /<html lang="pt">/)
  assert.match(portuguese.text, /<h1 lang="en" dir="auto">Sourdough/)
  assert.match(portuguese.text, /49\s€/)
  assert.notEqual(portuguese.headers.etag, english.headers.etag)
})

test('categories filter courses, pages go on, and search engines see the first page alone', async () => {
  const { text } = await open('/courses?category=bread')
  assert.match(text, /Sourdough from scratch/)
  assert.match(text, /aria-current="page"><span[^>]*>Bread/)
  assert.doesNotMatch((await open('/courses?category=workshops')).text, /Sourdough from scratch/)
})

test('another school shows its own courses alone', async () => {
  const actor = await staff()
  const slug = await publish(actor, { name: 'Only at the first school' })
  await untilPage('/courses', ({ text }) => text.includes(slug), 'the course in the list')
  const { text } = await open('/courses', {}, app.b)
  assert.match(text, /Sourdough from scratch/)
  assert.doesNotMatch(text, /Only at the first school/)
  assert.equal((await open(`/courses/${slug}`, {}, app.b)).status, 404)
})

test('robots.txt names the sitemap, and the sitemap lists what the lists of the API show to anybody', async () => {
  const robots = await app.send({ path: '/robots.txt' })
  assert.match(robots.text, new RegExp(`^Sitemap: ${app.a.baseUrl}/sitemap\\.xml$`, 'm'))
  for (const path of ['/account', '/staff', '/oauth/', '/api/']) assert.ok(robots.text.includes(`Disallow: ${path}\n`))
  const index = await app.send({ path: '/sitemap.xml' })
  const files = [...index.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url.slice(app.a.baseUrl.length))
  assert.deepEqual(
    files,
    ['pages', 'content', 'courses', 'products', 'plans', 'posts', 'events', 'lecturers'].map(
      name => `/sitemaps/${name}-1.xml`,
    ),
  )
  for (const [file, list] of [
    ['/sitemaps/courses-1.xml', 'courses'],
    ['/sitemaps/lecturers-1.xml', 'lecturers'],
  ]) {
    const { text } = await app.send({ path: file ?? '' })
    const { json } = await app.send({ path: `/api/v1/${list}?limit=100` })
    const listed = json.data.map(({ slug }: { slug: string }) => `${app.a.baseUrl}/${list}/${slug}`)
    const urls = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
    assert.deepEqual(urls.sort(), listed.sort())
  }
  const { text: lists } = await app.send({ path: '/sitemaps/pages-1.xml' })
  for (const path of ['/courses', '/lecturers', '/products', '/plans', '/blog', '/events'])
    assert.ok(lists.includes(`<loc>${app.a.baseUrl}${path}</loc>`), path)
  for (const path of [
    '/sitemaps/courses-2.xml',
    '/sitemaps/orders-1.xml',
    '/sitemaps/constructor-1.xml',
    '/sitemaps/x',
  ])
    assert.equal((await app.send({ path })).status, 404, path)
})

test('the picture of a course is in its card, on its page and in previews of a link', async () => {
  const database = openDatabase(app.database.appUrl, { wait: 10_000, max: 2 })
  try {
    const bytes = await readFile(new URL('../src/demo/files/pictures/starter.webp', import.meta.url))
    const [ada] = await app.database.query<{ id: string }>(
      'select id from members where email_folded = $1 and school_id = $2',
      [people.ada.email, app.a.id],
    )
    const file = {
      memberId: ada?.id ?? '',
      purpose: 'course',
      filename: 'starter.webp',
      contentType: 'image/webp',
    } as const
    const id = await addFile({ database, school: app.a, files: app.files }, { ...file, bytes })
    await app.database.query('update courses set image_file_id = $1 where school_id = $2 and slug = $3', [
      id,
      app.a.id,
      'first-loaf',
    ])
    await app.database.query('update uploads set unlinked_since = null where id = $1', [id])
    await untilPage('/courses', ({ text }) => text.includes('starter.webp?width=640'), 'the picture')
    const { text } = await open('/courses/first-loaf')
    const address = /<img src="([^"]*)"/.exec(text)?.[1] ?? ''
    const picture = await app.send({ path: address.slice(app.a.baseUrl.length) })
    assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/webp'])
    assert.match(text, /<meta property="og:image" content="http[^"]*starter\.webp\?width=1280">/)
  } finally {
    await database.close()
  }
})
