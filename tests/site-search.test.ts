import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { until } from '#testing/until.ts'

const app = testApp()

const open = (path: string, headers: Readonly<Record<string, string>> = {}, school?: School): Promise<TestReply> =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en', ...headers } }, school)

const staff = (): Promise<Actor> =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write'] })

const create = async (actor: Actor, input: Readonly<Record<string, unknown>>): Promise<string> => {
  const { json, status, text } = await actor.write('POST', '/courses', input)
  assert.equal(status, 201, text)
  return json.id
}

const publish = async (actor: Actor, input: Readonly<Record<string, unknown>>): Promise<void> => {
  const id = await create(actor, input)
  assert.equal((await actor.write('PUT', `/courses/${id}/publication`)).status, 200)
}

const namesIn = ({ text }: TestReply): string[] =>
  [...text.matchAll(/<h2 class="result-name"><a [^>]*>([^<]*)/g)].map(([, name = '']) => name)

test('the search finds courses and lecturers, by name before by their texts, and anybody may read it', async () => {
  const actor = await staff()
  await publish(actor, { name: 'Ovens', description: 'Built with *Tandoor* bricks' })
  await publish(actor, { name: 'Tandoor at home', subtitle: 'Clay and fire' })
  const lecturer = { display_name: 'Tandoori Singh', slug: 'tandoori', bio: 'Bakes naan.' }
  assert.equal((await actor.write('POST', '/lecturers', lecturer)).status, 201)
  await until(async () => namesIn(await open('/search?q=tandoor')).length === 3, 'the results')
  const page = await open('/search?q=TANDOOR')
  assert.deepEqual(namesIn(page), ['Tandoor at home', 'Tandoori Singh', 'Ovens'], 'courses come before lecturers')
  assert.match(page.text, /<p class="eyebrow">Lecturer<\/p>/)
  assert.match(page.text, /<html lang="en">[\s\S]*<title>Results for “TANDOOR” · /)
  assert.match(page.text, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch(page.text, /rel="canonical"/)
  assert.match(page.text, /\/account\/sign-up\?return_to=%2Fsearch%3Fq%3DTANDOOR"/)
  const { etag = '' } = page.headers
  assert.equal((await open('/search?q=TANDOOR', { 'if-none-match': etag })).status, 304)
  const portuguese = await open('/search?q=tandoor', { 'accept-language': 'pt' })
  assert.match(portuguese.text, /<html lang="pt">[\s\S]*Resultados para “tandoor”/)
  assert.match(portuguese.text, /<h2 class="result-name"><a class="cover" href="\/lecturers\/tandoori" lang="en"/)
})

test('drafts, unlisted courses, hidden lecturers and other schools are not found', async () => {
  const actor = await staff()
  await create(actor, { name: 'Quinoa draft' })
  await publish(actor, { name: 'Quinoa unlisted', visibility: 'unlisted' })
  await publish(actor, { name: 'Quinoa for all' })
  const hidden = { display_name: 'Quinoa Hidden', slug: 'quinoa-hidden', visibility: 'hidden' }
  const lecturer = await actor.write('POST', '/lecturers', hidden)
  assert.equal(lecturer.status, 201, lecturer.text)
  await until(async () => namesIn(await open('/search?q=quinoa')).length > 0, 'the result')
  assert.deepEqual(namesIn(await open('/search?q=quinoa')), ['Quinoa for all'])
  assert.deepEqual(namesIn(await open('/search?q=quinoa', {}, app.b)), [])
})

const publishPost = async (title: string): Promise<void> => {
  const actor = await app.actor('ada', { scopes: ['posts:read', 'posts:write'] })
  const { json, status, text } = await actor.write('POST', '/posts', { title, body: 'About it.' })
  assert.equal(status, 201, text)
  const published = await actor.write('PUT', `/posts/${json.id}/publication`, {})
  assert.ok(published.status < 300, published.text)
}

test('a course is found before a newer post of the same name, on every page of the results', async () => {
  const actor = await staff()
  await publish(actor, { name: 'Levain' })
  await publishPost('Levain')
  await until(async () => namesIn(await open('/search?q=levain')).length === 2, 'both')
  const { text } = await open('/search?q=levain')
  assert.deepEqual(
    [...text.matchAll(/<p class="eyebrow">(\w+)/g)].map(([, kind]) => kind),
    ['Course', 'Post'],
  )
  const [{ id }] = (await actor.get('/courses?q=levain')).json.data
  const rest = await open(`/search?q=levain&after=1.0.${id}`)
  assert.deepEqual(
    [...rest.text.matchAll(/<p class="eyebrow">(\w+)/g)].map(([, kind]) => kind),
    ['Post'],
  )
})

test('a mistyped word shows what it was meant to be, and says so', async () => {
  const actor = await staff()
  await publish(actor, { name: 'Sourdough from nothing', description: 'Rye and patience' })
  await publish(actor, { name: 'Хлеб на закваске' })
  await until(async () => namesIn(await open('/search?q=nothing')).length > 0, 'the result')
  for (const typed of ['saurdough', 'sourdoguh', 'surdough', 'sourrdough', 'saurdough rye', 'SAURDOUGH']) {
    const page = await open(`/search?q=${encodeURIComponent(typed)}`)
    assert.ok(namesIn(page).includes('Sourdough from nothing'), typed)
    assert.match(page.text, new RegExp(`Nothing has “${typed}”\\. These are the results for “sourdough`, 'u'), typed)
  }
  const cyrillic = await open(`/search?q=${encodeURIComponent('закваско')}`)
  assert.deepEqual(namesIn(cyrillic), ['Хлеб на закваске'], 'in every script')
  const right = await open('/search?q=sourdough')
  assert.doesNotMatch(right.text, /Nothing has/)
  const portuguese = await open('/search?q=saurdough', { 'accept-language': 'pt' })
  assert.match(portuguese.text, /Nada contém “saurdough”\. Estes são os resultados para “sourdough”\./)
})

test('several words that are meant are offered, and each finds something', async () => {
  const actor = await staff()
  await publish(actor, { name: 'Ciabatta' })
  await publish(actor, { name: 'Ciabatte' })
  await until(async () => namesIn(await open('/search?q=ciabatte')).length > 0, 'the result')
  const page = await open('/search?q=ciabattu')
  assert.deepEqual(namesIn(page), ['Ciabatta'])
  assert.match(page.text, /Or search for <a href="\/search\?q=ciabatte">ciabatte<\/a>/)
})

test('nobody learns a word of what is not public, or of another school, by a mistyped one', async () => {
  const actor = await staff()
  const id = await create(actor, { name: 'Sesquipedalian bakery' })
  const isNothing = async (school = app.a) =>
    /Nothing was found/.test((await open('/search?q=sesquipedalien', {}, school)).text)
  assert.ok(await isNothing())
  await actor.write('PUT', `/courses/${id}/publication`)
  await until(async () => !(await isNothing()), 'the correction')
  assert.ok(await isNothing(app.b))
  await actor.write('DELETE', `/courses/${id}/publication`)
  await until(isNothing, 'nothing again')
  assert.doesNotMatch((await open('/search?q=sesquipedalien')).text, /sesquipedalian/i)
})

test('a compound is found however it is divided', async () => {
  const actor = await staff()
  await publish(actor, { name: 'Cross-laminated doughs', description: 'A bench-scraper helps' })
  await publish(actor, { name: 'Rolling', description: 'Crosslaminated is one word' })
  await until(async () => namesIn(await open('/search?q=rolling')).length > 0, 'the results')
  for (const q of ['crosslaminated', 'cross-laminated', 'cross laminated', 'crosslam', 'Cross–Laminated'])
    assert.deepEqual(
      namesIn(await open(`/search?q=${encodeURIComponent(q)}`)),
      ['Cross-laminated doughs', 'Rolling'],
      q,
    )
  assert.deepEqual(namesIn(await open('/search?q=benchscraper')), ['Cross-laminated doughs'], 'also in a description')
  assert.deepEqual(namesIn(await open('/search?q=laminated')), ['Cross-laminated doughs'], 'and by its second part')
})

test('an empty search, and one that finds nothing, show the newest courses', async () => {
  for (const path of ['/search', '/search?q=', '/search?q=%20%00', '/search?q=!!!', '/search?q=nothinghasthisword']) {
    const page = await open(path)
    assert.equal(page.status, 200, path)
    assert.deepEqual(namesIn(page), [], path)
    assert.match(page.text, /Newest courses/, path)
    assert.equal(/Nothing was found/.test(page.text), /!!!|word/.test(path), path)
  }
})

test('results continue on further pages, each once', async () => {
  const actor = await staff()
  for (let n = 0; n < 21; n++) await publish(actor, { name: `Kamut ${n}` })
  const next = ({ text }: TestReply): string =>
    /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  await until(async () => next(await open('/search?q=kamut')) !== '', 'a second page')
  const first = await open('/search?q=kamut')
  const second = await open(next(first))
  assert.equal(second.status, 200, second.text)
  assert.equal(next(second), '')
  assert.match(second.text, /href="\/search\?q=kamut">Back to the first results/)
  const names = [...namesIn(first), ...namesIn(second)]
  assert.deepEqual([namesIn(first).length, names.length, new Set(names).size], [20, 21, 21])
  const after = new URL(next(first), 'http://a.invalid').searchParams.get('after') ?? ''
  const past = after.replace(/^\d\.\d+/, '2.0')
  assert.deepEqual(namesIn(await open(`/search?q=kamut&after=${past}`)), [])
})

test('a position that no page of results has is refused, and words of any kind are searched', async () => {
  for (const after of [
    'x',
    '1.1',
    '3.1.crs_0',
    '1.99999999999999.crs_0',
    '1.1.mem_00000000000000000000000000',
    '1.1.crs_x',
  ])
    assert.equal((await open(`/search?q=a&after=${after}`)).status, 400, after)
  for (const q of ['%', `%27%3B--`, '%ED%A0%80', '%F0%9F%A5%96', 'a%20b%20'.repeat(60), '%E2%80%AEtxt', '__proto__'])
    assert.equal((await open(`/search?q=${q}`)).status, 200, q)
})
