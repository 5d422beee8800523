import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { join } from 'node:path'

/** How PostgreSQL's programs are run: behind which words, and as which user where root hands them to another. */
export type LaunchMethod = { words: string[]; user?: { uid: number; gid: number } }

/** What a program printed, and whether it ended well. */
type Outcome = { ok: boolean; output: string }

// SIGQUIT ends the server at once, without a checkpoint; nothing committed is lost, the next start replays its log.
// The death signal is set a moment after the birth, so sh looks whether the parent died in between.
const DIES_WITH_US = ['setpriv', '--pdeathsig', 'QUIT', 'sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', `${process.pid}`]

/** Starts a program in a session of its own, so that Ctrl+C in the terminal reaches only us. */
export function start(way: LaunchMethod, file: string, args: string[], stdio: SpawnOptions['stdio']): ChildProcess {
  const [program = file, ...rest] = [...way.words, file, ...args]
  const options = { stdio, detached: true, windowsHide: true, env: environment(), cwd: rootFolder() }
  return spawn(program, rest, { ...options, ...way.user })
}

/** Runs a program to its end. */
export function run(way: LaunchMethod, file: string, args: string[]): Promise<Outcome> {
  const child = start(way, file, args, ['ignore', 'pipe', 'pipe'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise(resolve => {
    child.on('error', error => resolve({ ok: false, output: error.message }))
    child.on('close', code => resolve({ ok: code === 0, output: output.trim() }))
  })
}

/** The way tied to the life of this process if that works, else the way as it is; undefined when neither does. */
export async function workingWay(way: LaunchMethod, binFolder: string, folder: string) {
  const tied = { ...way, words: [...way.words, ...DIES_WITH_US] }
  for (const candidate of process.platform === 'win32' ? [way] : [tied, way]) {
    const { ok, output } = await tryOut(candidate, binFolder, folder)
    if (ok) return { way: candidate, output }
  }
  return undefined
}

/** What `postgres --version` says when it is run in this way with the folder in reach. */
export function tryOut(way: LaunchMethod, binFolder: string, folder: string): Promise<Outcome> {
  const postgres = join(binFolder, 'postgres')
  if (process.platform === 'win32') return run(way, `${postgres}.exe`, ['--version'])
  return run(way, 'sh', ['-c', 'cd "$1" && exec "$2" --version', 'sh', folder, postgres])
}

// Only what the programs need: our own environment holds secrets, and PG* variables meant for other servers.
function environment(): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return process.env
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env
  return { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), LC_ALL: 'C', TZ: 'UTC' }
}

// The folder we stand in may be closed to the user that runs the programs.
function rootFolder(): string | undefined {
  return process.platform === 'win32' ? undefined : '/'
}
