import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const SCOPES = ['school:read', 'courses:read', 'courses:write', 'orders:read']
type Change = {
  readonly type: string
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
  readonly subject: { readonly id: string; readonly href: string } | null
}

let dev: Actor
before(async () => {
  dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
})

const read = async (query = ''): Promise<{ data: Change[]; next_after: string; has_more: boolean }> => {
  const { status, json, text } = await dev.get(`/school/changes${query}`)
  assert.equal(status, 200, text)
  return json
}

let count = 0
const addCourse = async (): Promise<string> => {
  count += 1
  const made = await dev.write('POST', '/courses', { name: `Feed ${count}`, slug: `feed-${count}` })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

const readUntil = async (from: string, number: number, query = '') => {
  let page = await read(`?after=${from}${query}`)
  await until(async () => {
    page = await read(`?after=${from}${query}`)
    return page.data.length >= number
  }, `${number} facts`)
  return page
}

test('from now on the feed has what happens, in number, and goes on where it was', async () => {
  const { data, next_after: start, has_more } = await read('?after=now')
  assert.deepEqual([data, has_more], [[], false])
  const ids = [await addCourse(), await addCourse(), await addCourse()]
  const page = await readUntil(start, 3, '&types=course.created')
  assert.deepEqual(
    page.data.map(({ data }) => data),
    ids.map(id => ({ course_id: id })),
  )
  assert.deepEqual(page.data[0]?.subject, { id: ids[0], href: `${app.a.baseUrl}/api/v1/courses/${ids[0]}` })
  const first = await read(`?after=${start}&types=course.created&limit=2`)
  assert.deepEqual([first.data.length, first.has_more], [2, true])
  const second = await read(`?after=${first.next_after}&types=course.created&limit=2`)
  assert.deepEqual(
    [...first.data, ...second.data].map(({ sequence }) => sequence),
    page.data.map(({ sequence }) => sequence),
  )
  const empty = await read(`?after=${start}&types=order.paid`)
  assert.deepEqual(empty.data, [])
  assert.notEqual(empty.next_after, start)
  assert.deepEqual((await read(`?after=${empty.next_after}&types=course.created`)).data, [])
})

test('numbers with one digit more come after those before, page by page', async () => {
  const { next_after: start } = await read('?after=now')
  const course = await addCourse()
  let numbers: number[] = []
  const digits = () => new Set(numbers.map(number => String(number).length))
  for (let at = 0; digits().size < 2; at += 1) {
    const { status, text } = await dev.write('PATCH', `/courses/${course}`, { name: `Digit ${at}` })
    assert.equal(status, 200, text)
    numbers = []
    for (let after = start, has_more = true; has_more; ) {
      const page = await read(`?after=${after}&limit=2`)
      numbers.push(...page.data.map(({ sequence }) => sequence))
      after = page.next_after
      has_more = page.has_more
    }
  }
  const first = numbers[0] ?? assert.fail('the feed has nothing')
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => first + at),
  )
})

test('it has only types that the scopes allow, and refuses others and what is no type', async () => {
  const { next_after: start } = await read('?after=now')
  await addCourse()
  await readUntil(start, 1, '&types=course.created')
  const other = await app.actor('dev', { scopes: ['school:read'], metadata: { client_name: 'Oven Watch' } })
  const own = await other.get(`/school/changes?after=${start}`)
  assert.deepEqual([own.status, own.json.data], [200, []])
  const refused = await other.get('/school/changes?types=school.updated,course.*')
  assert.deepEqual([refused.status, refused.json.code], [403, 'insufficient_scope'])
  assert.match(String(refused.headers['www-authenticate']), /scope="courses:read"/)
  for (const types of ['nothing.happened', 'session.ended', 'course']) {
    const { status, json } = await dev.get(`/school/changes?types=${types}`)
    assert.deepEqual([status, json.code], [400, 'invalid_parameter'], types)
  }
})

test('a position of another school, or none, is refused; one of another era or before the feed has expired', async () => {
  const { next_after: position } = await read('?after=now')
  const other = await app.actor('dev', { as: 'admin', scopes: ['school:read'], school: app.b })
  for (const reply of [await other.get(`/school/changes?after=${position}`), await dev.get('/school/changes?after=1')])
    assert.deepEqual([reply.status, reply.json.code], [400, 'invalid_parameter'])
  const first = await read('?limit=1')
  await app.database.query('update schools set facts_open_after = 2')
  const before = await dev.get(`/school/changes?after=${first.next_after}`)
  assert.deepEqual([before.status, before.json.code], [410, 'position_expired'])
  assert.ok((await read()).data.every(({ sequence }) => sequence > 2))
  await app.database.query('update stoa.era set id = gen_random_uuid()')
  const restored = await dev.get(`/school/changes?after=${position}`)
  assert.deepEqual([restored.status, restored.json.code], [410, 'position_expired'])
})

test('facts about webhooks are in the feed, internal ones are not', async () => {
  const { next_after: start } = await read('?after=now')
  const made = await dev.write('POST', '/webhooks', { url: 'https://hooks.example.org/', types: ['course.created'] })
  const page = await readUntil(start, 1)
  assert.deepEqual(
    page.data.map(({ type, subject }) => [type, subject?.href]),
    [['webhook.created', `${app.a.baseUrl}/api/v1/webhooks/${made.json.id}`]],
  )
})
