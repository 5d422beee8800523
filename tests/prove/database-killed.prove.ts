import assert from 'node:assert/strict'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readLock } from '#testing/embedded.ts'
import { jsonBody, send, type TestReply } from '#testing/http.ts'
import { freshSettings, type Serving, serve, stoa } from '#testing/stoa.ts'
import { type Kept, registerUntil, requireKept } from '#testing/writes.ts'

const ROUNDS = 5
const LANES = 3
const STATES = ['ready', 'restarting', 'starting', 'database_unavailable']

let running: Serving | undefined
const folders: string[] = []
after(async () => {
  running?.child.kill('SIGKILL')
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const start = async () => {
  const env: Record<string, string> = {
    ...(await freshSettings()),
    STOA_OWNER_PASSWORD: 'a starter needs patience',
    STOA_TRUST_PROXY: '127.0.0.0/8',
  }
  folders.push(env.STOA_DATA ?? '')
  running = await serve(env)
  return { env, serving: running, port: Number(env.STOA_PORT), folder: env.STOA_DATA ?? '' }
}

const stop = async ({ child, ended }: Serving): Promise<void> => {
  child.kill('SIGTERM')
  assert.equal(await ended(), 0)
  running = undefined
}

const until = async (condition: () => boolean | Promise<boolean>, what: () => string): Promise<void> => {
  const deadline = performance.now() + 120_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, what())
    await pause(25)
  }
}

const readyz = (port: number): Promise<TestReply> => send(port, { path: '/readyz', host: 'monitor.example' })

const untilReady = (port: number, { output }: Serving) =>
  until(
    async () => (await readyz(port)).status === 200,
    () => `not ready: ${output.err.slice(-3000)}`,
  )

const killPostgres = async (folder: string): Promise<void> => {
  process.kill((await readLock(join(folder, 'stoa.lock')))?.postgresPid ?? 0, 'SIGKILL')
}

const eventsIn = ({ output }: Serving, event: string) =>
  output.err
    .split('\n')
    .filter(line => line.includes(`"event":"${event}"`))
    .map(line => JSON.parse(line))

test(`S-04 over ${ROUNDS} kills of the embedded PostgreSQL under load service resumes, and no acknowledged write is lost`, {
  timeout: 400_000,
}, async () => {
  const { serving, port, folder } = await start()
  const kept: Kept[] = []
  const answers: TestReply[] = []
  const states = new Set<string>()
  const ending = new AbortController()
  const writers = Array.from({ length: LANES }, (_, writer) =>
    registerUntil(ending.signal, port, writer, kept, answers),
  )
  for (let round = 0; round < ROUNDS; round++) {
    const before = kept.length
    await until(
      () => kept.length >= before + 10,
      () => `no writes in round ${round}: ${answers.at(-1)?.text} ${serving.output.err.slice(-3000)}`,
    )
    await killPostgres(folder)
    await until(
      async () => {
        const { status, json } = await readyz(port)
        states.add(json.status)
        return eventsIn(serving, 'database_restarted').length > round && status === 200
      },
      () => `not ready in round ${round}: ${serving.output.err.slice(-3000)}`,
    )
  }
  const before = kept.length
  await until(
    () => kept.length >= before + 10,
    () => 'no writes after the last kill',
  )
  ending.abort()
  await Promise.all(writers)
  for (const { status, headers, text } of answers) {
    assert.ok([201, 503].includes(status), `${status} ${text}`)
    if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/)
  }
  assert.deepEqual(
    [...states].filter(state => !STATES.includes(state)),
    [],
  )
  console.log(`${kept.length} writes kept, ${answers.length - kept.length} answered with 503; seen: ${[...states]}`)
  await requireKept(port, kept)
  assert.equal(eventsIn(serving, 'database_stopped').length, ROUNDS)
  assert.match(eventsIn(serving, 'database_stopped')[0].msg, /SIGKILL/)
  // The worker has its database back too: what waits is done, here a mail that becomes a file.
  const mails = () => readdir(join(folder, 'mail')).catch(() => [])
  const sent = (await mails()).length
  const invited = await stoa(['members', 'invite', 'new@crumb.example'], {
    STOA_DATA: folder,
    STOA_PORT: String(port),
  })
  assert.equal(invited.code, 0, invited.err)
  await until(
    async () => (await mails()).length > sent,
    () => `no mail: ${serving.output.err.slice(-3000)}`,
  )
  await stop(serving)
})

test('S-04 a PostgreSQL that cannot be started again ends the server in one line, with 75 for a supervisor', {
  timeout: 400_000,
}, async () => {
  const { env, serving, port, folder } = await start()
  const settings = join(folder, 'postgres', 'postgresql.conf')
  const before = await readFile(settings, 'utf8')
  await writeFile(settings, `${before}\nno_such_setting = 1\n`)
  await killPostgres(folder)
  await until(
    async () => (await readyz(port)).json.status === 'restarting',
    () => serving.output.err,
  )
  const refused = await send(port, { ...jsonBody('POST', '/api/oauth/register', {}), host: `127.0.0.1:${port}` })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
  assert.equal(await serving.ended(), 75)
  const lines = serving.output.err.split('\n').filter(line => line.startsWith('stoa: '))
  assert.equal(lines.length, 1, serving.output.err)
  assert.match(lines[0] ?? '', /PostgreSQL ended \d+ times and is not started again: .*no_such_setting|configuration/)
  await writeFile(settings, before)
  const again = await serve(env)
  running = again
  await untilReady(port, again)
  await stop(again)
})

test('a missing data folder ends the server with one line, and no empty school replaces it', {
  timeout: 200_000,
}, async () => {
  const { env, serving, port, folder } = await start()
  const away = `${folder}.away`
  folders.push(away)
  await rename(folder, away)
  await until(
    async () => (await readyz(port)).json.status === 'data_missing',
    () => serving.output.err,
  )
  await killPostgres(away)
  assert.equal(await serving.ended(), 78)
  assert.match(serving.output.err, /^stoa: the database in \S+ is gone; bring the folder back/m)
  assert.ok(!(await readdir(join(folder, '..'))).includes(folder.split('/').at(-1) ?? ''))
  await rename(away, folder)
  const again = await serve(env)
  running = again
  await untilReady(port, again)
  await stop(again)
})

test('the service is not ready while PostgreSQL is stopped, and resumes when it continues', {
  timeout: 200_000,
}, async () => {
  const { serving, port, folder } = await start()
  const pid = (await readLock(join(folder, 'stoa.lock')))?.postgresPid ?? 0
  process.kill(pid, 'SIGSTOP')
  // Open connections still reply, and new ones are not accepted. Ten concurrent requests need more than are open.
  await until(
    async () =>
      (await Promise.all(Array.from({ length: 10 }, () => readyz(port)))).some(
        ({ json }) => json.status === 'database_unavailable',
      ),
    () => 'it is still ready',
  )
  process.kill(pid, 'SIGCONT')
  await untilReady(port, serving)
  assert.deepEqual(eventsIn(serving, 'database_stopped'), [], 'a slow server is not taken for a dead one')
  await stop(serving)
})
