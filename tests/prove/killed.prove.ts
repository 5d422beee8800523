import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jsonBody, send } from '#testing/http.ts'
import { freshSettings } from '#testing/stoa.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const ROUNDS = 20

let latest: ChildProcess | undefined
// A failed round must not leave a server that keeps the test from ending.
after(() => latest?.kill('SIGKILL'))

const start = async (env: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { PATH: process.env.PATH, ...env },
  })
  latest = child
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  for (let tries = 0; !said.includes('/docs'); tries++) {
    assert.ok(tries < 1200 && child.exitCode === null, `the server did not start: ${said}`)
    await pause(25)
  }
  return child
}

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

type Acknowledged = { readonly id: string; readonly uris: string }

/** Registers clients one behind the other until the server is gone; gives those that were acknowledged. */
const registerUntilKilled = async (port: number, round: number, lane: number): Promise<Acknowledged[]> => {
  const host = `127.0.0.1:${port}`
  const known: Acknowledged[] = []
  for (let turn = 0; turn < 500; turn++) {
    const path = `/r${round}/l${lane}/t${turn}`
    // Each from a network of its own, since new clients are limited per network.
    const from = { 'x-forwarded-for': `10.${round}.${lane}.${turn % 250}` }
    const body = { redirect_uris: [`http://127.0.0.1${path}`] }
    const reply = await send(port, { ...jsonBody('POST', '/api/oauth/register', body, from), host }).catch(
      () => undefined,
    )
    if (reply === undefined) return known
    if (reply.status === 201) known.push({ id: reply.json.client_id, uris: path })
    else if (reply.status === 429) return known
  }
  return known
}

test(`S-01 of ${ROUNDS} kills under writes none loses an acknowledged one or leaves half of one`, {
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
    const writing = [0, 1, 2].map(lane => registerUntilKilled(port, round, lane))
    await pause(20 + ((round * 37) % 180))
    await kill(child)
    for (const lane of await Promise.all(writing)) acknowledged.push(...lane)
    child = await start(env)
  }
  console.log(`${acknowledged.length} writes were acknowledged`)
  assert.ok(acknowledged.length > 0, `${acknowledged.length} writes were acknowledged`)
  for (const { id, uris } of acknowledged) {
    // An unknown client is told so before anything else; a known one is refused for what its request lacks.
    const path = `/oauth/authorize?scope=&client_id=${id}&redirect_uri=${encodeURIComponent(`http://127.0.0.1:7777${uris}`)}`
    const reply = await send(port, { path, host: `127.0.0.1:${port}` })
    assert.equal(reply.status, 303, `${id} was acknowledged and is gone: ${reply.text}`)
  }
  assert.equal((await send(port, { path: '/readyz' })).status, 200)
  await kill(child)
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
})
