import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { until } from '#testing/until.ts'

const app = testApp()

const open = (path: string, school?: School, language = 'en'): Promise<TestReply> =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': language } }, school)

test('an address that nothing has is a page of the school for people, and a problem for programs', async () => {
  for (const path of ['/nothing', '/nothing/at/all', '/courses/a/b', '/account/nothing']) {
    const page = await open(path)
    assert.equal(page.status, 404, path)
    assert.match(page.text, /<h1>Page not found[\s\S]*<nav /, path)
    assert.match(page.text, /noindex/, path)
    assert.match(String(page.headers.vary), /Accept, Accept-Language/, path)
    const head = await app.send({ method: 'HEAD', path, headers: { accept: 'text/html' } })
    assert.deepEqual([head.status, head.text], [404, ''], path)
  }
  assert.match((await open('/nothing', undefined, 'pt')).text, /Página não encontrada/)
  const problem = await app.send({ path: '/nothing' })
  assert.match(String(problem.headers['content-type']), /problem\+json/)
  assert.equal((await app.send({ method: 'POST', path: '/nothing', headers: { accept: 'text/html' } })).status, 404)
})

test('a test school says so on every page, and keeps search engines away', async () => {
  const path = '/courses/sourdough-from-scratch'
  assert.doesNotMatch((await open(path, app.b)).text, /test school|noindex/)
  await app.database.query('update schools set is_test = true where id = $1', [app.b.id])
  await until(async () => /test school/.test((await open(path, app.b)).text), 'the note')
  for (const at of ['/', '/courses', path]) {
    const { text } = await open(at, app.b)
    assert.match(text, /this is a test school[\s\S]*noindex|noindex[\s\S]*this is a test school/, at)
    assert.doesNotMatch(text, /rel="canonical"|ld\+json/, at)
  }
  assert.match((await app.send({ path: '/robots.txt' }, app.b)).text, /^Disallow: \/$/m)
  await app.database.query('update schools set is_test = false where id = $1', [app.b.id])
})

test('a school without courses and lecturers has pages that say so', async () => {
  await app.database.query(`update courses set visibility = 'unlisted' where school_id = $1`, [app.b.id])
  await app.database.query(`update lecturers set visibility = 'hidden' where school_id = $1`, [app.b.id])
  await app.database.query('update schools set description = $2 where id = $1', [app.b.id, ''])
  await until(async () => /No courses were found/.test((await open('/courses', app.b)).text), 'the empty list')
  await until(async () => !/name="description"/.test((await open('/', app.b)).text), 'the school without a description')
  const home = await open('/', app.b)
  assert.match(home.text, /<h1 [^>]*>[^<]+<\/h1>[\s\S]*The first courses are being prepared/)
  assert.doesNotMatch(home.text, /og:image|name="description"/)
  assert.match((await open('/lecturers', app.b, 'pt')).text, /Ainda não há docentes/)
  assert.match((await open('/search?q=scratch', app.b)).text, /Nothing was found/)
  const sitemap = await app.send({ path: '/sitemaps/courses-1.xml' }, app.b)
  assert.deepEqual([sitemap.status, /<url>/.test(sitemap.text)], [200, false])
})

test('a school in another script says its language and leaves the direction to its texts', async () => {
  await app.database.query('update schools set name = $2, description = $3, locale = $4 where id = $1', [
    app.b.id,
    'مدرسة الخبز',
    'خبز كل يوم',
    'ar',
  ])
  await until(async () => /مدرسة[\s\S]*خبز كل يوم/.test((await open('/', app.b)).text), 'the name and the description')
  const { text } = await open('/', app.b)
  assert.match(text, /<html lang="en">/)
  assert.match(text, /<h1 class="hero-title" lang="ar" dir="auto">خبز كل يوم<\/h1>/)
  assert.match(text, /<span lang="ar" dir="auto">مدرسة الخبز<\/span>/)
  assert.match((await app.send({ path: '/assets/icon.svg' }, app.b)).text, /<text [^>]*>م<\/text>/)
})

test('every page of a school has its mark: in the header, above sheets and in the tab', async () => {
  const mark = /<svg class="mark"[^>]*><rect[^>]*\/><text[^>]*>CC<\/text><\/svg><span[^>]*>Crumb &amp; Crust/
  for (const path of [
    '/',
    '/courses/nobody',
    '/account/sign-in',
    '/account/sign-up',
    '/oauth/authorize',
    '/problems/conflict',
  ])
    assert.match((await open(path)).text, mark, path)
  const icon = await app.send({ path: '/assets/icon.svg' })
  assert.deepEqual(
    [icon.headers['content-type'], icon.headers['content-security-policy']],
    ['image/svg+xml', "default-src 'none'"],
  )
  assert.match(icon.text, /^<svg [^>]*><title>Crumb &amp; Crust<\/title>[\s\S]*>CC<\/text>/)
  const { etag = '' } = icon.headers
  assert.equal((await app.send({ path: '/assets/icon.svg', headers: { 'if-none-match': etag } })).status, 304)
})

test('the day on which access ends is that of the school', async () => {
  const actor = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  await app.database.query(`update schools set time_zone = 'Pacific/Auckland' where id = $1`, [app.a.id])
  const { json: course } = await actor.write('POST', '/courses', { name: 'Until the day' })
  const price = { payment_type: 'one_time', amount: 100, access: { until: '2030-01-31T23:30:00.000Z' } }
  const created = await actor.write('POST', `/courses/${course.id}/prices`, price)
  assert.equal(created.status, 201, created.text)
  assert.equal((await actor.write('PUT', `/courses/${course.id}/publication`)).status, 200)
  const path = `/courses/${course.slug}`
  await until(async () => /Access until 1 February 2030/.test((await open(path)).text), 'the price in the zone')
  assert.match((await open(path, undefined, 'pt')).text, /Acesso até 1 de fevereiro de 2030/)
})

test('prices say whether they contain the tax, and free ones say nothing', async () => {
  const path = '/courses/sourdough-from-scratch'
  assert.doesNotMatch((await open(path)).text, /[Tt]axes/)
  for (const [mode, en, pt] of [
    ['inclusive', 'Taxes included', 'Impostos incluídos'],
    ['exclusive', 'Plus taxes', 'Acrescem impostos'],
  ] as const) {
    await app.database.query(
      `insert into school_selling (school_id, legal, tax, checkout, subscriptions, comments, revision, updated_at)
       values ($1, '{}', jsonb_build_object('mode', $2::text), '{}', '{}', '{}', 2, now())
       on conflict (school_id) do update set tax = excluded.tax`,
      [app.a.id, mode],
    )
    await until(async () => (await open(path)).text.includes(`>${en}<`), en)
    assert.ok((await open(path, undefined, 'pt')).text.includes(`>${pt}<`), pt)
    assert.doesNotMatch((await open('/courses/first-loaf')).text, /axes/)
  }
})

test('a sitemap of more than 50,000 pages continues in another file', async () => {
  await app.database.query('alter table lecturers disable trigger user')
  await app.database.query(
    `insert into lecturers (school_id, id, display_name, name_folded, slug, bio, links, position, visibility, created_at, updated_at)
     select $1, gen_random_uuid(), 'n', 'n', 'many-' || n, '', '[]', 100, 'visible', now(), now()
     from generate_series(1, 50001) as n`,
    [app.b.id],
  )
  const index = await app.send({ path: '/sitemap.xml' }, app.b)
  assert.match(index.text, /lecturers-1\.xml[\s\S]*lecturers-2\.xml/)
  assert.doesNotMatch(index.text, /lecturers-3|courses-2/)
  const slugs: string[] = []
  for (const file of ['lecturers-1.xml', 'lecturers-2.xml']) {
    const { text } = await app.send({ path: `/sitemaps/${file}` }, app.b)
    const found = [...text.matchAll(/\/lecturers\/(many-\d+)<\/loc>/g)].map(([, slug = '']) => slug)
    assert.ok(found.length <= 50_000)
    slugs.push(...found)
  }
  assert.equal(new Set(slugs).size, 50_001)
  assert.equal((await app.send({ path: '/sitemaps/lecturers-3.xml' }, app.b)).status, 404)
})
