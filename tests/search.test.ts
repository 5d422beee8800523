import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createDb } from '#src/db/connect.ts'
import { type SearchResult, searchAll } from '#src/db/search.ts'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write']
const KINDS = ['course', 'lecturer', 'member', 'group']

/** A search as the application's login runs it in a school. */
const search = async (
  q: string,
  options: { after?: SearchResult | undefined; rows?: number; kinds?: readonly string[] } = {},
  school = app.a,
) => {
  const client = new pg.Client({ connectionString: app.database.appUrl })
  await client.connect()
  try {
    await client.query(`set stoa.school_id = '${school.id}'`)
    const db = createDb(async statement => client.query(statement.text, [...statement.values]) as never)
    return await searchAll(db, { kinds: KINDS, q, rows: 100, ...options })
  } finally {
    await client.end()
  }
}

const listIds = (found: readonly SearchResult[]): string[] =>
  found.map(({ kind, id }) => toId(kind === 'course' ? 'crs' : 'lec', id))

const staff = async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const create = async (course: Record<string, unknown>): Promise<string> => {
    const { status, json, text } = await ada.write('POST', '/courses', course)
    assert.equal(status, 201, text)
    return json.id
  }
  const publish = async (id: string): Promise<void> => {
    const { status, text } = await ada.write('PUT', `/courses/${id}/publication`, {})
    assert.equal(status, 200, text)
  }
  return { ada, create, publish }
}

test('the site finds names before bodies, and the newest first', async () => {
  const { create, publish } = await staff()
  const inBody = await create({ name: 'Milling', description: 'About *Quernstone* flour' })
  const older = await create({ name: 'Quernstones at home' })
  const newer = await create({ name: 'Repair', subtitle: 'Your quernstone' })
  const later = await create({ name: 'Museum', description: 'A quernstone, and water' })
  for (const id of [inBody, older, newer, later]) await publish(id)
  const found = await search('QUERNSTONE')
  assert.deepEqual(listIds(found), [newer, older, later, inBody])
  assert.deepEqual(
    found.map(({ weight }) => weight),
    [1, 1, 2, 2],
  )
  assert.deepEqual(
    listIds(await search('quern flour')),
    [inBody],
    'each word of the search begins a word of the result',
  )
  assert.deepEqual(listIds(await search('museum water')), [later], 'one word in the name, the other in the body')
  assert.deepEqual(await search('quernstone nowhere'), [])
  assert.deepEqual(await search(' …'), [])
  assert.deepEqual(await search('quernstone', { kinds: ['lecturer'] }), [])
  assert.deepEqual(await search('quernstone', { kinds: [] }), [])
})

test('pages of one result are the list, in its order', async () => {
  const { create, publish } = await staff()
  for (const name of ['One', 'Two', 'Three']) await publish(await create({ name: `${name} paddlewheel` }))
  for (const name of ['Four', 'Five']) await publish(await create({ name, description: 'paddlewheels' }))
  const all = await search('paddlewheel')
  assert.equal(all.length, 5)
  const paged: SearchResult[] = []
  for (;;) {
    const [next] = await search('paddlewheel', { rows: 1, after: paged.at(-1) })
    if (next === undefined) break
    paged.push(next)
  }
  assert.deepEqual(paged, all)
})

test('what is not public is found in no page: drafts, unlisted, unpublished and deleted courses, hidden profiles, members', async () => {
  const { ada, create, publish } = await staff()
  const draft = await create({ name: 'Cooperage', description: 'staves' })
  assert.deepEqual(await search('cooperage'), [])
  await publish(draft)
  assert.deepEqual(listIds(await search('staves')), [draft])
  const steps: readonly (readonly [method: 'PATCH' | 'DELETE' | 'PUT', path: string, body?: object])[] = [
    ['PATCH', '', { visibility: 'unlisted' }],
    ['PATCH', '', { visibility: 'listed' }],
    ['DELETE', '/publication'],
    ['PUT', '/publication', {}],
    ['PUT', '/archive', {}],
  ]
  const counts: number[] = []
  for (const [method, path, body] of steps) {
    const { status, text } = await ada.write(method, `/courses/${draft}${path}`, body)
    assert.ok(status < 300, text)
    counts.push((await search('staves')).length)
  }
  assert.deepEqual(counts, [0, 1, 0, 1, 0])
  const { json: lecturer } = await ada.write('POST', '/lecturers', { display_name: 'Wilma Cooper', bio: 'Hoops' })
  assert.deepEqual(listIds(await search('hoops')), [lecturer.id])
  await ada.write('PATCH', `/lecturers/${lecturer.id}`, { visibility: 'hidden' })
  assert.deepEqual(await search('hoops'), [])
  assert.deepEqual(await search('moreira', { kinds: ['member'] }), [])
})

test('a change of the description is found at once, and what it said before is not', async () => {
  const { ada, create, publish } = await staff()
  const id = await create({ name: 'Glass', description: 'Blowpipe and 玻璃吹制工艺' })
  await publish(id)
  for (const q of ['blowpipe', '玻璃', '吹制工艺', '玻璃吹制工艺']) assert.deepEqual(listIds(await search(q)), [id], q)
  await ada.write('PATCH', `/courses/${id}`, { description: 'Kiln' })
  assert.deepEqual(await search('blowpipe'), [])
  assert.deepEqual(listIds(await search('kiln')), [id])
})

test('the lists find names, subtitles and tags as before, and no descriptions', async () => {
  const { ada, create } = await staff()
  const id = await create({ name: 'Astrolabe', subtitle: 'Brass', tags: ['navigation'], description: 'sextants' })
  for (const [q, count] of [
    ['astro', 1],
    ['brass', 1],
    ['navig', 1],
    ['sextants', 0],
  ] as const) {
    const { json } = await ada.get(`/courses?q=${q}`)
    assert.equal(json.data.filter((one: { id: string }) => one.id === id).length, count, q)
  }
})

test('another school finds nothing, and words that are operators are words', async () => {
  const { create, publish } = await staff()
  await publish(await create({ name: 'Zoetrope', description: `it's 50 % | & ! ( ) <-> :* ''` }))
  assert.deepEqual(await search('zoetrope', {}, app.b), [])
  for (const q of [`zoetrope & !`, `'zoetrope':*`, 'zoetrope | x', `zoetrope'); select 1`, '\\zoetrope'])
    assert.ok((await search(q)).length <= 1, q)
  assert.equal((await search("zoetrope:* it's")).length, 1)
})

test('a row that a process of the version before wrote is found by its body as well', async () => {
  const { create, publish } = await staff()
  const id = await create({ name: 'Loom', description: 'x' })
  await publish(id)
  await app.database.query(
    `with school as (select set_config('stoa.school_id', $1, true))
     update courses set description = 'Jacquard Früh', body_words = null from school where name = 'Loom'`,
    [app.a.id],
  )
  assert.deepEqual(listIds(await search('jacquard fruh')), [id])
})
