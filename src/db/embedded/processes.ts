import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Whether this pid is a process that still runs; one that is dead and only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  if (!isTaken(pid)) return false
  const [state = ''] = statFields(pid)
  return state !== 'Z' && state !== 'X'
}

/** A text that no other process with this pid ever has: boot and start time; undefined where that cannot be known. */
export function findStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'lstart=')
  const ticks = statFields(pid)[19]
  return ticks === undefined ? undefined : `${readText('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`
}

/** Whether the process of this pid runs and is the one that was seen to start then. */
export function isSameProcess(pid: number, started: string | undefined): boolean {
  if (!isRunning(pid)) return false
  const now = findStart(pid)
  return now === undefined || started === undefined || now === started
}

/**
 * Whose process this is: the PostgreSQL of this cluster, certainly something else, or a PostgreSQL we know too little
 * of.
 */
export function belongsTo(pid: number, cluster: string): 'cluster' | 'other' | 'unknown' {
  const { program, line } = readCommand(pid)
  if (program === '') return 'unknown'
  if (!/postgres|postmaster/.test(program)) return 'other'
  if (`${line} `.includes(` -D ${cluster} `)) return 'cluster'
  const folder = workingFolder(pid)
  // Every process of PostgreSQL works in the folder of its cluster.
  return folder === undefined || folder === cluster ? 'unknown' : 'other'
}

/** Whether some process has this pid, be it one that is dead and waits to be reaped. */
export function isTaken(pid: number): boolean {
  // kill() takes zero and negative numbers for whole groups of processes.
  if (!Number.isInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return true
}

/** Waits until the process is gone; false when it still runs after that many milliseconds. */
export async function hasEndedWithin(pid: number, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (isRunning(pid)) {
    if (performance.now() > end) return false
    await delay(5)
  }
  return true
}

// The name of the program stands in parentheses and may hold spaces and parentheses itself; field 3 follows it.
function statFields(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`)
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readCommand(pid: number): { program: string; line: string } {
  if (process.platform === 'linux') {
    const words = readText(`/proc/${pid}/cmdline`).split('\0')
    // A thread of the kernel has a name and no command line.
    const program = basename(words[0] || readText(`/proc/${pid}/comm`).trim())
    return { program, line: words.join(' ') }
  }
  const line = psColumn(pid, 'command=') ?? ''
  return { program: line.split(' -D ')[0] ?? '', line }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function psColumn(pid: number, column: string): string | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
