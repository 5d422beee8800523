import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { send } from './http.ts'
import { freePort } from './ports.ts'

/** A server in its own process. */
export type ServerProcess = {
  readonly port: number
  readonly pid: number
  readonly dataFolder: string
  /** Everything that it has written to standard error so far. */
  log(): string
  /** Its exit code once it has ended; none when a signal killed it. */
  ended(): Promise<number | null>
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The installation of a process. */
type Belonging = { readonly databaseUrl: string; readonly secret: string }

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
// Far longer than a start takes: a slow machine must not decide the result.
const START_SECONDS = 90

const environment = ({ databaseUrl, secret }: Belonging, more: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:STOA_|NODE_(?!COMPILE_CACHE))/.test(name)),
  ),
  STOA_DATABASE_URL: databaseUrl,
  STOA_SECRET: secret,
  STOA_LOG_LEVEL: 'error',
  // Races must be decided by the database, not by a slow machine.
  STOA_DATABASE_WAIT: '10000',
  ...more,
})

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

const untilReady = async (child: ChildProcess, port: number, complaints: readonly string[]): Promise<void> => {
  const end = performance.now() + START_SECONDS * 1000
  for (;;) {
    const reply = await send(port, { path: '/readyz' }).catch(() => undefined)
    if (reply?.status === 200) return
    if (child.exitCode !== null || performance.now() > end)
      throw new Error(`the server did not start: ${complaints.join('')}`)
    await pause(25)
  }
}

/** Starts `stoa serve` on a free port and waits until it is ready; the channel ends it if the test process dies. */
export const startProcess = async (
  belonging: Belonging,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'stoa-process-'))
  const port = await freePort()
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment(belonging, { STOA_PORT: String(port), STOA_DATA: dataFolder, ...more }),
  })
  const complaints: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  // A test that fails before it stops its servers must still be able to end.
  child.unref()
  child.channel?.unref()
  if (child.stderr !== null && 'unref' in child.stderr) (child.stderr as Socket).unref()
  const stop = async (): Promise<void> => {
    child.ref()
    child.kill('SIGTERM')
    await ended(child)
    await rm(dataFolder, { recursive: true, force: true })
  }
  try {
    await untilReady(child, port, complaints)
  } catch (error) {
    await stop()
    throw error
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await stop()
  }
  return {
    port,
    pid: child.pid ?? 0,
    dataFolder,
    log: () => complaints.join(''),
    ended: () => ended(child),
    kill,
    stop,
  }
}

/** Runs one command to its end; throws its error output. */
export const runCommand = async (belonging: Belonging, args: readonly string[]): Promise<void> => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment(belonging, {}),
  })
  const complaints: string[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  if ((await ended(child)) !== 0) throw new Error(`stoa ${args.join(' ')}: ${complaints.join('')}`)
}
