import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'
import { createDeleting } from './jobs.ts'
import { DELETION_JOB } from './queries.ts'

const DAY = 24 * 3600
const HOUR = 3600
const BOTH = ['account:read', 'account:write']
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const begin = async (name: 'dev' | 'eli') => {
  const actor = await app.actor(name, { scopes: BOTH })
  await approveAs(app, name, (await actor.write('POST', '/account/deletion')).json.confirmation.url)
  return Date.parse((await actor.get('/account/deletion')).json.due_at)
}

const moveTo = async (instant: number): Promise<void> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  await app.moveClock((instant - (row?.now.getTime() ?? 0)) / 1000)
}

const find = async (email: string) => {
  const [row] = await app.database.query<{ status: string; farewell_at: Date | null }>(
    `select m.status, d.farewell_at from members m
     left join account_deletions d on d.school_id = m.school_id and d.member_id = m.id
     where m.school_id = $1 and m.email = $2`,
    [app.a.id, email],
  )
  return row
}

test('an account is deleted when it is due, and not an hour earlier, although a due one is deleted then', async () => {
  await begin('eli')
  await app.moveClock(HOUR)
  const due = await begin('dev')
  await moveTo(due - (HOUR / 2) * 1000)
  await mailbox.waitFor('eli@crumb.example', 1, /was deleted/)
  await app.moveClock(10)
  await until(async () => (await find('eli@crumb.example')) === undefined, 'the account that is due is gone')
  assert.deepEqual(await find('dev@crumb.example'), { status: 'active', farewell_at: null })
  const dev = await app.actor('dev', { scopes: BOTH })
  assert.equal((await dev.get('/account/deletion')).json.status, 'begun')
  assert.equal((await dev.write('DELETE', '/account/deletion')).status, 204)
  await app.moveClock(30 * DAY)
  const { json } = await (await app.actor('dev', { scopes: BOTH })).get('/account/deletion')
  assert.equal(json.status, 'none')
})

test('the work of a deletion that comes before it is due does nothing', async () => {
  const due = await begin('dev')
  await moveTo(due - 1000 * HOUR)
  const [member] = await app.database.query<{ id: string }>(
    'select id from members where school_id = $1 and email = $2',
    [app.a.id, 'dev@crumb.example'],
  )
  const database = openDatabase(app.database.appUrl, { wait: 10_000, max: 2 })
  try {
    const run = createDeleting(database)
    const early = await run({ kind: DELETION_JOB, schoolId: app.a.id, id: String(member?.id), attempt: 1 })
    await database.transaction(app.a.id, db => early.settle(db))
    assert.equal(early.againIn, undefined)
    assert.deepEqual(await find('dev@crumb.example'), { status: 'active', farewell_at: null })
  } finally {
    await database.close()
  }
})
