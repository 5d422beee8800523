import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { createDb } from '#src/db/connect.ts'
import { type SearchResult, searchAll, suggestSearches, sweepTerms } from '#src/db/search.ts'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { stoa } from '#testing/stoa.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write']
const KINDS = ['course', 'lecturer', 'member', 'group']

/** Runs statements as the application's login does in a school. */
const inSchool = async <Value>(school: School, work: (db: Db) => Promise<Value>): Promise<Value> => {
  const client = new pg.Client({ connectionString: app.database.appUrl })
  await client.connect()
  try {
    await client.query(`set stoa.school_id = '${school.id}'`)
    return await work(createDb(async statement => client.query(statement.text, [...statement.values]) as never))
  } finally {
    await client.end()
  }
}

const search = (
  q: string,
  options: { after?: SearchResult | undefined; rows?: number; kinds?: readonly string[] } = {},
  school = app.a,
) => inSchool(school, db => searchAll(db, { kinds: KINDS, q, rows: 100, ...options }))

const suggest = (q: string, school = app.a) => inSchool(school, db => suggestSearches(db, q, 3))

const sweep = () =>
  inSchool(app.a, async db => {
    let after: string | undefined
    do after = await sweepTerms(db, app.a.id, { most: 5, after })
    while (after !== undefined)
  })

const readTerms = async (): Promise<readonly string[]> =>
  (
    await app.database.query<{ term: string }>(
      'select term from stoa.search_terms where school_id = $1 order by term',
      [app.a.id],
    )
  ).map(({ term }) => term)

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

test('only words that nothing public has are replaced, by words of public names that are written like them', async () => {
  const { create, publish } = await staff()
  await publish(await create({ name: 'Pumpernickel and rye', description: 'with molasses' }))
  assert.deepEqual(await suggest('pumpernikel'), ['pumpernickel'])
  assert.deepEqual(await suggest('pumpernikel molasses rye'), ['pumpernickel molasses rye'])
  for (const q of [
    'pumpernickel',
    'pumper',
    'mollasses',
    'ryee',
    'pumpernickelandmore',
    'xyzzyxyzzy',
    '12345',
    '…',
    '',
  ])
    assert.deepEqual(await suggest(q), [], q)
  assert.deepEqual(await suggest('pumpernikel', app.b), [])
})

test('two people who publish the same new word at once both publish it', async () => {
  const { ada, create } = await staff()
  const ids = await Promise.all(['Zwieback one', 'Zwieback two', 'Zwieback three'].map(name => create({ name })))
  const replies = await Promise.all(ids.map(id => ada.write('PUT', `/courses/${id}/publication`, {})))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await readTerms()).filter(term => term === 'zwieback').length, 1)
  assert.equal((await search('zwieback')).length, 3)
})

test('words that no public name has any longer are swept, and all others stay', async () => {
  const { ada, create, publish } = await staff()
  const [first, second] = [await create({ name: 'Focaccia' }), await create({ name: 'Focaccia genovese' })]
  for (const id of [first, second]) await publish(id)
  await sweep()
  const before = await readTerms()
  await ada.write('DELETE', `/courses/${second}/publication`)
  await sweep()
  assert.deepEqual(
    await readTerms(),
    before.filter(term => term !== 'genovese'),
  )
})

test('migrate gives what an older version indexed its compounds and words, for names and for texts', async () => {
  const { create, publish } = await staff()
  const id = await create({ name: 'Stone-ground flour', description: 'Hand-milled' })
  await publish(id)
  await sweep()
  const { query } = app.database
  const entries = () =>
    query(
      'select words::text as words, body_words::text as bodies from stoa.search_entries order by school_id, kind, id',
    )
  const before = [await entries(), await readTerms()]
  await query(`update stoa.search_entries set words = ts_delete(words, array(
      select lexeme from unnest(words) where lexeme like '% stoneground')),
    body_words = ts_delete(body_words, array(select lexeme from unnest(body_words) where lexeme like '% stoneground' or lexeme like '% handmilled'))`)
  await query('delete from stoa.search_terms')
  assert.deepEqual([await search('stoneground'), await search('handmilled')], [[], []])
  await query(`delete from stoa.migrations where name = 'step_search_terms'`)
  const env = { STOA_DATABASE_URL: app.database.appUrl, STOA_OWNER_DATABASE_URL: app.database.ownerUrl }
  const { code, err } = await stoa(['migrate', '--json'], env)
  assert.equal(code, 0, err)
  assert.deepEqual([await entries(), await readTerms()], before)
  assert.deepEqual([listIds(await search('stoneground')), listIds(await search('handmilled'))], [[id], [id]])
})
