import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'
import { statusAfterEdit } from './rules.ts'

const app = testApp()
const STAFF = ['courses:read', 'courses:write', 'school:read', 'school:write', 'members:read', 'members:write']
const OWN = ['account:read', 'account:write', 'courses:read']
const actors = new Map<string, Promise<Actor>>()

/** Somebody with all that a test needs, signed in once. */
const as = (name: PersonName): Promise<Actor> => {
  const scopes = { ada: [...STAFF, ...OWN], ben: STAFF, carla: ['courses:read', 'courses:write', ...OWN] }
  const actor = actors.get(name) ?? app.actor(name, { scopes: (scopes as Record<string, string[]>)[name] ?? OWN })
  actors.set(name, actor)
  return actor
}

const anonymous = async (path: string): Promise<TestReply> => app.send({ path: `/api/v1${path}` })

const entitle = (name: PersonName, courseId: string, more = '') =>
  app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, ends_at, created_at)
     select c.school_id, gen_random_uuid(), m.id, 'course', c.id, 'gift', stoa.now() - interval '9 days',
       ${more === 'ended' ? `stoa.now() - interval '1 day'` : 'null'}, stoa.now()
     from courses c join members m on m.school_id = c.school_id
     where c.school_id = $1 and c.slug = $2 and m.email = $3`,
    [app.a.id, courseId, `${name}@crumb.example`],
  )

/** Creates a published course of Carla in which these people were enrolled; returns its path and id. */
const course = async (name: string, learners: readonly PersonName[]): Promise<{ id: string; path: string }> => {
  const ada = await as('ada')
  const { json } = await ada.write('POST', '/courses', { name })
  await ada.write('PUT', `/courses/${json.id}/lecturers/slug:carla-nunes`)
  await ada.write('PUT', `/courses/${json.id}/publication`, {})
  for (const learner of learners) await entitle(learner, json.slug)
  return { id: json.id, path: `/courses/${json.id}` }
}

const review = async (name: PersonName, courseId: string, rating = 4): Promise<TestReply> =>
  (await as(name)).write('POST', '/account/reviews', { course_id: courseId, rating, title: 'Good', body: 'It rose.' })

const approve = async (id: string): Promise<TestReply> => (await as('ada')).write('PUT', `/reviews/${id}/publication`)

const setMode = async (mode: string): Promise<void> => {
  const { status, text } = await (await as('ada')).write('PATCH', '/school', { review_mode: mode }, { 'if-match': '*' })
  assert.equal(status, 200, text)
}

const readRating = async (path: string): Promise<[number | null, number]> => {
  const { json } = await anonymous(path)
  return [json.rating_average, json.rating_count]
}

test('a review waits for approval, is then public and counted, and the lecturer replies to it', async () => {
  const { id, path } = await course('Brioche', ['dev', 'eli'])
  const created = await review('dev', id, 5)
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.json.status, created.json.author.name], ['pending', 'Dev Patel'])
  assert.equal(created.headers.location, `${app.a.baseUrl}/api/v1/account/reviews/${created.json.id}`)
  assert.deepEqual((await anonymous(`${path}/reviews`)).json.data, [])
  assert.deepEqual(await readRating(path), [null, 0])
  assert.equal((await anonymous(`/reviews/${created.json.id}`)).status, 404)
  const [ada, carla] = [await as('ada'), await as('carla')]
  for (const actor of [ada, carla])
    assert.equal((await actor.get(`${path}/reviews?status=pending`)).json.data[0]?.id, created.json.id)
  assert.ok(
    (await ada.get('/reviews?status=pending')).json.data.some((one: { id: string }) => one.id === created.json.id),
  )
  assert.equal((await approve(created.json.id)).json.status, 'published')
  assert.equal((await anonymous(`/reviews/${created.json.id}`)).json.hidden_reason, undefined)
  assert.deepEqual(await readRating(path), [5, 1])
  assert.equal((await approve((await review('eli', id, 4)).json.id)).status, 200)
  assert.deepEqual(await readRating(path), [4.5, 2])
  const answer = await carla.write('PUT', `/reviews/${created.json.id}/reply`, { body: 'Thank you, Dev.' })
  assert.deepEqual([answer.status, answer.json.reply.author.name], [200, 'Carla Nunes'])
  const shown = (await anonymous(`${path}/reviews?sort=-rating&limit=1`)).json
  assert.deepEqual([shown.data[0].reply.body, shown.has_more], ['Thank you, Dev.', true])
  const next = (await anonymous(`${path}/reviews?sort=-rating&limit=1&cursor=${shown.next_cursor}`)).json
  assert.deepEqual([next.data[0].rating, next.has_more], [4, false])
  assert.deepEqual((await anonymous(`${path}/reviews?rating=4`)).json.data.length, 1)
  assert.equal((await carla.write('DELETE', `/reviews/${created.json.id}/reply`)).json.reply, null)
})

suite('people who may not review', () => {
  test('F-15 a person who never had the course does not review it, and gets 404 for what they cannot see', async () => {
    const { id, path } = await course('Croissants', [])
    const femi = await as('femi')
    const refused = await review('femi', id)
    assert.deepEqual([refused.status, refused.json.code], [403, 'enrollment_required'])
    const draft = (await (await as('ada')).write('POST', '/courses', { name: 'Secret' })).json.id
    const [hidden, nobody] = [await review('femi', draft), await review('femi', `crs_${'0'.repeat(26)}`)]
    assert.equal(hidden.status, 422)
    assert.deepEqual({ ...hidden.json, request_id: '' }, { ...nobody.json, request_id: '' })
    assert.deepEqual((await anonymous(`${path}/reviews`)).json.data, [])
    assert.equal((await femi.get('/account/reviews')).json.data.length, 1)
  })

  test('H-09 a review in which nothing can be seen is refused, and nothing is written', async () => {
    const { id, path } = await course('Unseen', ['dev'])
    const dev = await as('dev')
    const refused = await dev.write('POST', '/account/reviews', { course_id: id, rating: 1, body: '\u200b\u2060' })
    assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/body'])
    assert.deepEqual((await (await as('ada')).get(`${path}/reviews`)).json.data, [])
  })

  test('a former student may review after their access has ended; nobody reviews twice, or a course that they teach', async () => {
    const { id } = await course('Baguettes', ['carla'])
    await entitle('femi', 'baguettes', 'ended')
    assert.equal((await review('femi', id)).status, 201)
    const again = await review('femi', id, 1)
    assert.deepEqual([again.status, again.json.code], [409, 'review_exists'])
    const own = await review('carla', id)
    assert.deepEqual([own.status, own.json.code], [409, 'own_course_review'])
  })

  test('F-16 a lecturer hides no review of their course, only staff approve, and other authors’ reviews are not theirs', async () => {
    const { id, path } = await course('Ciabatta', ['dev'])
    const { json } = await review('dev', id, 1)
    await approve(json.id)
    const [carla, eli, dev] = [await as('carla'), await as('eli'), await as('dev')]
    const refused = await carla.write('DELETE', `/reviews/${json.id}/publication?reason=Too+harsh`)
    assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
    const withScope = await app.actor('dev', { scopes: OWN })
    for (const actor of [eli, dev, withScope])
      assert.equal(
        (await actor.write('PUT', `/reviews/${json.id}/reply`, { body: 'x' })).json.code,
        'insufficient_scope',
      )
    for (const [method, body] of [
      ['PATCH', { rating: 5 }],
      ['DELETE', undefined],
    ] as const)
      assert.equal((await eli.write(method, `/account/reviews/${json.id}`, body)).status, 404)
    assert.equal((await eli.get(`/account/reviews/${json.id}`)).status, 404)
    assert.deepEqual(await readRating(path), [1, 1])
    assert.equal((await anonymous(`/reviews/${json.id}`)).json.reply, null)
  })
})

suite('what a change of a review does', () => {
  test('a changed review needs approval again, always after it was hidden, and its author sees the reason', async () => {
    const { id, path } = await course('Focaccia', ['eli'])
    const { json } = await review('eli', id, 2)
    await approve(json.id)
    const eli = await as('eli')
    const ada = await as('ada')
    const before = await eli.get(`/account/reviews/${json.id}`)
    const changed = await eli.write('PATCH', `/account/reviews/${json.id}`, { rating: 3 })
    assert.deepEqual([changed.json.status, changed.json.rating], ['pending', 3])
    assert.deepEqual(await readRating(path), [null, 0])
    const stale = await ada.write('PUT', `/reviews/${json.id}/publication`, undefined, {
      'if-match': String(before.headers.etag),
    })
    assert.equal(stale.status, 412)
    await approve(json.id)
    assert.deepEqual(await readRating(path), [3, 1])
    const hidden = await ada.write('DELETE', `/reviews/${json.id}/publication?reason=Names+a+student`)
    assert.deepEqual([hidden.json.status, hidden.json.hidden_reason], ['hidden', 'Names a student'])
    assert.equal((await eli.get(`/account/reviews/${json.id}`)).json.hidden_reason, 'Names a student')
    assert.deepEqual(await readRating(path), [null, 0])
    await setMode('direct')
    assert.equal((await eli.write('PATCH', `/account/reviews/${json.id}`, { body: 'Better.' })).json.status, 'pending')
    await approve(json.id)
    assert.equal((await eli.write('PATCH', `/account/reviews/${json.id}`, { body: 'Best.' })).json.status, 'published')
    await setMode('approval')
    const same = await eli.write('PATCH', `/account/reviews/${json.id}`, { body: 'Best.', title: 'Good' })
    assert.equal(same.json.status, 'published')
    assert.equal((await eli.write('DELETE', `/account/reviews/${json.id}`)).status, 204)
    assert.deepEqual(await readRating(path), [null, 0])
    assert.deepEqual((await ada.get(`${path}/reviews`)).json.data, [])
  })

  for (const [before, mode, after] of [
    ['published', 'direct', 'published'],
    ['published', 'approval', 'pending'],
    ['pending', 'direct', 'pending'],
    ['hidden', 'direct', 'pending'],
    ['hidden', 'approval', 'pending'],
  ] as const)
    test(`${before}, changed where reviews are for ${mode}: ${after}`, () =>
      assert.equal(statusAfterEdit(before, mode), after))
})

test('G-20 fifty concurrent writes leave the rating of the published reviews', async () => {
  const people = ['dev', 'eli', 'femi', 'ada', 'ben'] as const
  const { id, path } = await course('Pretzels', people.slice(0, 3))
  const created = await Promise.all(people.slice(0, 3).map((name, at) => review(name, id, at + 1)))
  const ids = created.map(({ json, text }) => json.id ?? assert.fail(text))
  const ada = await as('ada')
  const replies = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const of = ids[at % 3]
      const actor = await as(people[at % 3] ?? 'dev')
      if (at % 5 === 0) return retryWhileBusy(() => ada.write('DELETE', `/reviews/${of}/publication?reason=r${at}`))
      if (at % 5 === 1)
        return retryWhileBusy(() => actor.write('PATCH', `/account/reviews/${of}`, { rating: 1 + (at % 4) }))
      return retryWhileBusy(() => ada.write('PUT', `/reviews/${of}/publication`))
    }),
  )
  for (const { status, text } of replies) assert.equal(status, 200, text)
  await Promise.all(ids.map(one => approve(one)))
  const ratings = (await anonymous(`${path}/reviews`)).json.data.map((one: { rating: number }) => one.rating)
  const average = ratings.reduce((sum: number, one: number) => sum + one, 0) / 3
  assert.deepEqual(await readRating(path), [Number(average.toFixed(2)), 3])
})

test('G-03 of fifty concurrent reviews by one person one is written', async () => {
  const { id, path } = await course('Scones', ['femi'])
  const replies = await Promise.all(Array.from({ length: 50 }, () => retryWhileBusy(() => review('femi', id))))
  assert.deepEqual([...new Set(replies.map(({ status, json }) => (status === 201 ? 201 : json.code)))].sort(), [
    201,
    'review_exists',
  ])
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.equal((await (await as('ada')).get(`${path}/reviews`)).json.data.length, 1)
})

test('changed reviews are read in the order of commits, and staff export the list as CSV', async () => {
  const { id, path } = await course('Bagels', ['eli', 'dev'])
  await review('eli', id)
  const ada = await as('ada')
  // A write is listed once every older transaction has ended, also of other members.
  const listAfter = async (after: string) => {
    const end = performance.now() + 20_000
    for (;;) {
      const { json } = await ada.get(`${path}/reviews?after=${after}`)
      if (json.data.length > 0 || performance.now() > end) return json
      await pause(20)
    }
  }
  const names = ({ data }: { data: { author: { name: string } }[] }) => data.map(({ author }) => author.name)
  const first = await listAfter('0')
  assert.deepEqual(names(first), ['Eli Sørensen'])
  await review('dev', id)
  assert.deepEqual(names(await listAfter(first.next_after)), ['Dev Patel'])
  const { text } = await ada.get(`/reviews?course_id=${id}`, { accept: 'text/csv' })
  assert.match(text, /^id,course_id,author_id,author_name,rating,/)
  assert.equal(text.trim().split('\n').length, 4)
})

test('erasing a person deletes their reviews and updates the rating', async () => {
  const ada = await as('ada')
  const { id, path } = await course('Naan', ['ben'])
  await app
    .actor('ben', { scopes: OWN })
    .then(ben => ben.write('POST', '/account/reviews', { course_id: id, rating: 2, body: 'A marker of mine.' }))
  const { json } = await ada.get(`${path}/reviews`)
  await approve(json.data[0].id)
  assert.deepEqual(await readRating(path), [2, 1])
  const { json: pending } = await ada.write('POST', `/members/${json.data[0].author.id}/erasure`)
  await approveAs(app, 'ada', pending.confirmation.url)
  assert.deepEqual(await readRating(path), [null, 0])
  assert.equal((await app.database.query(`select from reviews where body like '%marker of mine%'`)).length, 0)
})
