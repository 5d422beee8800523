import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { type Binnable, binnables, SCOPES, useBin } from '#testing/binned.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply, TestRequest } from '#testing/http.ts'
import { buildRequest, grantable, identityScopes, operations } from '#testing/matrix.ts'

const app = testApp({ hasSubscriptions: true })

const { ada, remove, restore, readBin } = useBin(app)

// A restoration is a revision of its own.
const COUNTERS = new Set(['revision', 'updated_at', 'request_id', 'instance', 'url', 'expires_at', 'views'])

const withoutCounters = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutCounters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !COUNTERS.has(name))
      .map(([name, one]) => [name, withoutCounters(one)]),
  )
}

// What the owner, a lecturer, a student and a stranger read of a thing.
const readAll = async ({ reads }: Binnable) => {
  const people = await Promise.all([
    ada(),
    app.actor('carla', { scopes: SCOPES, approvedAs: 'owner' }),
    app.actor('dev', { scopes: SCOPES, approvedAs: 'owner' }),
  ])
  const seen: [path: string, status: number, json: unknown][] = []
  for (const read of [...people.map(({ get }) => get), (path: string) => app.send({ path: `/api/v1${path}` })])
    for (const path of reads) {
      const { status, json } = await read(path)
      seen.push([path, status, withoutCounters(json)])
    }
  return seen
}

for (const { kind, make } of binnables) {
  test(`${kind}: what is deleted is in the bin, and everything of it comes back with its id and address`, async () => {
    const thing = await make(app, await ada(), 'back')
    const before = await readAll(thing)
    assert.ok(before.filter(([, status]) => status === 200).length >= thing.reads.length)
    await remove(thing)
    const [item] = await readBin(`?id=${thing.id}`)
    assert.deepEqual([item?.kind, item?.name], [kind, thing.name])
    if (thing.isArchived !== true) for (const [path, status] of await readAll(thing)) assert.ok(status >= 400, path)
    const restored = await restore(thing)
    assert.equal(restored.status, 200, restored.text)
    assert.equal(restored.json.id, thing.id)
    assert.deepEqual(await readAll(thing), before)
    assert.deepEqual(await readBin(`?id=${thing.id}`), [])
    const again = await restore(thing)
    assert.deepEqual([again.status, again.json.revision], [200, restored.json.revision])
  })
}

// What names a thing that is in the bin, and says so: the bin, the history, and the files that it has.
const TELLING = new Set(['listBin', 'listAuditLog', 'listUploads', 'getUpload'])

const SITE = [
  ...['/', '/courses', '/products', '/plans', '/events', '/blog', '/lecturers', '/feed.xml', '/sitemap.xml', '/learn'],
  ...['courses', 'posts', 'pages', 'products', 'lecturers'].map(name => `/sitemaps/${name}-1.xml`),
]

test('what is in the bin is in no response of any operation, and on no page of the site', async () => {
  const owner = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  const word = 'zwieback'
  const things = [] as Binnable[]
  for (const { make, kind } of binnables) if (kind !== 'lesson') things.push(await make(app, await ada(), word))
  const ask = (request: TestRequest) => app.send(request)
  const readEverywhere = async (): Promise<string[]> => {
    const seen: string[] = []
    const note = (place: string, { text }: TestReply) => {
      if (text.includes(word) || things.some(({ id }) => text.includes(id))) seen.push(place)
    }
    for (const operation of operations.filter(({ method, id }) => method === 'GET' && !TELLING.has(id))) {
      const example = await lookUp(operation, owner.token, ask)
      note(operation.id, await app.send(buildRequest(operation, { token: owner.token, ...example })))
      note(`${operation.id} of a stranger`, await app.send(buildRequest(operation, example)))
      if (!Object.keys(operation.query?.properties ?? {}).includes('q')) continue
      const searching = { token: owner.token, ...example, query: { ...example.query, q: word.slice(0, -1) } }
      note(`${operation.id} by words`, await app.send(buildRequest(operation, searching)))
    }
    for (const path of [...SITE, ...things.flatMap(({ pages }) => pages)]) note(path, await app.send({ path }))
    return seen
  }
  const shown = await readEverywhere()
  for (const place of [
    'listCourses',
    'listPosts of a stranger',
    'listPages by words',
    '/courses',
    '/blog',
    '/feed.xml',
  ])
    assert.ok(shown.includes(place), place)
  for (const thing of things) await remove(thing)
  assert.deepEqual(await readEverywhere(), [])
  for (const thing of things) for (const path of thing.pages) assert.equal((await app.send({ path })).status, 404, path)
  for (const thing of things) await restore(thing)
  assert.deepEqual(await readEverywhere(), shown)
})

const withSlug = {
  course: { list: '/courses', problem: 'course_external_id_taken' },
  post: { list: '/posts', problem: 'post_external_id_taken' },
  digital_product: { list: '/digital-products', problem: 'product_external_id_taken' },
} as const
type Named = keyof typeof withSlug

for (const { kind, make } of binnables.filter(one => one.kind in withSlug)) {
  test(`${kind}: a slug or an external id that was taken meanwhile is a refusal, and another slug is the way out`, async () => {
    const actor = await ada()
    const thing = await make(app, actor, 'taken')
    const { slug, external_id } = (await actor.get(thing.path)).json
    await remove(thing)
    const named = kind === 'post' ? { title: 'Another' } : { name: 'Another' }
    const other = await actor.write('POST', withSlug[kind as Named].list, { ...named, slug, external_id })
    assert.equal(other.status, 201, other.text)
    const refused = await restore(thing)
    assert.deepEqual([refused.status, refused.json.code], [409, 'slug_taken'])
    assert.match(refused.json.detail, /Restore this .* with another one, in `slug`/)
    assert.equal((await actor.get(thing.path)).status, 404)
    const named2 = await restore(thing, { slug: 'taken-again' })
    assert.deepEqual([named2.status, named2.json.code], [409, withSlug[kind as Named].problem])
    await actor.write('PATCH', `${withSlug[kind as Named].list}/${other.json.id}`, { external_id: null })
    assert.equal((await readBin(`?id=${thing.id}`)).length, 1)
    const back = await restore(thing, { slug: 'taken-again' })
    assert.deepEqual([back.status, back.json.slug, back.json.external_id], [200, 'taken-again', external_id])
    assert.equal((await actor.get(`${withSlug[kind as Named].list}/slug:${slug}`)).json.id, other.json.id)
  })
}

test('page: a path or a redirect that leads elsewhere by now is a refusal, and another path is the way out', async () => {
  const actor = await ada()
  const [, , , page] = binnables
  const thing = (await page?.make(app, actor, 'moved')) ?? assert.fail()
  await remove(thing)
  const other = await actor.write('POST', '/pages', { title: 'Moved', path: '/page-moved', redirects: ['/old-moved'] })
  assert.equal(other.status, 201, other.text)
  const refused = await restore(thing)
  assert.deepEqual([refused.status, refused.json.code], [409, 'path_taken'])
  assert.match((await restore(thing, { path: '/moved' })).json.detail, /old-moved is a redirect of the page/)
  await actor.write('PATCH', `/pages/${other.json.id}`, { redirects: [] })
  const back = await restore(thing, { path: '/moved' })
  assert.deepEqual([back.status, back.json.path, back.json.redirects], [200, '/moved', ['/old-moved']])
})

test('page: the home page is the home page again, unless another one is by then', async () => {
  const actor = await ada()
  const [, , , page] = binnables
  const thing = (await page?.make(app, actor, 'home')) ?? assert.fail()
  await actor.write('PUT', `${thing.path}/home`)
  assert.match((await app.send({ path: '/' })).text, /Lines of home/)
  await remove(thing)
  assert.doesNotMatch((await app.send({ path: '/' })).text, /Lines of home/)
  assert.equal((await restore(thing)).json.is_home, true)
  assert.match((await app.send({ path: '/' })).text, /Lines of home/)
  await remove(thing)
  const other = (await page?.make(app, actor, 'hearth')) ?? assert.fail()
  await actor.write('PUT', `${other.path}/home`)
  assert.equal((await restore(thing)).json.is_home, false)
  assert.equal((await actor.get(other.path)).json.is_home, true)
  await actor.write('DELETE', `${other.path}/home`)
})
