import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import type { Job, JobOutcome } from '#src/contract/job.ts'
import { openDatabase } from '#src/db/database.ts'
import { claimJob } from '#src/db/jobs.ts'
import { startWorker } from '#src/worker/index.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { captureStatement, openAccess } from '#testing/plans.ts'
import { until } from '#testing/until.ts'

const BACKLOG = 1000
const DONE: JobOutcome = { againIn: undefined, settle: async () => undefined }

let database: TestDatabase
before(async () => {
  database = await createTestDatabase('stoa')
})
after(() => database.drop())

// A version 4 id with a first character, which decides when a search through the schools comes to it.
const schoolAt = (first: string): string => first + randomUUID().slice(1)

// With the schools of a test, no jobs but its own are there.
const addSchools = async (ids: readonly string[]): Promise<void> => {
  await database.query('delete from jobs')
  await database.query(
    `insert into schools (id, name, base_url, created_at, updated_at)
     select id, 'School', 'https://' || id || '.example', stoa.now(), stoa.now() from unnest($1::uuid[]) as id`,
    [ids],
  )
}

const addJobs = (schools: readonly string[], kind: string, { count = 1, due = '-1 second' } = {}) =>
  database.query(
    `insert into jobs (school_id, kind, id, due_at)
     select id, $2, gen_random_uuid(), stoa.now() + $4::interval
     from unnest($1::uuid[]) as id, generate_series(1, $3)`,
    [schools, kind, count, due],
  )

type Begun = Pick<Job, 'kind' | 'schoolId'> & { readonly worker: number }

/** Workers on connections of their own, as two processes have them; jobs in lanes and outbound ones do not end before they are released. */
const startWorkers = (count: number, lanes: Readonly<Record<string, number>>, outbound: readonly string[] = []) => {
  const begun: Begun[] = []
  const ended: Begun[] = []
  const errors: unknown[] = []
  const released = Promise.withResolvers<void>()
  const running = Array.from({ length: count }, (_, worker) => {
    const open = openDatabase(database.appUrl, { wait: 10_000 })
    const handle = async ({ kind, schoolId }: Job): Promise<JobOutcome> => {
      const one = { kind, schoolId, worker }
      begun.push(one)
      if (lanes[kind] !== undefined || outbound.includes(kind)) await released.promise
      ended.push(one)
      return DONE
    }
    const kinds = ['slow', 'slower', 'quick', 'other']
    const handlers = Object.fromEntries(kinds.map(kind => [kind, handle]))
    const parts = { database: open, handlers, lanes, outbound, onError: (error: unknown) => errors.push(error) }
    return { open, worker: startWorker(parts) }
  })
  const of = (kind: string, schoolId?: string) =>
    begun.filter(one => one.kind === kind && (schoolId === undefined || one.schoolId === schoolId))
  return {
    begun,
    ended,
    of,
    release: released.resolve,
    stop: async () => {
      released.resolve()
      await Promise.all(running.map(({ worker }) => worker.stop()))
      await Promise.all(running.map(({ open }) => open.close()))
      assert.deepEqual(errors, [])
    },
  }
}

suite('jobs in a lane', () => {
  test('a thousand slow jobs of a school delay neither its other jobs nor those of other schools, with two workers', async () => {
    const [a, b, c] = [schoolAt('a'), schoolAt('b'), schoolAt('c')]
    await addSchools([a, b, c])
    await addJobs([a], 'slow', { count: BACKLOG, due: '-1 hour' })
    await addJobs([b], 'slow')
    await addJobs([a, c], 'quick', { count: 15 })
    await addJobs([a, c], 'other', { count: 15 })
    const workers = startWorkers(2, { slow: 1 })
    try {
      await until(async () => workers.ended.length === 60, 'every job without a lane')
      await until(async () => workers.of('slow', b).length === 1, 'the slow job of the other school')
      assert.ok(workers.ended.every(({ kind }) => kind !== 'slow'))
      await until(async () => workers.of('slow', a).length === 2, 'a slow job in each process')
      assert.deepEqual(
        workers
          .of('slow', a)
          .map(({ worker }) => worker)
          .sort(),
        [0, 1],
      )
    } finally {
      await workers.stop()
    }
  })

  test('a kind has at most its number of jobs of a school, and all lanes of a school together two', async () => {
    const [a, b] = [schoolAt('a'), schoolAt('b')]
    await addSchools([a, b])
    await addJobs([a], 'slow', { count: 30, due: '-1 hour' })
    await addJobs([a, b], 'slower', { count: 30 })
    const workers = startWorkers(1, { slow: 1, slower: 3 })
    try {
      await until(async () => workers.begun.length === 4, 'the places of lanes are taken')
      assert.deepEqual(
        [workers.of('slow', a), workers.of('slower', a), workers.of('slower', b)].map(({ length }) => length),
        [1, 1, 2],
      )
    } finally {
      await workers.stop()
    }
  })

  test('K-06 receivers that never respond hold two outbound places of their school, and delay no other job', async () => {
    const schools = ['a', 'b', 'c', 'd', 'e'].map(schoolAt)
    const [a = ''] = schools
    await addSchools(schools)
    await addJobs(schools, 'slow', { count: 30, due: '-1 hour' })
    await addJobs(schools, 'quick', { count: 5 })
    await addJobs([a], 'slower')
    const workers = startWorkers(1, { slower: 1 }, ['slow'])
    try {
      await until(async () => workers.ended.length === 25, 'every other job')
      await until(async () => workers.of('slower').length === 1, 'the job in a lane')
      await until(async () => workers.of('slow').length === 8, 'the outbound places are taken')
      assert.ok(workers.ended.every(({ kind }) => kind === 'quick'))
      assert.ok(schools.every(id => workers.of('slow', id).length <= 2))
    } finally {
      await workers.stop()
    }
  })

  test('lanes take turns: the first job of a school comes second, however many another school had before', async () => {
    const [a, z] = [schoolAt('a'), schoolAt('f')]
    await addSchools([a, z])
    await addJobs([a], 'slow', { count: 100, due: '-1 hour' })
    await addJobs([z], 'slow')
    const workers = startWorkers(1, { slow: 1 })
    try {
      workers.release()
      await until(async () => workers.of('slow', z).length === 1, 'the job of the other school')
      assert.equal(workers.begun[1]?.schoolId, z)
    } finally {
      await workers.stop()
    }
  })

  test('a job behind hundreds of schools without due jobs is found, some schools with each look', async () => {
    const [a, z] = [schoolAt('0'), schoolAt('f')]
    const between = Array.from({ length: 500 }, () => schoolAt('7'))
    await addSchools([a, z, ...between])
    await addJobs([a], 'slow', { count: 30, due: '-1 hour' })
    await addJobs(between, 'slow', { due: '1 day' })
    await addJobs([z], 'slow')
    const workers = startWorkers(1, { slow: 1 })
    try {
      await until(async () => workers.of('slow', z).length === 1, 'the job of the last school')
      assert.deepEqual(
        workers.begun.map(({ schoolId }) => schoolId),
        [a, z],
      )
    } finally {
      await workers.stop()
    }
  })
})

suite('a claim', () => {
  const readSince = async (client: Awaited<ReturnType<typeof openAccess>>['client']): Promise<number> => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query(`
      select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'jobs')::integer
        + (select seq_tup_read from pg_stat_user_tables where relname = 'jobs')::integer as read`)
    return rows[0].read
  }

  test('reads a bounded number of jobs, whether the first ones may be claimed or have to wait', async () => {
    const [a, b] = [schoolAt('a'), schoolAt('b')]
    await addSchools([a, b])
    await addJobs([a], 'slow', { count: 5000, due: '-1 hour' })
    await addJobs([a], 'quick', { count: 5000, due: '-2 hours' })
    await addJobs([b], 'slow')
    // Rows that are deleted and not removed yet are read as well.
    await database.query('vacuum (analyze) jobs')
    const { client, close } = await openAccess(database.appUrl, a)
    const claimed = async (others: readonly string[], kinds: readonly string[]) => {
      const all = kinds.map(kind => ({ kind, others, after: undefined }))
      const { text, values } = captureStatement(db =>
        claimJob(db, { kinds: all, others: [] }, { seconds: 60, claimant: undefined }),
      )
      const before = await readSince(client)
      await client.query('begin')
      const { rows } = await client.query({ text, values: [...values] })
      await client.query('rollback')
      return { row: rows[0], read: (await readSince(client)) - before }
    }
    try {
      for (const [others, kinds, kind, schoolId] of [
        [[], ['slow', 'quick'], 'quick', a],
        [[], ['slow'], 'slow', a],
        [[a], ['slow', 'quick'], 'slow', b],
        [[a], ['quick'], null, null],
        [[], ['other'], null, null],
      ] as const) {
        const { row, read } = await claimed(others, kinds)
        assert.deepEqual([row.kind, row.schoolId], [kind, schoolId])
        assert.ok(read <= 300, `${read} jobs were read for ${kinds.join(' and ')} without ${others.length} schools`)
      }
    } finally {
      await close()
    }
  })
})
