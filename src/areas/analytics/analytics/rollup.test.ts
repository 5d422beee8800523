import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { memberMerge, personalData } from '#src/contract/personal-data.ts'
import { openDatabase } from '#src/db/database.ts'
import { toId } from '#src/kit/ids.ts'
import { rollUp } from '#testing/analytics.ts'
import { testApp } from '#testing/app.ts'
import { LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { openSales } from '#testing/offers.ts'
import { until } from '#testing/until.ts'
import { createRollUp } from './rollup/jobs.ts'

let mailbox: Mailbox | undefined
// The worker runs only where mails are delivered.
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const readTotal = async (metric: string, more = ''): Promise<{ total: number; complete: boolean }> => {
  const ada = await app.actor('ada', { scopes: ['analytics:read'] })
  const { status, text, json } = await ada.get(`/analytics/series?metric=${metric}${more}`)
  assert.equal(status, 200, text)
  return { total: json.series[0].total, complete: json.complete }
}

test('what students do is in the figures within seconds, rolled up by the worker', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const course = await teach(ada, 'Counted', [{ name: 'One' }, { name: 'Two' }])
  await rollUp(app)
  const before = await readTotal('enrollments')
  const member_id = toId('mem', await readMemberId(app, 'dev'))
  const enrolled = await ada.write('POST', '/enrollments', { member_id, course_id: course.id })
  assert.equal(enrolled.status, 201, enrolled.text)
  await until(async () => {
    const { total, complete } = await readTotal('enrollments')
    return complete && total === before.total + 1
  }, 'the enrollment is counted')
  const active = await readTotal('active_learners', `&item_id=${course.id}`)
  assert.equal(active.total, 0)
  const dev = await app.actor('dev', { scopes: LEARNING })
  const [lesson] = course.lessons
  assert.ok((await dev.write('PUT', `/account/lessons/${lesson}/completion`)).status < 300)
  assert.equal((await readTotal('active_learners', `&item_id=${course.id}`)).total, 1)
  await until(
    async () => (await readTotal('lesson_completions', `&item_id=${course.id}`)).total === 1,
    'the completed lesson is counted',
  )
})

test('a change that commits while quarters are rolled up is rolled up by a job of its own', async () => {
  const database = openDatabase(app.database.appUrl, { max: 2, wait: 10_000 })
  try {
    const job = { kind: 'metric', schoolId: app.b.id, id: app.b.id, attempt: 1 }
    const { settle, againIn } = await createRollUp(database)(job)
    assert.equal(againIn, undefined)
    await app.database.query(
      `insert into metric_dirty (school_id, source, at) values ($1, 'members.created_at', '2026-01-01T00:00:00Z')`,
      [app.b.id],
    )
    const jobs = () => app.database.query(`select from jobs where kind = 'metric' and school_id = $1`, [app.b.id])
    await app.database.query(`delete from jobs where kind = 'metric' and school_id = $1`, [app.b.id])
    await database.transaction(app.b.id, db => settle(db))
    assert.equal((await jobs()).length, 1)
    await until(async () => (await jobs()).length === 0, 'the job has run')
    assert.deepEqual(await app.database.query('select from metric_dirty where school_id = $1', [app.b.id]), [])
  } finally {
    await database.close()
  }
})

test('the hours in which somebody learned are in their export, and move with them to another account', async () => {
  const [dev, eli] = [await readMemberId(app, 'dev'), await readMemberId(app, 'eli')]
  const sales = openSales(app.database.appUrl, app.a.id)
  const readHours = async (memberId: string) =>
    (await sales.run(place => personalData.call({ memberId }, place)))
      .flat()
      .find(({ name }) => name === 'learning_hours')?.rows ?? []
  try {
    const own = await readHours(dev)
    assert.ok(own.length > 0)
    assert.deepEqual(Object.keys(own[0] ?? {}), ['hour', 'course_id'])
    await sales.run(async place => {
      await memberMerge.call({ fromId: dev, intoId: eli }, place)
    })
    assert.deepEqual(await readHours(dev), [])
    const moved = new Set((await readHours(eli)).map(row => JSON.stringify(row)))
    assert.ok(own.every(row => moved.has(JSON.stringify(row))))
  } finally {
    await sales.close()
  }
})
