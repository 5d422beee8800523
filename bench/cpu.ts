import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

// Linux counts processor time in ticks of 10 ms, whatever the kernel's own clock is.
const TICK_MICROS = 10_000

type Stat = { readonly parent: number; readonly own: number; readonly ofEnded: number }

// proc(5): the name of a process may contain spaces and brackets, so fields are counted from behind it.
const readStat = async (pid: number): Promise<Stat | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = (first: number): number => Number(fields[first]) + Number(fields[first + 1])
  return { parent: Number(fields[1]), own: ticks(11) * TICK_MICROS, ofEnded: ticks(13) * TICK_MICROS }
}

/** The processor time of one process so far, in microseconds; NaN where the system has no `/proc`. */
export const processMicros = async (pid: number): Promise<number> => (await readStat(pid))?.own ?? Number.NaN

/** The processor time of a PostgreSQL server and all its connections so far, in microseconds. */
export const databaseMicros = async (postmaster: number): Promise<number> => {
  const server = await readStat(postmaster)
  if (server === undefined) return Number.NaN
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const stats = await Promise.all(pids.map(readStat))
  const children = stats.filter(stat => stat?.parent === postmaster)
  // A connection that has ended is counted by the server.
  return children.reduce((sum, stat) => sum + (stat?.own ?? 0), server.own + server.ofEnded)
}

/** The process id of the embedded server of a data folder. */
export const readPostmaster = async (dataFolder: string): Promise<number> => {
  const text = await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n', 1)[0])
}

/** The memory of a process that is in use, in MB; NaN where the system has no `/proc`. */
export const readMemory = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]) / 1024)
}
