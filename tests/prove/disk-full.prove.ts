import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Lock, readLock } from '#testing/embedded.ts'
import { send, type TestReply } from '#testing/http.ts'
import { freshSettings } from '#testing/stoa.ts'
import { type Kept, registerUntil, requireKept } from '#testing/writes.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const SIZE_MB = 160

let latest: ChildProcess | undefined
const folders: string[] = []
after(async () => {
  latest?.kill('SIGKILL')
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

type SmallDisk = {
  readonly port: number
  readonly child: ChildProcess
  /** The data folder, as it is reached from outside the namespace in which it is mounted. */
  readonly folder: string
  log(): string
}

/** A server whose data folder is a file system of its own, which only it and its children see. */
const startOnSmallDisk = async (): Promise<SmallDisk> => {
  const disk = await mkdtemp(join(tmpdir(), 'stoa-disk-'))
  const { STOA_PORT = '', STOA_DATA = '' } = await freshSettings()
  folders.push(disk, STOA_DATA)
  const script = 'mount -t tmpfs -o size="$1"m stoa "$2" && mkdir "$2/data" && exec "$3" "$4" serve'
  const words = ['-c', script, 'sh', String(SIZE_MB), disk, process.execPath, MAIN]
  const child = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      STOA_DATA: join(disk, 'data'),
      STOA_PORT,
      STOA_DEMO: '0',
      STOA_OWNER_PASSWORD: 'a starter needs patience',
      STOA_TRUST_PROXY: '127.0.0.0/8',
    },
  })
  latest = child
  let [out, log] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8')
  })
  await until(
    () => {
      assert.equal(child.exitCode, null, log)
      return out.includes('/docs')
    },
    () => log,
  )
  return { port: Number(STOA_PORT), child, folder: `/proc/${child.pid}/root${disk}/data`, log: () => log }
}

const until = async (condition: () => boolean | Promise<boolean>, what: () => string): Promise<void> => {
  const deadline = performance.now() + 120_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, what())
    await pause(25)
  }
}

const stop = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  assert.equal(child.exitCode, 0)
}

const readyz = (port: number): Promise<TestReply> => send(port, { path: '/readyz' })

const untilState = ({ port, log }: SmallDisk, state: string) =>
  until(
    async () => (await readyz(port)).json.status === state,
    () => `${state} is not what is told: ${log().slice(-4000)}`,
  )

/** Fills the disk to the last byte. */
const fill = (file: string): void => {
  const opened = openSync(file, 'w')
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      const block = Buffer.alloc(size)
      for (let count = 0; count < SIZE_MB << 8; count++) writeSync(opened, block)
    }
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
    fillRest(opened)
  } finally {
    closeSync(opened)
  }
}

const fillRest = (opened: number): void => {
  for (const size of [1 << 12, 1])
    try {
      for (let count = 0; count < 1 << 12; count++) writeSync(opened, Buffer.alloc(size))
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
    }
}

/** Writes to PostgreSQL until it needs a segment of its log for which there is no space. */
const exhaust = async (folder: string): Promise<void> => {
  const { ownerUrl = '' } = (await readLock(join(folder, 'stoa.lock'))) ?? ({} as Lock)
  const url = new URL(ownerUrl)
  url.searchParams.set('host', join(folder, 'run'))
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (let turn = 0; turn < 50; turn++) {
      await client.query(`select pg_logical_emit_message(true, 'fill', repeat('x', 1000000))`)
      await client.query('select pg_switch_wal()')
    }
    assert.fail('there is always room for one more segment')
  } catch (error) {
    assert.ok(!(error instanceof assert.AssertionError), String(error))
  } finally {
    await client.end().catch(() => undefined)
  }
}

test('a full disk stops PostgreSQL and is reported; with free space service resumes, and no acknowledged write is lost', {
  timeout: 400_000,
}, async () => {
  const disk = await startOnSmallDisk()
  const { port, folder, child, log } = disk
  const kept: Kept[] = []
  const answers: TestReply[] = []
  const ending = new AbortController()
  const writers = [0, 1].map(writer => registerUntil(ending.signal, port, writer, kept, answers))
  const untilKept = (count: number) =>
    until(
      () => kept.length >= count,
      () => `${kept.length} writes, then ${answers.at(-1)?.text}: ${log().slice(-4000)}`,
    )
  await untilKept(10)
  const filler = join(folder, 'filler')
  fill(filler)
  await exhaust(folder)
  await untilState(disk, 'disk_full')
  await until(
    () => /"event":"database_stopped".*the disk of the database is full/.test(log()),
    () => log().slice(-4000),
  )
  const untilLogged = (event: string) =>
    until(
      () => log().includes(`"event":"${event}"`),
      () => log().slice(-4000),
    )
  await untilLogged('disk_full')
  const output = (await readyz(port)).text
  assert.ok(!output.includes(folder) && !output.includes('tmp') && !/\d{3}/.test(output), output)
  await rm(filler)
  await untilState(disk, 'ready')
  await untilKept(kept.length + 10)
  ending.abort()
  await Promise.all(writers)
  for (const { status, headers, text } of answers) {
    assert.ok([201, 503].includes(status), `${status} ${text}`)
    if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/)
  }
  console.log(`${kept.length} writes kept, ${answers.length - kept.length} answered with 503`)
  await requireKept(port, kept)
  await untilLogged('disk_has_room')
  await stop(child)
})

test('a log that cannot be written, on a full disk, does not end the server', { timeout: 200_000 }, async () => {
  const { STOA_PORT = '', STOA_DATA = '' } = await freshSettings()
  folders.push(STOA_DATA)
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'ignore', full, 'ipc'],
    env: { PATH: process.env.PATH, STOA_DATA, STOA_PORT, STOA_DEMO: '0', STOA_DATABASE_WAIT: '10000' },
  })
  closeSync(full)
  latest = child
  const port = Number(STOA_PORT)
  await until(
    async () => {
      assert.equal(child.exitCode, null)
      return (await readyz(port).catch(() => undefined))?.status === 200
    },
    () => 'not ready',
  )
  for (let turn = 0; turn < 20; turn++)
    assert.equal((await send(port, { path: '/api/v1/school', host: `127.0.0.1:${port}` })).status, 200)
  await stop(child)
})

test('a start on a full disk ends in one line that names it, with 75 for a supervisor', {
  timeout: 200_000,
}, async () => {
  const disk = await mkdtemp(join(tmpdir(), 'stoa-disk-'))
  folders.push(disk)
  await mkdir(disk, { recursive: true })
  const script = 'mount -t tmpfs -o size=24m stoa "$1" && mkdir "$1/data" && "$2" "$3" serve'
  const child = spawn(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', disk, process.execPath, MAIN],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, STOA_DATA: join(disk, 'data'), STOA_PORT: '0', STOA_DEMO: '0' },
    },
  )
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8')
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 75, log)
  const lines = log.split('\n').filter(line => line.startsWith('stoa: '))
  assert.equal(lines.length, 1, log)
  assert.match(lines[0] ?? '', /full/)
})
