// One thing: pages of the site through the API, and what visitors see of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parser } from 'htmlparser2'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { attacks } from '#testing/attacks.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const SCOPES = ['pages:read', 'pages:write', 'school:read', 'courses:read', 'courses:write']
const HTML = { accept: 'text/html' }

const staff = (): Promise<Actor> => app.actor('ada', { scopes: SCOPES })
const visit = (path: string, headers: Record<string, string> = HTML) => app.send({ path, headers })
const publish = (ada: Actor, id: string) => ada.write('PUT', `/pages/${id}/publication`, {})

const make = async (ada: Actor, body: object): Promise<{ id: string; path: string; revision: number }> => {
  const { status, json, text } = await ada.write('POST', '/pages', body)
  assert.equal(status, 201, text)
  return json
}

const text = (body: string) => ({ type: 'text', body })

test('a page is a draft until it is published, and shows its changes once it is published again', async () => {
  const ada = await staff()
  const { id, path } = await make(ada, { title: 'Our Ovens', blocks: [text('Warm **stone**.')] })
  assert.equal(path, '/our-ovens')
  assert.equal((await visit(path)).status, 404)
  assert.equal((await app.send({ path: `/api/v1/pages/${id}` })).status, 404)
  assert.equal((await publish(ada, id)).status, 200)
  await until(async () => (await visit(path)).status === 200, 'the page')
  assert.match((await visit(path)).text, /<strong>stone<\/strong>/)
  const { json } = await ada.write('PATCH', `/pages/${id}`, { title: 'Our Two Ovens' })
  assert.deepEqual([json.title, json.has_changes, json.version, json.published_version], ['Our Two Ovens', true, 2, 1])
  const before = await app.send({ path: `/api/v1/pages/${id}` })
  assert.deepEqual([before.json.title, before.json.version], ['Our Ovens', 1])
  await publish(ada, id)
  assert.equal((await app.send({ path: `/api/v1/pages/${id}` })).json.title, 'Our Two Ovens')
  await ada.write('DELETE', `/pages/${id}/publication`)
  assert.equal((await app.send({ path: `/api/v1/pages/${id}` })).status, 404)
})

test('paths of the server, in any spelling, and paths that are none are refused', async () => {
  const ada = await staff()
  for (const path of [
    ...['/account', '/Account', '/account/', '/oauth/authorize', '/api', '/.well-known/x', '/files/..', '/pages/x'],
    ...['//about', '/a//b', '/.', '/a%2fb', '/é', '/a/b/c/d/e', `/${'a'.repeat(61)}`, '/', 'about'],
  ]) {
    const { status, json } = await ada.write('POST', '/pages', { title: 'Shadow', path })
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, '/path'], path)
  }
})

test('an old path and a redirect lead to the page, and other spellings to it or nowhere', async () => {
  const ada = await staff()
  const { id } = await make(ada, { title: 'Visit', path: '/visit', redirects: ['/find-us'] })
  await publish(ada, id)
  await ada.write('PATCH', `/pages/${id}`, { path: '/visit/lisbon' })
  for (const path of [
    '/visit',
    '/find-us',
    '/Visit',
    '/visit/lisbon/',
    '/VISIT/Lisbon',
    '//visit/lisbon',
    '/visit/lisbon//',
  ])
    assert.deepEqual(
      [path, (await visit(path)).status, (await visit(path)).headers.location],
      [path, 301, '/visit/lisbon'],
    )
  for (const path of ['/visit%2flisbon', '/visit/./lisbonx', '/visit/lisbon/more'])
    assert.equal((await visit(path)).status, 404, path)
  const loop = await ada.write('PATCH', `/pages/${id}`, { redirects: ['/visit/lisbon'] })
  assert.deepEqual([loop.status, loop.json.errors[0].code], [422, 'loop'])
  const other = await ada.write('POST', '/pages', { title: 'Other', path: '/visit' })
  assert.deepEqual([other.status, other.json.code], [409, 'path_taken'])
})

test('the home page is shown at /, and the built-in one once it is unpublished', async () => {
  const ada = await staff()
  const { id } = await make(ada, { title: 'Hello from the oven', path: '/hello', blocks: [text('Warm words')] })
  await publish(ada, id)
  assert.equal((await ada.write('PUT', `/pages/${id}/home`)).json.is_home, true)
  const isHome = async () => (await visit('/')).text.includes('Hello from the oven')
  await until(isHome, 'the page at /')
  await until(async () => (await visit('/hello')).headers.location === '/', 'the redirect to /')
  const members = await ada.write('PATCH', `/pages/${id}`, { visibility: 'members' })
  assert.equal(members.status, 422)
  await ada.write('DELETE', `/pages/${id}/publication`)
  await until(async () => !(await isHome()), 'the built-in home page')
  assert.equal((await visit('/')).status, 200)
})

test('a page for members is hidden from the sitemap and from visitors, and leads to sign-in', async () => {
  const ada = await staff()
  const { id } = await make(ada, { title: 'Members only', path: '/inside', visibility: 'members', nav_label: 'Inside' })
  await publish(ada, id)
  const { status, headers } = await visit('/inside')
  assert.deepEqual([status, headers.location, headers['cache-control']], [302, `/account/pages/${id}`, 'no-store'])
  assert.equal((await app.send({ path: `/api/v1/pages/${id}` })).status, 404)
  assert.doesNotMatch((await visit('/sitemaps/content-1.xml')).text, /inside/)
  assert.match((await visit('/sitemaps/content-1.xml')).text, /\/about</)
  assert.doesNotMatch((await visit('/courses')).text, /Inside/)
  const ben = await app.actor('ben', { scopes: ['pages:read'], as: 'member' })
  assert.equal((await ben.get(`/pages/${id}`)).json.title, 'Members only')
  const asked = await visit(`/account/pages/${id}`)
  assert.match(String(asked.headers.location), /\/account\/sign-in/)
})

test('a block that names a draft course is empty, and shows the course once it is published', async () => {
  const ada = await staff()
  const { json: course } = await ada.write('POST', '/courses', { name: 'Secret panettone' })
  const block = { type: 'courses', title: 'Soon to come', ids: [course.id] }
  const { id, path } = await make(ada, { title: 'Season', blocks: [block] })
  await publish(ada, id)
  const { text: shown, status } = await visit(path)
  assert.equal(status, 200)
  assert.doesNotMatch(shown, /panettone|Soon to come/)
  await ada.write('PUT', `/courses/${course.id}/publication`, {})
  await until(async () => /Secret panettone/.test((await visit(path)).text), 'the course')
})

test('a preview shows the draft for an hour, and an edited address or another page nothing', async () => {
  const ada = await staff()
  const { id } = await make(ada, { title: 'Not out yet', path: '/not-out' })
  const other = await make(ada, { title: 'Another draft' })
  const { json } = await ada.write('POST', `/pages/${id}/previews`)
  const path = new URL(json.url).pathname
  const shown = await visit(path)
  assert.deepEqual(
    [shown.status, shown.headers['cache-control'], shown.headers['x-robots-tag']],
    [200, 'no-store', 'noindex'],
  )
  assert.match(shown.text, /Not out yet/)
  assert.match(shown.text, /<meta name="robots" content="noindex">/)
  assert.equal((await visit(path.replace(id, other.id))).status, 404)
  assert.equal((await visit(`${path}x`)).status, 404)
  assert.equal((await visit(path.replace(/\/(\d)/, '/9'))).status, 404)
  await app.moveClock(3590)
  assert.equal((await visit(path)).status, 200)
  await app.moveClock(20)
  assert.equal((await visit(path)).status, 404)
})

test('versions are kept, and one that is restored is the draft', async () => {
  const ada = await staff()
  const { id } = await make(ada, { title: 'First', blocks: [text('one')] })
  await publish(ada, id)
  await ada.write('PATCH', `/pages/${id}`, { title: 'Second', blocks: [text('two')] })
  const { json: list } = await ada.get(`/pages/${id}/versions`)
  assert.deepEqual(
    list.data.map(({ number, title, is_newest, is_published }: Record<string, unknown>) => [
      number,
      title,
      is_newest,
      is_published,
    ]),
    [
      [2, 'Second', true, false],
      [1, 'First', false, true],
    ],
  )
  const { json } = await ada.write('PUT', `/pages/${id}/versions/1/restoration`)
  assert.deepEqual([json.title, json.blocks, json.version], ['First', [text('one')], 3])
  assert.equal((await ada.get(`/pages/${id}/versions/9`)).status, 404)
})

test('blocks show only what everybody finds: no hidden lecturer, no draft product, no price of a draft', async () => {
  const ada = await app.actor('ada', {
    scopes: [
      ...SCOPES,
      'lecturers:read',
      'lecturers:write',
      'digital_products:read',
      'digital_products:write',
      'membership_plans:write',
    ],
  })
  const write = async (path: string, body: object) => (await ada.write('POST', path, body)).json
  const lecturer = await write('/lecturers', { display_name: 'Secret baker', visibility: 'hidden' })
  const product = await write('/digital-products', { name: 'Secret workbook' })
  const plan = await write('/membership-plans', { name: 'Secret circle', plan_type: 'recurring' })
  assert.match(plan.id, /^mpl_/)
  const course = await write('/courses', { name: 'Secret brioche' })
  const price = await write(`/courses/${course.id}/prices`, { payment_type: 'one_time', amount: 4900, currency: 'EUR' })
  assert.match(price.id, /^prc_/)
  const blocks = [
    { type: 'lecturers', title: 'Secret lecturers', ids: [lecturer.id] },
    { type: 'products', title: 'Secret products', ids: [product.id] },
    { type: 'plans', title: 'Secret plans', ids: [plan.id] },
    { type: 'reviews', title: 'Secret reviews', course_id: course.id },
    { type: 'checkout', price_id: price.id, label: 'Secret price' },
    { type: 'courses', title: 'Secret courses', tag: 'no-course-has-this-tag' },
    text('Shown'),
  ]
  const { id, path } = await make(ada, { title: 'Nothing yet', blocks })
  await publish(ada, id)
  const { text: shown, status } = await visit(path)
  assert.equal(status, 200)
  assert.doesNotMatch(shown, /Secret/)
  assert.match(shown, /Shown/)
  const { json } = await app.send({ path: `/api/v1/pages/${id}?expand=cards` })
  assert.deepEqual(
    json.cards.map(({ cards }: { readonly cards: unknown[] }) => cards),
    [[], [], [], [], [], []],
  )
})

test('a block of plans shows those on sale with a price and a link, in the order of the school or as it names them', async () => {
  const ada = await app.actor('ada', { scopes: [...SCOPES, 'membership_plans:read', 'membership_plans:write'] })
  const price = { payment_type: 'subscription', amount: 1250, interval: 'month' }
  const [yeast, rye] = [await sellPlan(ada, 'Yeast & co', [price]), await sellPlan(ada, 'Rye circle', [price])]
  const unlisted = await sellPlan(ada, 'By address alone', [price])
  await ada.write('PATCH', `/membership-plans/${unlisted.id}`, { visibility: 'unlisted' })
  const blocks = [
    { type: 'plans', title: 'Join us', limit: 24 },
    { type: 'plans', ids: [rye.id, unlisted.id, yeast.id] },
  ]
  const { id, path } = await make(ada, { title: 'Join', blocks })
  await publish(ada, id)
  const { json } = await app.send({ path: `/api/v1/pages/${id}?expand=cards` })
  const [all, named] = json.cards.map(({ cards }: { readonly cards: readonly { readonly id: string }[] }) =>
    cards.map(card => card.id),
  )
  const { json: listed } = await app.send({ path: '/api/v1/membership-plans' })
  assert.deepEqual(
    all,
    listed.data.map((plan: { readonly id: string }) => plan.id),
  )
  assert.deepEqual(named, [rye.id, yeast.id])
  const { text: shown } = await visit(path)
  assert.match(shown, /Join us/)
  assert.match(shown, /href="[^"]*\/plans\/yeast-co"[\s\S]*?€12\.50/)
  assert.doesNotMatch(shown, /By address alone/)
})

test('the search of the site finds what is published and listed, by the words that visitors see', async () => {
  const ada = await staff()
  const words = 'Zwieback'
  for (const visibility of ['listed', 'unlisted', 'members']) {
    const { id } = await make(ada, { title: `${words} ${visibility}`, visibility })
    await publish(ada, id)
  }
  await make(ada, { title: `${words} draft` })
  const { id } = await make(ada, {
    title: 'Rusks',
    seo: { title: null, description: 'Baked twice' },
    blocks: [text(words)],
  })
  await publish(ada, id)
  await ada.write('PATCH', `/pages/${id}`, { title: `${words} is the new title` })
  const search = async (q: string) => (await visit(`/search?q=${q}`)).text
  await until(async () => /Rusks/.test(await search('zwieback')), 'the result')
  const found = await search('zwieback')
  const names = [...found.matchAll(/<h2 class="result-name"><a [^>]*href="([^"]*)"[^>]*>([^<]*)/g)]
  assert.deepEqual(
    names.map(([, href, name]) => [href, name]),
    [
      ['/zwieback-listed', `${words} listed`],
      ['/rusks', 'Rusks'],
    ],
  )
  assert.match(found, /Baked twice/)
  await ada.write('DELETE', `/pages/${id}/publication`)
  await until(async () => !/Rusks/.test(await search('zwieback')), 'the page to leave the search')
})

test('a publication is scheduled, moved and called off, and a published page is not scheduled', async () => {
  const ada = await staff()
  const { id } = await make(ada, { title: 'Harvest' })
  const path = `/pages/${id}/publication`
  const past = await ada.write('PUT', path, { at: '2001-01-01T00:00:00Z' })
  assert.deepEqual([past.status, past.json.errors[0].pointer], [422, '/at'])
  const job = async () =>
    app.database.query<{ due_at: Date }>(`select due_at from jobs where kind = 'page_publication' and school_id = $1`, [
      app.a.id,
    ])
  for (const at of ['2199-07-01T09:00:00.000Z', '2199-08-01T09:00:00.000Z', '2199-08-01T09:00:00.000Z']) {
    const { json } = await ada.write('PUT', path, { at })
    assert.deepEqual([json.status, json.publish_at], ['scheduled', at])
    assert.deepEqual(
      (await job()).map(({ due_at: due }) => due.toISOString()),
      [at],
    )
  }
  assert.equal((await ada.get(`/pages/${id}`)).json.revision, 3, 'the same instant again changes nothing')
  assert.equal((await ada.write('DELETE', path)).json.status, 'draft')
  assert.deepEqual(await job(), [])
  await ada.write('PUT', path, { at: '2199-07-01T09:00:00.000Z' })
  assert.equal((await publish(ada, id)).json.status, 'published')
  assert.deepEqual(await job(), [])
  const late = await ada.write('PUT', path, { at: '2199-07-01T09:00:00.000Z' })
  assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
})

test('blocks that are wrong are refused with the block and the field, and other kinds with the kinds that exist', async () => {
  const ada = await staff()
  for (const [block, pointer] of [
    [{ type: 'memberships' }, '/blocks/0/type'],
    [{ type: 'button', label: 'x', href: 'javascript:alert(1)' }, '/blocks/0/href'],
    [{ type: 'button', label: 'x', href: '//evil.example' }, '/blocks/0/href'],
    [{ type: 'embed', url: 'https://evil.example/x', title: 'x' }, '/blocks/0/url'],
    [{ type: 'image', file_id: `fil_${'0'.repeat(26)}` }, '/blocks/0/file_id'],
    [{ type: 'text' }, '/blocks/0/body'],
  ] as const) {
    const { status, json } = await ada.write('POST', '/pages', { title: 'Wrong', blocks: [block] })
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, pointer], JSON.stringify(block))
  }
  const large = await ada.write('POST', '/pages', { title: 'Large', blocks: Array(5).fill(text('a'.repeat(49_000))) })
  assert.deepEqual([large.status, large.json.errors[0].pointer], [422, '/blocks'])
})

// Everything in a page that could do more than be read, as a parser that is not ours reads it.
const dangersIn = (page: string): string[] => {
  const found: string[] = []
  const parser = new Parser({
    onopentag: (element, { href = '', src = '', type = '', ...attributes }) => {
      if (['object', 'embed', 'applet', 'base', 'style', 'svg:script'].includes(element)) found.push(element)
      if (element === 'script' && type !== 'application/ld+json') found.push('script')
      if (element === 'iframe' && !src.startsWith('https://www.youtube-nocookie.com/')) found.push(`iframe ${src}`)
      if (/^\s*(?:javascript|vbscript|data):/i.test(`${href}${src}`)) found.push(`${element} ${href}${src}`)
      for (const name of Object.keys(attributes))
        if (/^on|^srcdoc$|^style$|^formaction$/i.test(name)) found.push(`${element} ${name}`)
    },
  })
  parser.end(page)
  return found
}

test('40 attacks in every text of every block run nothing', async () => {
  const ada = await staff()
  assert.ok(attacks.length >= 40)
  const line = (attack: string): string => `x ${attack.replace(/[\p{C}\p{Z}]/gu, ' ')}`.slice(0, 110)
  const buildBlocks = (attack: string) => {
    const short = line(attack)
    return [
      text(attack),
      { type: 'html', html: attack },
      { type: 'columns', columns: [{ body: attack, alt: short }, { body: attack }] },
      { type: 'button', label: short.slice(0, 60), href: '/courses' },
      { type: 'quote', quote: attack, author: short, about: short },
      { type: 'faq', title: short, items: [{ question: short, answer: attack }] },
      { type: 'embed', url: 'https://youtu.be/dQw4w9WgXcQ', title: short },
      { type: 'courses', title: short },
      { type: 'lecturers', title: short },
      { type: 'plans', title: short },
      { type: 'reviews', title: short },
    ]
  }
  const storable = attacks.filter(attack => !attack.includes('\u0000') && attack.isWellFormed())
  for (let from = 0; from < storable.length; from += 9) {
    const some = storable.slice(from, from + 9)
    const seo = { title: line(some[0] ?? ''), description: line(some[1] ?? some[0] ?? '') }
    const { id, path } = await make(ada, { title: line(some[0] ?? ''), seo, blocks: some.flatMap(buildBlocks) })
    await publish(ada, id)
    const { status, text: page } = await visit(path)
    assert.equal(status, 200)
    assert.deepEqual(dangersIn(page), [], JSON.stringify(some))
  }
})
