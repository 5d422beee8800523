import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { startWorkerProcess } from '#testing/worker-process.ts'

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

suite('the claims of a process', () => {
  const ofOthers = async (): Promise<{ claimant: number; attempt: number }[]> =>
    app.database.query(
      `select claimed_by as claimant, attempt from jobs
       where kind = 'claimed' and claimed_by is not null and due_at = claimed_until`,
    )

  // Nobody has a handler for this kind, so that the claim stays as it is.
  const claim = async (claimant: number) =>
    app.database.query(
      `with claim as materialized (select stoa.now() + interval '300 s' as at)
       insert into jobs (school_id, kind, id, due_at, attempt, claimed_by, claimed_until)
       select $1, 'claimed', gen_random_uuid(), at, 1, $2, at from claim`,
      [app.a.id, claimant],
    )

  test('S-06 are released within seconds when it was killed, and not while it runs', async () => {
    const { appUrl: databaseUrl } = app.database
    const claimants = async () =>
      (
        await app.database.query<{ objid: number }>(
          `select objid::integer from pg_locks where locktype = 'advisory' and classid = 1937010529 and objsubid = 2
           and database = (select oid from pg_database where datname = current_database())`,
        )
      ).map(({ objid }) => objid)
    await until('this process holds its lock', async () => (await claimants()).length === 1)
    const [here = 0] = await claimants()
    const other = await startWorkerProcess({ databaseUrl, secret: app.secret, folder: app.folder })
    await until('both processes hold their locks', async () => (await claimants()).length === 2)
    const there = (await claimants()).find(one => one !== here) ?? 0
    await claim(here)
    await claim(there)
    await other.kill()
    await until('the claim of the killed process is released', async () => (await ofOthers()).length === 1)
    const [left] = await ofOthers()
    assert.equal(left?.claimant, here)
    const [released] = await app.database.query<{ due: boolean }>(
      `select due_at <= stoa.now() as due from jobs where kind = 'claimed' and claimed_by is null`,
    )
    assert.equal(released?.due, true)
  })

  test('stay when its connection is lost and it has it again, and what moved a job since is not undone', async () => {
    const before = await ofOthers()
    assert.equal(before.length, 1)
    await app.database.query(
      `update jobs set due_at = due_at + interval '1 day', claimed_by = 1 where kind = 'claimed' and claimed_by is null`,
    )
    await app.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'stoa listener'`,
    )
    // Nobody holds the lock of this one, so its release shows that the others could have been released too.
    await claim(2)
    await until('the claim of nobody is released', async () => (await ofOthers()).length === 1)
    assert.deepEqual(await ofOthers(), before)
    const [moved] = await app.database.query<{ later: boolean }>(
      `select due_at > stoa.now() + interval '23 hours' as later from jobs where kind = 'claimed' and claimed_by = 1`,
    )
    assert.equal(moved?.later, true)
  })
})
