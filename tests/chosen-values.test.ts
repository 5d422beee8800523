import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'

const app = testApp()
const AT_ONCE = 30
let second: AppProcess

const staff = (): Promise<Actor> =>
  app.actor('ada', {
    scopes: [
      'courses:read',
      'courses:write',
      'lecturers:read',
      'lecturers:write',
      'members:write',
      'curriculum:read',
      'curriculum:write',
      'digital_products:read',
      'digital_products:write',
    ],
  })

/** Creates that many resources concurrently, half of them in each process. */
const createAtOnce = async (
  path: string,
  buildBody: (at: number) => unknown,
  times = AT_ONCE,
): Promise<TestReply[]> => {
  const { token } = await staff()
  const create = (at: number) => {
    const request = jsonBody('POST', `/api/v1${path}`, buildBody(at), { authorization: `Bearer ${token}` })
    return retryWhileBusy(() =>
      send(at % 2 === 0 ? app.port : second.port, { ...request, host: new URL(app.a.baseUrl).host }),
    )
  }
  return Promise.all(Array.from({ length: times }, (_, at) => create(at)))
}

const listStatuses = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => `${status} ${json.detail ?? ''}`)
const listSlugs = (replies: readonly TestReply[]): Set<string> => new Set(replies.map(({ json }) => json.slug))

const assertDistinct = (replies: readonly TestReply[], prefix: string): void => {
  assert.deepEqual(new Set(listStatuses(replies)), new Set(['201 ']))
  const slugs = listSlugs(replies)
  assert.equal(slugs.size, replies.length)
  assert.ok(slugs.has(prefix), `the first one is called ${prefix}`)
}

suite('values that the server chooses, with two processes on one database', () => {
  before(async () => {
    const { appUrl: databaseUrl } = app.database
    second = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder })
  })
  after(() => second.stop())

  test('thirty courses of one name that are created concurrently get thirty slugs', async () => {
    assertDistinct(await createAtOnce('/courses', () => ({ name: 'Same loaf' })), 'same-loaf')
  })

  test('thirty copies of a course that are created concurrently get thirty slugs', async () => {
    const actor = await staff()
    const { json: course } = await actor.write('POST', '/courses', { name: 'Original' })
    assertDistinct(await createAtOnce(`/courses/${course.id}/copies`, () => ({ name: 'Twin loaf' })), 'twin-loaf')
  })

  test('thirty lecturers of one name that are created concurrently get thirty slugs', async () => {
    const replies = await createAtOnce('/lecturers', () => ({ display_name: 'Ana Same' }))
    assertDistinct(replies, 'ana-same')
  })

  test('thirty products of one name, and thirty copies of one, that are created concurrently get thirty slugs', async () => {
    assertDistinct(await createAtOnce('/digital-products', () => ({ name: 'Same guide' })), 'same-guide')
    const { json } = await (await staff()).write('POST', '/digital-products', { name: 'First guide' })
    const copies = await createAtOnce(`/digital-products/${json.id}/copies`, () => ({ name: 'Twin guide' }))
    assertDistinct(copies, 'twin-guide')
  })

  test('thirty categories of one name that are created concurrently get thirty slugs', async () => {
    assertDistinct(await createAtOnce('/categories', () => ({ name: 'Same shelf' })), 'same-shelf')
  })

  // `rye-2` is chosen by the caller, by the server as the second `rye`, and by the server for the name "Rye 2".
  test('a generated slug gives way to one that a caller names at the same moment', async () => {
    for (const [path, name] of [
      ['/courses', 'name'],
      ['/digital-products', 'name'],
      ['/lecturers', 'display_name'],
    ] as const) {
      const kinds = [
        { [name]: 'Rye' },
        { [name]: 'Rye 2' },
        { [name]: 'Other', slug: 'rye' },
        { [name]: 'Other', slug: 'rye-2' },
      ]
      const replies = await createAtOnce(path, at => kinds[Math.floor(at / 2) % kinds.length], 32)
      const generated = replies.filter((_, at) => Math.floor(at / 2) % kinds.length < 2)
      assert.deepEqual(new Set(listStatuses(generated)), new Set(['201 ']), path)
      assert.equal(listSlugs(generated).size, generated.length)
      const named = replies.filter((_, at) => Math.floor(at / 2) % kinds.length >= 2)
      for (const { status, json, text } of named) assert.ok(status === 201 || json.code === 'slug_taken', text)
    }
  })

  test('sections, lessons and prices that are created concurrently all get their positions', async () => {
    const actor = await staff()
    const { json: course } = await actor.write('POST', '/courses', { name: 'Many places' })
    const sections = await createAtOnce(`/courses/${course.id}/sections`, at => ({ name: `Section ${at}` }))
    const lessons = await createAtOnce(`/sections/${sections[0]?.json.id}/lessons`, at => ({
      name: `Lesson ${at}`,
      type: 'text',
    }))
    const price = { payment_type: 'one_time', amount: 4900, currency: 'EUR' }
    const prices = await createAtOnce(`/courses/${course.id}/prices`, () => price, 10)
    for (const replies of [sections, lessons, prices])
      assert.deepEqual(new Set(listStatuses(replies)), new Set(['201 ']))
    for (const table of ['sections', 'lessons']) {
      const [row] = await app.database.query<{ count: number; distinct: number }>(
        `select count(*)::integer as count, count(distinct position)::integer as distinct from ${table}
         where course_id = (select id from courses where slug = 'many-places')`,
      )
      assert.deepEqual(row, { count: AT_ONCE, distinct: AT_ONCE }, table)
    }
    assert.equal(
      (await actor.get(`/courses/${course.id}/prices`)).json.data.filter(
        (one: { is_primary: boolean }) => one.is_primary,
      ).length,
      1,
    )
  })

  test('the hundredth and later things of one name get slugs too', async () => {
    for (const [path, name] of [
      ['/courses', 'name'],
      ['/lecturers', 'display_name'],
    ] as const) {
      const body = { [name]: `${'Long name '.repeat(7)}end` }
      const all = []
      for (let round = 0; round < 4; round++) all.push(...(await createAtOnce(path, () => body)))
      assert.deepEqual(new Set(listStatuses(all)), new Set(['201 ']), path)
      assert.equal(listSlugs(all).size, all.length)
      for (const { json } of all) assert.match(json.slug, /^[a-z0-9-]{1,80}$/)
    }
  })
})
