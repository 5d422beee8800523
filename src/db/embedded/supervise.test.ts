// Runs in its own process: while a server is started again nothing else keeps the event loop alive.
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Embedded, type EmbeddedFailed, openEmbedded, type ServerEvent } from './index.ts'
import { readLock } from './lock-file.ts'
import { hasEndedWithin, isRunning } from './processes.ts'
import { emptyFolder, quickly, readRows, usedFolder } from './test-folders.ts'

type Supervised = {
  embedded: Embedded
  dataFolder: string
  events: ServerEvent[]
  givenUp: Promise<EmbeddedFailed>
}

async function openSupervised(dataFolder: string): Promise<Supervised> {
  const events: ServerEvent[] = []
  const { promise: givenUp, resolve: onGivenUp } = Promise.withResolvers<EmbeddedFailed>()
  const supervision = { onEvent: (event: ServerEvent) => events.push(event), onGivenUp }
  const embedded = await openEmbedded({ ...quickly(dataFolder), durable: true, supervision })
  return { embedded, dataFolder, events, givenUp }
}

async function readPid(dataFolder: string): Promise<number> {
  return (await readLock(join(dataFolder, 'stoa.lock')))?.postgresPid ?? 0
}

async function killPostgres(dataFolder: string): Promise<number> {
  const pid = await readPid(dataFolder)
  process.kill(pid, 'SIGKILL')
  assert.ok(await hasEndedWithin(pid, 60_000))
  return pid
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 90_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, what)
    await delay(20)
  }
}

const answers = (url: string) =>
  readRows(url, 'select 1').then(
    () => true,
    () => false,
  )

test('a killed server is started again under the same address, with everything that was committed', async () => {
  const { embedded, dataFolder, events } = await openSupervised(await usedFolder())
  let after = 0
  try {
    await readRows(embedded.ownerUrl, 'create table loaf as select generate_series(1, 1000) as number')
    const before = await killPostgres(dataFolder)
    await until(() => events.some(({ kind }) => kind === 'restarted'), 'it is not started again')
    assert.deepEqual(await readRows(embedded.ownerUrl, 'select count(*)::int as loaves from loaf'), [{ loaves: 1000 }])
    const [stopped] = events
    assert.ok(stopped?.kind === 'stopped' && stopped.how.includes('SIGKILL') && stopped.failure === 'other')
    assert.equal(embedded.state(), 'running')
    after = await readPid(dataFolder)
    assert.ok(after !== before && isRunning(after))
  } finally {
    await embedded.stop()
  }
  assert.ok(!isRunning(after))
})

test('a socket folder that was removed with the server is created again', async () => {
  const dataFolder = join(await emptyFolder(), 'a-long-name'.repeat(10))
  const { embedded, events } = await openSupervised(dataFolder)
  try {
    const host = new URL(embedded.appUrl).searchParams.get('host') ?? ''
    assert.ok(!host.startsWith(dataFolder))
    await rm(host, { recursive: true })
    await killPostgres(dataFolder)
    await until(() => events.some(({ kind }) => kind === 'restarted'), 'it is not started again')
    assert.ok(await answers(embedded.appUrl))
  } finally {
    await embedded.stop()
  }
})

test('a missing database is not replaced by an empty one', async () => {
  const { embedded, dataFolder, givenUp } = await openSupervised(await usedFolder())
  await rename(join(dataFolder, 'postgres'), join(dataFolder, 'elsewhere'))
  await killPostgres(dataFolder)
  const { failure, message } = await givenUp
  assert.equal(failure, 'data_missing')
  assert.ok(message.includes(join(dataFolder, 'postgres')) && !message.includes('\n'))
  await embedded.stop()
  assert.ok(!(await readdir(dataFolder)).includes('postgres'))
})

test('a server that cannot be started again is stopped while it waits for the next start', async () => {
  const { embedded, dataFolder, events } = await openSupervised(await usedFolder())
  const settings = join(dataFolder, 'postgres', 'postgresql.conf')
  await writeFile(settings, `${await readFile(settings, 'utf8')}\nno_such_setting = 1\n`)
  await killPostgres(dataFolder)
  await until(() => events.length >= 3, 'it is not tried again')
  assert.equal(embedded.state(), 'restarting')
  const waits = events.map(event => (event.kind === 'stopped' ? event.nextStartInMs : -1))
  assert.deepEqual(waits.slice(0, 3), [0, 500, 1000])
  await embedded.stop()
  assert.ok(!(await answers(embedded.appUrl)))
  assert.equal(await readLock(join(dataFolder, 'stoa.lock')), undefined)
})

test('a server that is stopped on purpose is not started again', async () => {
  const { embedded, events, dataFolder } = await openSupervised(await usedFolder())
  await embedded.stop()
  assert.deepEqual(events, [])
  await mkdir(join(dataFolder, 'run'), { recursive: true })
  assert.ok(!(await answers(embedded.appUrl)))
})

test('a server whose process is stopped takes the signal to end', { skip: process.platform === 'win32' }, async () => {
  const { embedded, dataFolder } = await openSupervised(await usedFolder())
  process.kill(await readPid(dataFolder), 'SIGSTOP')
  await embedded.stop()
  assert.match(
    await readFile(join(dataFolder, 'postgres.log'), 'utf8'),
    /received fast shutdown request[\s\S]*shut down$/m,
  )
})
