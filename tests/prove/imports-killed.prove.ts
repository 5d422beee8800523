import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { importer } from '#testing/imports.ts'
import { isWhole } from '#testing/rounds.ts'
import { buildWorkbook } from '#testing/tables.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

// Without a mailbox the application has no worker, so that of a process of its own can be killed.
const app = testApp()

const PIECE = 200
/** As many as a file may have; in fewer rounds, enough to be killed in the middle of them. */
const ROWS = isWhole ? 50_000 : 1000
const MEGABYTES = 150
// Half of what V8 has on a machine of 512 MB.
const HEAP_MEGABYTES = 128
const PATIENCE_MS = 900_000

const HEADINGS =
  'email,name,tags,phone,external id,language,time zone,note,joined,marketing consent,status,what nobody asks'
const writePerson = (domain: string, at: number): string[] => [
  `person${at}@${domain}`,
  `Person ${at}`,
  'many; spring',
  `+351 912 ${100_000 + at}`,
  `${domain}-${at}`,
  'pt-PT',
  'Europe/Lisbon',
  `The note of person ${at} as a school writes it`,
  '2024-05-17',
  'yes',
  'active',
  `The text ${at} in a column that is ignored`,
]
const listTable = (domain: string): string[][] => [
  HEADINGS.split(','),
  ...Array.from({ length: ROWS }, (_, at) => writePerson(domain, at + 1)),
]

const writeCsv = (rows: readonly string[][]): Buffer => Buffer.from(rows.map(cells => cells.join()).join('\n'))

const writeWorkbook = (rows: readonly string[][]): Buffer =>
  buildWorkbook({
    strings: rows.flatMap(cells => cells.map(text => `<si><t>${text}</t></si>`)).join(''),
    rows: rows
      .map(
        (cells, row) => `<row>${cells.map((_, at) => `<c t="s"><v>${row * cells.length + at}</v></c>`).join('')}</row>`,
      )
      .join(''),
  })

type Importer = Awaited<ReturnType<typeof importer>>

const startWorker = (): Promise<WorkerProcess> =>
  startWorkerProcess({
    databaseUrl: app.database.appUrl,
    secret: app.secret,
    folder: app.folder,
    maxHeapMegabytes: HEAP_MEGABYTES,
  })

const readMegabytes = async (pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Starts a worker, does something while it works, and fails if it took more memory than it may. */
const withWorker = async (work: (worker: WorkerProcess) => Promise<unknown>): Promise<void> => {
  const worker = await startWorker()
  try {
    const before = await readMegabytes(worker.pid, 'VmRSS')
    await work(worker)
    const more = Math.round((await readMegabytes(worker.pid, 'VmHWM')) - before)
    console.log(`a worker took ${more} MB more than at its start`)
    assert.ok(more <= MEGABYTES, `${more} MB`)
  } finally {
    await worker.kill()
  }
}

const reachProgress = (ben: Importer, id: string, percent: number): Promise<void> =>
  until(async () => (await ben.find(id)).progress >= percent, `${percent} % of an import`, PATIENCE_MS)

/** Lets workers do what was started, killing one at each of these percentages. */
const workAndKill = async (ben: Importer, id: string, kills: readonly number[], status: string): Promise<void> => {
  for (const percent of kills)
    await withWorker(async () => {
      await reachProgress(ben, id, percent)
    })
  await withWorker(() =>
    until(async () => (await ben.find(id)).status === status, `an import that is ${status}`, PATIENCE_MS),
  )
}

const count = async (from: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`)
  return row?.count ?? -1
}

const countPeople = (domain = 'many.example') => count(`members where email_folded like '%@${domain}'`)
// A row that was only checked names no member.
const countImported = () => count(`import_rows where status = 'created' and member_id is not null`)
const countResults = (status: string) => count(`import_rows where status = '${status}'`)
const countCreations = async (): Promise<number> => {
  const [row] = await app.database.query<{ created: number }>(
    `select coalesce(sum((payload ->> 'created')::integer), 0)::integer as created from facts where type = 'member.imported'`,
  )
  return row?.created ?? -1
}

test(`${ROWS} rows are checked, imported and undone with a kill in each phase: every row once, then none`, {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const ben = await importer(app, 'ben')
  const creationsBefore = await countCreations()
  const { json } = await ben.begin(writeCsv(listTable('many.example')))
  await withWorker(() => ben.read(json.id, PATIENCE_MS))
  const { id } = json
  const asked = await ben.write('PUT', `${ben.base}/${id}/check`)
  assert.equal(asked.status, 202, asked.text)
  await workAndKill(ben, id, [30], 'checked')
  assert.equal((await ben.find(id)).counts.created, ROWS)
  assert.equal(await countPeople(), 0, 'a check adds nobody')

  await ben.startRun(id)
  await withWorker(() => reachProgress(ben, id, 40))
  assert.equal((await ben.find(id)).status, 'running')
  await withWorker(async () => {
    await reachProgress(ben, id, 60)
    await app.setRole('ben', 'member')
    await until(
      async () => (await count(`imports where status = 'running'`)) === 0,
      'an import that is stopped',
      PATIENCE_MS,
    )
    const people = await countPeople()
    assert.equal(people % PIECE, 0, 'it was stopped at the end of a piece')
    assert.equal(await countImported(), people, 'as many results as people')
  })
  await app.setRole('ben', 'admin')
  const stopped = await ben.find(id)
  assert.equal(stopped.status, 'stopped', JSON.stringify(stopped.problem))
  assert.ok((await countPeople()) < ROWS)
  await ben.startRun(id)
  await workAndKill(ben, id, [80], 'completed')
  assert.deepEqual([await countPeople(), await countImported()], [ROWS, ROWS])
  assert.equal((await ben.find(id)).counts.created, ROWS)
  assert.equal((await countCreations()) - creationsBefore, ROWS, 'each was created once')

  await ben.startUndo(id)
  await workAndKill(ben, id, [50], 'undone')
  assert.deepEqual([await countPeople(), await countResults('undone')], [0, ROWS])
})

test(`a workbook of ${ROWS} rows and 12 columns takes as little memory, from its file to the last row`, {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const ben = await importer(app, 'ben')
  const { json } = await ben.begin(writeWorkbook(listTable('workbook.example')), 'people.xlsx')
  await withWorker(async () => {
    const { id, format } = await ben.read(json.id, PATIENCE_MS)
    assert.deepEqual([format.rows, format.columns.length], [ROWS, 12])
    await ben.check(id, PATIENCE_MS)
    const { status, counts } = await ben.run(id, PATIENCE_MS)
    assert.deepEqual([status, counts.created], ['completed', ROWS])
  })
  assert.equal(await countPeople('workbook.example'), ROWS)
})
