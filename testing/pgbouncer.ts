import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './ports.ts'

/** A real PgBouncer in transaction mode in front of a server. */
export type PgBouncer = {
  /** Returns the address that leads through it to the database of an address. */
  through(url: string): string
  /** Kills it; nothing listens until it is started again. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Kills it and removes its folder. */
  close(): Promise<void>
}

// Debian installs it in a folder that is only in root's search path.
const PATH = `${process.env.PATH ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`
const MISSING = 'PgBouncer is not installed, and this test needs it: apt-get install -y pgbouncer'
const START_MS = 30_000
// Fewer than an application has connections, so that its transactions really share them.
const SERVER_CONNECTIONS = 4

const parseHost = (url: URL): { host: string; port: string } => ({
  host: url.searchParams.get('host') ?? url.hostname,
  port: url.searchParams.get('port') ?? (url.port || '5432'),
})

// As few settings as possible: those of an administrator who sets only the mode.
const buildSettings = (url: URL, folder: string, port: number): string => {
  const server = parseHost(url)
  return `[databases]
* = host=${server.host} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`
}

type Runner = { readonly words: readonly string[]; readonly user?: { readonly uid: number; readonly gid: number } }

// PgBouncer refuses root. It has to reach the socket of the server, which its owner alone may.
const runnerFor = async (url: URL): Promise<Runner> => {
  if (process.getuid?.() !== 0) return { words: [] }
  const { host } = parseHost(url)
  const { uid, gid } = host.startsWith('/') ? await stat(host) : { uid: 65_534, gid: 65_534 }
  return uid === 0 ? { words: ['unshare', '--user', '--map-user=65534'] } : { words: [], user: { uid, gid } }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const untilListening = async (child: ChildProcess, port: number, log: () => string): Promise<void> => {
  const end = performance.now() + START_MS
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`PgBouncer did not start: ${log()}`)
    await pause(25)
  }
}

const launch = async ({ words, user }: Runner, file: string): Promise<{ child: ChildProcess; log: () => string }> => {
  const [program = '', ...rest] = [...words, 'setpriv', '--pdeathsig', 'KILL', 'pgbouncer', file]
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH },
    ...user,
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  await once(child, 'spawn')
  return { child, log: () => log }
}

const refuseMissing = async (): Promise<void> => {
  const check = spawn('pgbouncer', ['--version'], { stdio: 'ignore', env: { PATH } })
  await once(check, 'exit').catch(() => {
    throw new Error(MISSING)
  })
}

/** Starts PgBouncer in front of the server of an address; it ends with the test's process. */
export const startPgBouncer = async (serverUrl: string): Promise<PgBouncer> => {
  await refuseMissing()
  const url = new URL(serverUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'stoa-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  await chmod(folder, 0o755)
  await writeFile(join(folder, 'users.txt'), '"stoa_app" ""\n')
  await writeFile(file, buildSettings(url, folder, port))
  const runner = await runnerFor(url)
  let running: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const { child, log } = await launch(runner, file)
    running = child
    await untilListening(child, port, log)
  }
  const kill = async (): Promise<void> => {
    if (running === undefined) return
    running.kill('SIGKILL')
    await ended(running)
  }
  await start()
  return {
    through: text => `postgres://stoa_app@127.0.0.1:${port}${new URL(text).pathname}?sslmode=disable`,
    kill,
    start,
    close: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
