import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Job } from '#src/contract/job.ts'
import { openDatabase } from '#src/db/database.ts'
import { startWorker } from '#src/worker/index.ts'
import { createTestDatabase } from '#testing/database.ts'

const BUSY_SCHOOLS = 12
const JOBS = 30

test('the thousandth job of twelve schools does not run before the first of another', async () => {
  const database = await createTestDatabase('stoa')
  const schools = Array.from({ length: BUSY_SCHOOLS }, () => randomUUID())
  const quiet = randomUUID()
  await database.query(
    `insert into schools (id, name, base_url, created_at, updated_at)
     select id, 'School', 'https://' || id || '.example', stoa.now(), stoa.now() from unnest($1::uuid[]) as id`,
    [[...schools, quiet]],
  )
  await database.query('delete from jobs')
  // The job of the quiet school was created last.
  await database.query(
    `insert into jobs (school_id, kind, id, due_at)
     select id, 'work', gen_random_uuid(), stoa.now() - interval '1 hour' from unnest($1::uuid[]) as id, generate_series(1, $2)
     union all select $3, 'work', gen_random_uuid(), stoa.now() - interval '1 second'`,
    [schools, JOBS, quiet],
  )
  const open = openDatabase(database.appUrl, { wait: 10_000 })
  const begun: string[] = []
  const done = Promise.withResolvers<void>()
  const worker = startWorker({
    database: open,
    handlers: {
      work: async ({ schoolId }: Job) => {
        begun.push(schoolId)
        if (begun.length > BUSY_SCHOOLS * JOBS) done.resolve()
        return { againIn: undefined, settle: async () => undefined }
      },
    },
    onError: error => done.reject(error),
  })
  try {
    await done.promise
    assert.ok(begun.indexOf(quiet) <= BUSY_SCHOOLS, `its place was ${begun.indexOf(quiet)} of ${begun.length}`)
    // In any round each school has one turn.
    for (const school of schools) assert.equal(begun.slice(0, BUSY_SCHOOLS + 1).filter(one => one === school).length, 1)
  } finally {
    await worker.stop()
    await open.close()
    await database.drop()
  }
})
