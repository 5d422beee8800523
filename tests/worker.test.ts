import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const DAY = 24 * 3600
const PATIENCE_MS = 30_000

const until = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + PATIENCE_MS; !(await condition()); await pause(20))
    assert.ok(performance.now() < end, what)
}

test('S-06 work that meets a lock is done soon after it is free, and the try does not count', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { id } = (await ada.write('POST', '/courses', { name: 'Held back' })).json
  const [row] = await app.database.query<{ at: Date }>(`select stoa.now() + interval '1 day' as at`)
  const at = row?.at.toISOString()
  assert.equal((await ada.write('PUT', `/courses/${id}/publication`, { at })).json.status, 'scheduled')
  const holder = new pg.Client({ connectionString: app.database.ownerUrl })
  await holder.connect()
  const job = async () => {
    const text = `select attempt, extract(epoch from due_at - stoa.now())::float8 as ahead from jobs where kind = 'course_publication'`
    return (await holder.query<{ attempt: number; ahead: number }>(text)).rows[0]
  }
  await holder.query('begin; lock table courses in access exclusive mode')
  await app.moveClock(2 * DAY)
  await until('the work is claimed', async () => (await job())?.attempt === 1)
  await until('the work is put off for seconds', async () => {
    const { attempt, ahead = DAY } = (await job()) ?? {}
    return attempt === 0 && ahead <= 5
  })
  await holder.query('rollback')
  const again = await app.actor('ada', { scopes: ['courses:read'] })
  await until('published', async () => (await again.get(`/courses/${id}`)).json.status === 'published')
  await holder.end()
})
