import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { importer } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { beginWithCode } from '#testing/sign-in-codes.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

type Importer = Awaited<ReturnType<typeof importer>>

const AT_ONCE = 45
const PAUSE_SECONDS = 180

/** A run of an import that invites so many people. */
const invite = async (ada: Importer, count: number): Promise<string> => {
  const lines = Array.from({ length: count }, (_, at) => `${randomUUID()}@invited.example,Person ${at}`)
  const { json } = await ada.begin(Buffer.from(['Email,Name', ...lines].join('\n')))
  await ada.read(json.id)
  assert.equal((await ada.change(json.id, { options: { send_invitations: true } })).status, 200)
  await ada.check(json.id)
  const done = await ada.run(json.id)
  assert.deepEqual([done.status, done.counts.created], ['completed', count])
  return json.id
}

const countInvited = (): number => mailbox.arrived.filter(({ to }) => to[0]?.endsWith('@invited.example')).length

/** How many people the worker has not come to yet; mails follow soon after. */
const countWaiting = async (): Promise<number> =>
  (await app.database.query('select from import_rows where is_to_invite')).length

/** Waits until so many people are invited and the job waits for its next turn. */
const reach = async (invited: number, waiting: number): Promise<void> => {
  await until(async () => countInvited() >= invited, `${invited} invitations`)
  await until(async () => (await countWaiting()) === waiting, `${waiting} who wait`)
  assert.equal(countInvited(), invited)
}

test('people of imports are invited 45 every three minutes, however many imports end, and none after the undo', async () => {
  const ada = await importer(app, 'ada')
  const first = await invite(ada, 100)
  await reach(AT_ONCE, 55)
  const second = await invite(ada, 10)
  await invite(ada, 5)
  const { page } = await beginWithCode(app, people.dev.email)
  assert.equal(page.status, 200, page.text)
  await mailbox.waitFor(people.dev.email, 1, /is your code/)
  await reach(AT_ONCE, 70)
  const dues = await app.database.query<{ seconds: number }>(
    `select extract(epoch from due_at - stoa.now())::integer as seconds from jobs where kind = 'import_invitations'`,
  )
  assert.equal(dues.length, 1)
  assert.ok((dues[0]?.seconds ?? 0) > 0, 'the ends of other imports hasten nothing')
  await app.moveClock(PAUSE_SECONDS)
  await reach(2 * AT_ONCE, 25)
  await ada.undo(second)
  assert.equal(await countWaiting(), 15)
  await ada.undo(first)
  assert.equal(await countWaiting(), 5)
  await app.moveClock(PAUSE_SECONDS)
  await reach(2 * AT_ONCE + 5, 0)
  await app.moveClock(PAUSE_SECONDS)
  await until(
    async () => (await app.database.query(`select from jobs where kind = 'import_invitations'`)).length === 0,
    'an end of the invitations',
  )
  assert.equal(countInvited(), 2 * AT_ONCE + 5)
})
