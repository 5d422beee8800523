import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { listenArguments } from './address.ts'
import { type Address, buildUrl, connect } from './connect.ts'
import { endServer } from './ending.ts'
import { EmbeddedFailed } from './errors.ts'
import { ensureLogins } from './logins.ts'
import { diagnose, lastLines, openLog, type ServerLog } from './server-log.ts'
import type { Plan } from './types.ts'
import { start } from './way.ts'

/** A server process of ours; `ended` settles with how it ended, by itself or otherwise. */
export type Server = {
  pid: number
  ended: Promise<string>
  isStopping(): boolean
  awaitReady(): Promise<void>
  stop(): Promise<void>
}

// How long a server may be silent; one that answers that it replays its log may take as long as that takes.
const PATIENCE = 60_000

// A circle of waiters is found well before a statement's lock limit of 1 s would end one of them.
const ALWAYS = ['-c', 'deadlock_timeout=250ms']

// Three files of tests at once, each with an application and two processes of ten connections and more, are past 100.
const CARELESS = [
  ...['fsync', 'synchronous_commit', 'full_page_writes'].flatMap(name => ['-c', `${name}=off`]),
  '-c',
  'max_connections=300',
  '-c',
  'autovacuum=off',
]

/** Starts a server on a finished cluster; it takes connections once `awaitReady` has returned. */
export async function startServer(
  plan: Plan,
  address: Address,
  serverLog: ServerLog,
  durable: boolean,
): Promise<Server> {
  const child = await spawnPostgres(plan, address, serverLog, durable)
  const { pid = 0 } = child
  // A process that ends without stop() takes its server along also where there is no death signal.
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  let isStopping = false
  const ended = waitForEnd(child).finally(() => process.off('exit', endWithUs))
  return {
    pid,
    ended,
    isStopping: () => isStopping,
    awaitReady: () => prepare(child, plan, address, serverLog),
    async stop() {
      isStopping = true
      if (hasEnded(child)) return
      // Whoever waits for the end must learn of it.
      child.ref()
      await endServer(pid, plan)
      await ended
    },
  }
}

function waitForEnd(child: ChildProcess): Promise<string> {
  const how = () => {
    if (child.pid === undefined) return 'PostgreSQL could not be started'
    return child.signalCode ? `PostgreSQL was ended by ${child.signalCode}` : `PostgreSQL ended with ${child.exitCode}`
  }
  return new Promise(resolve => {
    if (hasEnded(child)) resolve(how())
    else child.once('exit', () => resolve(how()))
  })
}

async function spawnPostgres(plan: Plan, address: Address, serverLog: ServerLog, durable: boolean) {
  const file = join(plan.binFolder, process.platform === 'win32' ? 'postgres.exe' : 'postgres')
  const output = await openLog(serverLog)
  try {
    // So that this user can also open the folder without root.
    if (plan.way.user) await output.chown(plan.way.user.uid, plan.way.user.gid)
    const words = ['-D', plan.cluster, ...listenArguments(address), ...ALWAYS, ...(durable ? [] : CARELESS)]
    const child = start(plan.way, file, words, ['ignore', output.fd, output.fd])
    child.on('error', () => {})
    child.unref()
    return child
  } finally {
    await output.close()
  }
}

async function prepare(child: ChildProcess, plan: Plan, address: Address, serverLog: ServerLog): Promise<void> {
  const client = await firstConnection(child, plan, buildUrl(address, 'stoa_owner', 'postgres'), serverLog)
  try {
    await ensureLogins(client, address.passwords)
  } finally {
    await client.end()
  }
}

async function firstConnection(child: ChildProcess, plan: Plan, url: string, log: ServerLog): Promise<pg.Client> {
  let end = performance.now() + PATIENCE
  for (let pause = 5; performance.now() < end; pause = Math.min(pause * 1.3, 250)) {
    if (hasEnded(child)) throw await failed('PostgreSQL ended while it started', plan, log)
    try {
      return await connect(url)
    } catch (error) {
      if (isStarting(error)) end = performance.now() + PATIENCE
      await delay(pause)
    }
  }
  throw await failed(`PostgreSQL was not ready after ${PATIENCE / 1000} s`, plan, log)
}

// 57P03 (cannot_connect_now): it is there and replays its log.
function isStarting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57P03'
}

async function failed(line: string, { cluster }: Plan, log: ServerLog): Promise<EmbeddedFailed> {
  if ((await diagnose(log, cluster)).isDiskFull)
    return new EmbeddedFailed(`${line}: the disk of ${cluster} is full; make room, then start again`, {
      failure: 'disk_full',
    })
  return new EmbeddedFailed(`${line}; its log (${log.path}) says:\n${await lastLines(log)}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
