import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SOCKET_LOCK } from './address.ts'
import { EmbeddedFailed } from './errors.ts'
import type { Lock } from './lock-file.ts'
import { belongsTo, hasEndedWithin, isRunning, isTaken } from './processes.ts'
import type { Plan } from './types.ts'
import { stopWithPgCtl } from './windows.ts'

type Place = Pick<Plan, 'binFolder' | 'cluster'>

// Fast: roll back and write a checkpoint. Immediate: leave, and replay the log at the next start.
const STEPS = [
  { signal: 'SIGINT', patience: 10_000 },
  { signal: 'SIGQUIT', patience: 6_000 },
  { signal: 'SIGKILL', patience: 5_000 },
] as const

/** Ends a running server as gently as it lets us, and returns when its process is gone. */
export async function endServer(pid: number, context: Place): Promise<void> {
  if (process.platform === 'win32') return stopWithPgCtl(context.binFolder, context.cluster)
  for (const { signal, patience } of STEPS) {
    sendSignal(pid, signal)
    // A process that is stopped takes no other signal than SIGKILL.
    sendSignal(pid, 'SIGCONT')
    if (await hasEndedWithin(pid, patience)) return
  }
  throw new EmbeddedFailed(`PostgreSQL (process ${pid}) does not end`)
}

/** Ends the server that a killed owner left running on this cluster. */
export async function endLeftOver(context: Place, dead: Lock | undefined, log: (line: string) => void): Promise<void> {
  const recorded = await recordedPid(pidFile(context.cluster))
  // pg_ctl speaks to a pipe that only a PostgreSQL listens to.
  if (process.platform === 'win32') return recorded ? stopWithPgCtl(context.binFolder, context.cluster) : undefined
  for (const pid of new Set([recorded, dead?.postgresPid ?? 0])) {
    if (!isRunning(pid) || belongsTo(pid, context.cluster) !== 'cluster') continue
    log(`Ending PostgreSQL (process ${pid}), which was left running on this data folder`)
    await endServer(pid, context)
  }
}

/** Removes the lock files of a dead server that PostgreSQL would take for those of a running one. */
export async function removeStaleLocks(cluster: string, socketFolder: string): Promise<void> {
  if (process.platform === 'win32') return
  for (const file of [pidFile(cluster), join(socketFolder, SOCKET_LOCK)])
    if (isStale(await recordedPid(file), cluster)) await rm(file, { force: true })
}

/**
 * Whether PostgreSQL would take this pid for another server although there is none: it asks only whether the pid
 * exists, and a dead process keeps its pid until it is reaped. Processes that the dead server left are found by their
 * memory.
 */
function isStale(pid: number, cluster: string): boolean {
  return isTaken(pid) && (!isRunning(pid) || belongsTo(pid, cluster) === 'other')
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function recordedPid(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || 0
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
