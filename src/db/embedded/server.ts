import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { listenArguments } from './address.ts'
import { type Address, connect, urlOf } from './connect.ts'
import { endServer } from './ending.ts'
import { EmbeddedFailed } from './errors.ts'
import { ensureLogins } from './logins.ts'
import { lastLines, openLog, type ServerLog } from './server-log.ts'
import type { Plan } from './types.ts'
import { start } from './way.ts'

/** A server process of ours. */
export type Server = { pid: number; awaitReady(): Promise<void>; stop(): Promise<void> }

type Log = (line: string) => void

const PATIENCE = 60_000

// A circle of waiters is found well before a statement's lock limit of 1 s would end one of them.
const ALWAYS = ['-c', 'deadlock_timeout=250ms']

// Three files of tests at once, each with an application and two processes of ten connections and more, are past 100.
const CARELESS = [
  ...['fsync', 'synchronous_commit', 'full_page_writes'].flatMap(name => ['-c', `${name}=off`]),
  ...['-c', 'max_connections=300'],
]

/** Starts a server on a finished cluster; it takes connections once `awaitReady` has returned. */
export async function startServer(
  plan: Plan,
  address: Address,
  serverLog: ServerLog,
  durable: boolean,
  log: Log,
): Promise<Server> {
  const child = await spawnPostgres(plan, address, serverLog, durable)
  const { pid = 0 } = child
  // A process that ends without stop() takes its server along also where there is no death signal.
  const endWithUs = () => child.kill('SIGINT')
  const noticeEnd = () => log(`PostgreSQL ended by itself; its log is ${serverLog.path}`)
  process.once('exit', endWithUs)
  return {
    pid,
    async awaitReady() {
      await prepare(child, address, serverLog)
      child.once('exit', noticeEnd)
    },
    async stop() {
      child.off('exit', noticeEnd)
      if (!hasEnded(child)) await endServer(pid, plan)
      process.off('exit', endWithUs)
    },
  }
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

async function prepare(child: ChildProcess, address: Address, serverLog: ServerLog): Promise<void> {
  const client = await firstConnection(child, urlOf(address, 'stoa_owner', 'postgres'), serverLog)
  try {
    await ensureLogins(client, address.passwords)
  } finally {
    await client.end()
  }
}

async function firstConnection(child: ChildProcess, url: string, serverLog: ServerLog): Promise<pg.Client> {
  const end = performance.now() + PATIENCE
  for (let pause = 5; performance.now() < end; pause = Math.min(pause * 1.3, 250)) {
    if (hasEnded(child)) throw await failed('PostgreSQL ended while it started', serverLog)
    try {
      return await connect(url)
    } catch {
      await delay(pause)
    }
  }
  throw await failed(`PostgreSQL was not ready after ${PATIENCE / 1000} s`, serverLog)
}

async function failed(line: string, serverLog: ServerLog): Promise<EmbeddedFailed> {
  return new EmbeddedFailed(`${line}; its log (${serverLog.path}) says:\n${await lastLines(serverLog)}`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
