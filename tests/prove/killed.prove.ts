import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jsonBody, send } from '#testing/http.ts'
import { computeRounds } from '#testing/rounds.ts'
import { freshSettings } from '#testing/stoa.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const ROUNDS = computeRounds(20)

let latest: ChildProcess | undefined
// A failed round must not leave a server that keeps the test from ending.
after(() => latest?.kill('SIGKILL'))

const start = async (env: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { PATH: process.env.PATH, ...env },
  })
  latest = child
  let log = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8')
  })
  for (let tries = 0; !log.includes('/docs'); tries++) {
    assert.ok(tries < 1200 && child.exitCode === null, `the server did not start: ${log}`)
    await pause(25)
  }
  return child
}

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

type Acknowledged = { readonly id: string; readonly uris: string }

/** Registers clients one after the other until the server has stopped; returns those that were acknowledged. */
const registerUntilKilled = async (port: number, round: number, writer: number): Promise<Acknowledged[]> => {
  const host = `127.0.0.1:${port}`
  const acknowledged: Acknowledged[] = []
  for (let turn = 0; turn < 500; turn++) {
    const path = `/r${round}/l${writer}/t${turn}`
    // Each from a network of its own, since new clients are limited per network.
    const from = { 'x-forwarded-for': `10.${round}.${writer}.${turn % 250}` }
    const body = { redirect_uris: [`http://127.0.0.1${path}`] }
    const reply = await send(port, { ...jsonBody('POST', '/api/oauth/register', body, from), host }).catch(
      () => undefined,
    )
    if (reply === undefined) return acknowledged
    if (reply.status === 201) acknowledged.push({ id: reply.json.client_id, uris: path })
    else if (reply.status === 429) return acknowledged
  }
  return acknowledged
}

test(`S-01 none of ${ROUNDS} kills during writes loses an acknowledged write or leaves half of one`, {
  timeout: 300_000,
}, async () => {
  const env: Record<string, string> = {
    ...(await freshSettings()),
    STOA_DEMO: '0',
    STOA_OWNER_PASSWORD: 'a starter needs patience',
    STOA_TRUST_PROXY: '127.0.0.0/8',
  }
  const port = Number(env.STOA_PORT)
  const acknowledged: Acknowledged[] = []
  let child = await start(env)
  for (let round = 0; round < ROUNDS; round++) {
    const writing = [0, 1, 2].map(writer => registerUntilKilled(port, round, writer))
    await pause(20 + ((round * 37) % 180))
    await kill(child)
    for (const writes of await Promise.all(writing)) acknowledged.push(...writes)
    child = await start(env)
  }
  console.log(`${acknowledged.length} writes were acknowledged`)
  assert.ok(acknowledged.length > 0, `${acknowledged.length} writes were acknowledged`)
  for (const { id, uris } of acknowledged) {
    // An unknown client is refused first; a known one is refused for a missing parameter.
    const path = `/oauth/authorize?scope=&client_id=${id}&redirect_uri=${encodeURIComponent(`http://127.0.0.1:7777${uris}`)}`
    const reply = await send(port, { path, host: `localhost:${port}` })
    assert.equal(reply.status, 303, `${id} was acknowledged and is gone: ${reply.text}`)
  }
  assert.equal((await send(port, { path: '/readyz' })).status, 200)
  await kill(child)
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
})
