// One thing: posts through the API, and who reads what of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { until } from '#testing/until.ts'
import { fetched, uploader } from '#testing/uploads.ts'

const app = testApp()
const SCOPES = ['posts:read', 'posts:write']

const staff = (): Promise<Actor> => app.actor('ada', { scopes: SCOPES })
const anonymous = (path: string) => app.send({ path: `/api/v1${path}` })
const visit = (path: string, headers = {}) => app.send({ path, headers: { accept: 'text/html', ...headers } })

type Made = { readonly id: string; readonly slug: string; readonly revision: number }

const make = async (writer: Actor, body: object): Promise<Made> => {
  const { status, json, text } = await writer.write('POST', '/posts', body)
  assert.equal(status, 201, text)
  return json
}

const publish = async (ada: Actor, { id }: Made): Promise<void> => {
  const { status, text } = await ada.write('PUT', `/posts/${id}/publication`, {})
  assert.equal(status, 200, text)
}

const memberId = async (name: PersonName): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>(
    `select id from members where school_id = $1 and email_folded like $2`,
    [app.a.id, `${name}@%`],
  )
  assert.ok(row)
  return row.id
}

// As a subscription to the plan would.
const givePlan = async (name: PersonName, planId: string): Promise<string> => {
  const id = randomUUID()
  await app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at)
     values ($1, $2, $3, 'membership_plan', $4, 'subscription', $5, stoa.now(), stoa.now())`,
    [app.a.id, id, await memberId(name), planId, randomUUID()],
  )
  return id
}

const MARKER = 'zwetschgenmarker'
const locked = (title: string, access: string) => ({
  title,
  access,
  excerpt: 'Only this is open.',
  body: `The beginning teaserword.\n\n<!--more-->\n\nThe rest ${MARKER} is [here][x].\n\n[x]: https://${MARKER}.example/`,
})

test('a draft is for its author and staff: 404 for other lecturers, and its author may not publish it', async () => {
  const [ada, carla] = await Promise.all([staff(), app.actor('carla', { scopes: SCOPES })])
  const dev = await app.actor('dev', { scopes: SCOPES, as: 'lecturer' })
  const draft = await make(carla, { title: 'Carla thinks aloud', body: 'Hm.' })
  assert.deepEqual(
    [(await carla.get(`/posts/${draft.id}`)).json.body, (await ada.get(`/posts/${draft.id}`)).json.body],
    ['Hm.', 'Hm.'],
  )
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/versions'],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/copies'],
  ] as const) {
    const path_ = `/posts/${draft.id}${path}`
    const reply =
      method === 'GET' ? await dev.get(path_) : await dev.write(method, path_, method === 'DELETE' ? undefined : {})
    assert.equal(reply.status, 404, `${method} ${path}`)
  }
  assert.equal((await anonymous(`/posts/${draft.id}`)).status, 404)
  const refused = await carla.write('PUT', `/posts/${draft.id}/publication`, {})
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  await publish(ada, draft)
  const changed = await carla.write('PATCH', `/posts/${draft.id}`, { title: 'Later' })
  assert.deepEqual([changed.status, changed.json.code], [403, 'role_required'])
  assert.equal((await carla.write('DELETE', `/posts/${draft.id}`)).status, 403)
  assert.equal((await dev.get(`/posts/${draft.id}/versions`)).status, 403)
  assert.equal((await carla.get(`/posts/${draft.id}/versions`)).json.data.length, 1)
  await app.setRole('dev', 'member')
})

test('who may read a post gets its body, others what is before the fold and what opens it', async () => {
  const ada = await staff()
  const eli = await app.actor('eli', { scopes: ['posts:read'] })
  for (const access of ['members', 'paid']) {
    const post = await make(ada, locked(`For ${access}`, access))
    await publish(ada, post)
    const { json, status, text } = await anonymous(`/posts/${post.id}`)
    assert.equal(status, 200)
    assert.deepEqual(json.reader_access, { state: 'locked', opens_with: [], sign_in: true })
    assert.deepEqual([json.body_html, json.body, json.excerpt], [undefined, undefined, 'Only this is open.'])
    assert.match(json.teaser_html, /teaserword/)
    assert.ok(!text.includes(MARKER))
    const member = await eli.get(`/posts/${post.id}`)
    const state = access === 'members' ? 'open' : 'locked'
    assert.deepEqual(member.json.reader_access, { state, opens_with: [], sign_in: false })
    assert.equal(member.text.includes(MARKER), state === 'open')
    assert.equal(member.json.body, undefined)
  }
})

test('a paid post opens with a plan, with each of its plans alone where it names some, and closes when the plan ends', async () => {
  const ada = await app.actor('ada', { scopes: [...SCOPES, 'membership_plans:write'] })
  const eli = await app.actor('eli', { scopes: ['posts:read'] })
  const post = await make(ada, locked('For holders', 'paid'))
  await publish(ada, post)
  const stateFor = async () => (await eli.get(`/posts/${post.id}`)).json.reader_access.state
  assert.equal(await stateFor(), 'locked')
  const createClub = async (name: string, opens_posts: boolean): Promise<string> => {
    const { json } = await ada.write('POST', '/membership-plans', { name, plan_type: 'lifetime', opens_posts })
    return fromId('mpl', json.id) ?? ''
  }
  await givePlan('eli', await createClub('Courses alone', false))
  assert.equal(await stateFor(), 'locked', 'a plan that opens no posts')
  const planId = await createClub('Readers', true)
  const entitlement = await givePlan('eli', planId)
  assert.equal(await stateFor(), 'open')
  const [listed] = (await eli.get(`/posts?id[in]=${post.id}`)).json.data
  assert.deepEqual([listed.reader_access.state, listed.body_html], ['open', undefined])
  await app.database.query('update posts set plan_ids = array[$1::uuid] where id = $2', [
    randomUUID(),
    fromId('pst', post.id),
  ])
  assert.equal(await stateFor(), 'locked')
  await app.database.query('update posts set plan_ids = array[$1::uuid] where id = $2', [
    planId,
    fromId('pst', post.id),
  ])
  assert.equal(await stateFor(), 'open')
  await app.database.query('update entitlements set revoked_at = stoa.now() where id = $1', [entitlement])
  assert.equal(await stateFor(), 'locked')
})

test('a plan that opens a category of posts opens the paid posts in it, and no others', async () => {
  const ada = await app.actor('ada', { scopes: [...SCOPES, 'membership_plans:write'] })
  const eli = await app.actor('eli', { scopes: ['posts:read'] })
  const category = (await ada.write('POST', '/post-categories', { name: 'Opened by a plan' })).json.id
  const inside = await make(ada, { ...locked('Inside', 'paid'), category_ids: [category] })
  const outside = await make(ada, locked('Outside', 'paid'))
  for (const post of [inside, outside]) await publish(ada, post)
  const { json: plan } = await ada.write('POST', '/membership-plans', { name: 'Column', plan_type: 'lifetime' })
  const entitlement = await givePlan('eli', fromId('mpl', plan.id) ?? '')
  const states = () =>
    Promise.all([inside, outside].map(async ({ id }) => (await eli.get(`/posts/${id}`)).json.reader_access.state))
  assert.deepEqual(await states(), ['locked', 'locked'])
  const opened = await ada.write('PUT', `/membership-plans/${plan.id}/items/post_category/${category}`)
  assert.deepEqual([opened.status, opened.json.item?.name], [200, 'Opened by a plan'], opened.text)
  assert.deepEqual(await states(), ['open', 'locked'])
  const kept = await ada.write('DELETE', `/post-categories/${category}`)
  assert.equal(kept.status, 409)
  assert.ok(kept.json.in_use.some((one: { id: string | null }) => one.id === plan.id))
  await app.database.query('update entitlements set revoked_at = stoa.now() where id = $1', [entitlement])
  assert.deepEqual(await states(), ['locked', 'locked'])
})

test('no text behind the fold is in any list, page, feed, sitemap or search that those who may not read it reach', async () => {
  const ada = await staff()
  const eli = await app.actor('eli', { scopes: ['posts:read', 'account:read'] })
  const post = await make(ada, { ...locked('The marked post', 'paid'), excerpt: '', tags: ['marked'] })
  const whole = await make(ada, {
    title: 'Marked without a fold',
    access: 'paid',
    body: `All ${MARKER}`,
    tags: ['marked'],
  })
  await publish(ada, post)
  await publish(ada, whole)
  const paths = [
    '/blog',
    `/blog/${post.slug}`,
    `/blog/${whole.slug}`,
    '/feed.xml',
    '/blog?tag=marked',
    '/',
    '/sitemaps/posts-1.xml',
  ]
  await until(async () => (await visit('/feed.xml')).text.includes('Marked without a fold'), 'the feed')
  for (const path of paths) {
    const { status, text } = await visit(path)
    assert.equal(status, 200, path)
    assert.ok(!text.includes(MARKER), path)
  }
  for (const path of ['/posts', '/posts?tag=marked', `/posts/${post.id}`, `/posts/${whole.id}`, '/posts/tags'])
    for (const reply of [await anonymous(path), await eli.get(path)]) assert.ok(!reply.text.includes(MARKER), path)
  assert.ok(app.log.every(line => !line.includes(MARKER)))
  const told = await app.database.query(
    `select id from facts where payload::text like $1 union all select id from audit_log where fields::text like $1`,
    [`%${MARKER}%`],
  )
  assert.deepEqual(told, [])
  assert.equal((await anonymous(`/posts/${whole.id}`)).json.excerpt, '')
  assert.match((await anonymous(`/posts/${post.id}`)).json.excerpt, /^The beginning teaserword\.$/)
  for (const q of [MARKER, MARKER.slice(0, 6)]) {
    assert.deepEqual((await anonymous(`/posts?q=${q}`)).json.data, [])
    assert.ok(
      !(await visit(`/search?q=${q}`)).text.includes('/blog/'),
      'the search does not know the words of a locked body',
    )
  }
  await until(
    async () => (await visit('/search?q=teaserword')).text.includes(`/blog/${post.slug}`),
    'the teaser is found',
  )
})

test('the words of a body are found while the post is public, and no longer', async () => {
  const ada = await staff()
  const post = await make(ada, { title: 'Findable', body: 'Quincewords and more.' })
  await publish(ada, post)
  const isFound = async () => (await visit('/search?q=quincewords')).text.includes(`/blog/${post.slug}`)
  await until(isFound, 'the post')
  await ada.write('PATCH', `/posts/${post.id}`, { access: 'members' })
  await until(async () => !(await isFound()), 'the end')
  await ada.write('PATCH', `/posts/${post.id}`, { access: 'public' })
  await until(isFound, 'the post again')
  await ada.write('DELETE', `/posts/${post.id}/publication`)
  await until(async () => !(await isFound()), 'the end of the publication')
})

test('access changed from public to paid: files named in the body stop being public, the cover stays public', async () => {
  const ada = await uploader(app, 'ada', app.a, SCOPES)
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const file = { filename: 'loaf.png', content_type: 'image/png', purpose: 'post' }
  const cover = (await ada.upload(png, file)).json.file.file_id
  const inBody = (await ada.upload(Buffer.from('Rye'), { ...file, filename: 'notes.txt', content_type: 'text/plain' }))
    .json.file.file_id
  const refused = await ada.write('POST', '/posts', { title: 'Not an image', cover_file_id: inBody })
  assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/cover_file_id'])
  const post = await make(ada, {
    title: 'With files',
    cover_file_id: cover,
    body: `Open.\n\n<!--more-->\n\n[Notes](${inBody})`,
  })
  await publish(ada, post)
  const { json } = await anonymous(`/posts/${post.id}`)
  const address = /href="([^"]+notes\.txt[^"]*)"/.exec(json.body_html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.ok(!address.includes('?'), 'a public file has no signature')
  assert.equal((await fetched(address)).status, 200)
  await ada.write('PATCH', `/posts/${post.id}`, { access: 'paid' })
  await until(async () => (await fetched(address)).status !== 200, 'the end of the file')
  const now = (await anonymous(`/posts/${post.id}`)).json
  assert.ok(now.cover.url_expires_at === null && (await fetched(now.cover.url)).status === 200)
  const own = (await ada.get(`/posts/${post.id}`)).json.body_html
  assert.match(own, /notes\.txt\?member=[^"]*expires=/, 'those who may read it get a link that ends')
  const inUse = await ada.write('DELETE', `/uploads/${(await ada.get('/uploads')).json.data?.[0]?.id}`)
  assert.notEqual(inUse.status, 500)
})

test('two editors: the second one, with the ETag of before, gets 412', async () => {
  const ada = await staff()
  const post = await make(ada, { title: 'Edited twice', body: 'One' })
  const etag = (await ada.get(`/posts/${post.id}`)).headers.etag ?? ''
  const replies = await Promise.all(
    ['Two', 'Three'].map(body => ada.write('PATCH', `/posts/${post.id}`, { body }, { 'if-match': etag })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412])
  assert.equal((await ada.get(`/posts/${post.id}/versions`)).json.data.length, 2)
})

test('200,000 characters of hostile Markdown by an author are refused within bounds', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  for (const unit of ['[', '*a ', '> ', '![a](', '<b>', '`'])
    for (const body of [
      unit.repeat(200_000 / unit.length),
      `${unit.repeat(90_000 / unit.length)}\n<!--more-->\n${unit.repeat(90_000 / unit.length)}`,
    ]) {
      const { status, json } = await carla.write('POST', '/posts', { title: 'Hostile', body: body.slice(0, 200_000) })
      assert.ok(status === 422 || status === 201, `${unit} ${status}`)
      if (status === 422) assert.equal(json.errors[0].pointer, '/body')
    }
  const tooLong = await carla.write('POST', '/posts', { title: 'Long', body: 'a'.repeat(200_001) })
  assert.equal(tooLong.status, 422)
})

test('the slug changed twice: both old ones answer 301 on the page, and the post by API', async () => {
  const ada = await staff()
  const post = await make(ada, { title: 'First name' })
  await publish(ada, post)
  for (const slug of ['second-name', 'third-name']) await ada.write('PATCH', `/posts/${post.id}`, { slug })
  for (const slug of ['first-name', 'second-name']) {
    const { json } = await anonymous(`/posts/slug:${slug}`)
    assert.deepEqual([json.id, json.slug], [post.id, 'third-name'])
    await until(async () => (await visit(`/blog/${slug}`)).status === 301, slug)
    assert.equal((await visit(`/blog/${slug}`)).headers.location, '/blog/third-name')
  }
  const other = await make(ada, { title: 'Another', slug: 'first-name' })
  await publish(ada, other)
  assert.equal((await anonymous('/posts/slug:first-name')).json.id, other.id)
  const taken = await ada.write('PATCH', `/posts/${post.id}`, { slug: 'first-name' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'slug_taken'])
})

test('a change of the text makes a version, and a version is brought back as a new one', async () => {
  const ada = await staff()
  const post = await make(ada, { title: 'Versions', body: 'One' })
  await ada.write('PATCH', `/posts/${post.id}`, { body: 'Two', excerpt: 'Second' })
  const featured = await ada.write('PATCH', `/posts/${post.id}`, { featured: true, slug: 'versions-slug' })
  assert.deepEqual([featured.json.version, featured.json.slug], [2, 'versions-slug'])
  const same = await ada.write('PATCH', `/posts/${post.id}`, { body: 'Two' })
  assert.equal(same.json.revision, featured.json.revision)
  const { data } = (await ada.get(`/posts/${post.id}/versions`)).json
  assert.deepEqual(
    data.map((one: { number: number; is_current: boolean }) => [one.number, one.is_current]),
    [
      [2, true],
      [1, false],
    ],
  )
  assert.equal((await ada.get(`/posts/${post.id}/versions/1`)).json.body, 'One')
  const { json } = await ada.write('PUT', `/posts/${post.id}/versions/1/restoration`)
  assert.deepEqual([json.body, json.excerpt, json.version, json.slug], ['One', 'One', 3, 'versions-slug'])
  assert.equal((await ada.get(`/posts/${post.id}/versions/3`)).json.restores, 1)
  assert.equal((await ada.write('PUT', `/posts/${post.id}/versions/1/restoration`)).json.version, 3)
  assert.equal((await ada.get(`/posts/${post.id}/versions/9`)).status, 404)
})

test('a copy is a draft of the caller without what one post alone has', async () => {
  const ada = await staff()
  const post = await make(ada, {
    title: 'Original',
    body: 'Text',
    tags: ['x'],
    external_id: 'cms-1',
    access: 'members',
  })
  await publish(ada, post)
  const { status, json } = await ada.write('POST', `/posts/${post.id}/copies`, {})
  assert.equal(status, 201)
  assert.deepEqual(
    [json.title, json.slug, json.body, json.tags, json.external_id, json.access, json.status, json.version],
    ['Original', 'original-2', 'Text', ['x'], null, 'members', 'draft', 1],
  )
  const twice = await ada.write('POST', '/posts', { title: 'Twice', external_id: 'cms-1' })
  assert.deepEqual([twice.status, twice.json.code], [409, 'post_external_id_taken'])
  assert.equal((await ada.get('/posts/external:cms-1')).json.id, post.id)
})

test('posts are filtered, sorted and read in pages, the newest first', async () => {
  const ada = await staff()
  const { json: category } = await ada.write('POST', '/post-categories', { name: 'Filtered' })
  const made: Made[] = []
  for (const n of [1, 2, 3]) {
    const post = await make(ada, {
      title: `Filter ${n}`,
      category_ids: [category.id],
      tags: [`f${n}`],
      featured: n === 2,
    })
    if (n < 3) await publish(ada, post)
    made.push(post)
  }
  const titles = async (query: string, reader = anonymous) =>
    (await reader(`/posts?category_id=${category.id}${query}`)).json.data.map((one: { title: string }) => one.title)
  assert.deepEqual(await titles(''), ['Filter 2', 'Filter 1'])
  assert.deepEqual(await titles('&sort=title'), ['Filter 1', 'Filter 2'])
  assert.deepEqual(await titles('&featured=true'), ['Filter 2'])
  assert.deepEqual(await titles('&tag=F1'), ['Filter 1'])
  assert.deepEqual(await titles('&status=draft'), [])
  assert.deepEqual(await titles('&status=draft', path => ada.get(path)), ['Filter 3'])
  const first = (await anonymous(`/posts?category_id=${category.id}&limit=1`)).json
  assert.equal(first.data[0].title, 'Filter 2')
  assert.deepEqual(await titles(`&limit=1&cursor=${first.next_cursor}`), ['Filter 1'])
  assert.equal((await visit('/blog/category/filtered')).status, 200)
  assert.equal((await ada.write('DELETE', `/post-categories/${category.id}`)).status, 204)
  assert.deepEqual((await ada.get(`/posts/${made[0]?.id}`)).json.category_ids, [])
})

test('plans go with paid posts alone and must exist, and are forgotten with the access', async () => {
  const ada = await staff()
  const planId = `mpl_${'0'.repeat(26)}`
  for (const [body, pointer] of [
    [{ access: 'members', plan_ids: [planId] }, '/plan_ids'],
    [{ access: 'paid', plan_ids: [planId] }, '/plan_ids/0'],
    [{ canonical_url: 'http://plain.example/' }, '/canonical_url'],
    [{ category_ids: [`pcg_${'0'.repeat(26)}`] }, '/category_ids/0'],
    [{ title: '\u200b' }, '/title'],
  ] as const) {
    const { status, json } = await ada.write('POST', '/posts', { title: 'Refused', ...body })
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, pointer])
  }
})

test('an erased author is gone from a post and its versions, which stay', async () => {
  const ada = await app.actor('ada', { scopes: [...SCOPES, 'members:read', 'members:write'] })
  const eli = await app.actor('eli', { scopes: SCOPES, as: 'lecturer' })
  const post = await make(eli, { title: 'By Eli', body: 'Words' })
  assert.match((await ada.get(`/posts/${post.id}`)).json.written_by.name, /^Eli/)
  await app.setRole('eli', 'member')
  const [{ id }] = (await ada.get('/members?email=eli@crumb.example')).json.data
  const reply = await ada.write('POST', `/members/${id}/erasure`)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  const { json } = await ada.get(`/posts/${post.id}`)
  assert.deepEqual([json.written_by, json.author, json.body], [null, null, 'Words'])
  const [version] = (await ada.get(`/posts/${post.id}/versions`)).json.data
  assert.equal(version.author, null)
})
