import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { processMicros, readMemory } from './cpu.ts'

/** A process that serves requests: milliseconds until its first response, and the processor time of the start. */
export type Served = {
  readonly child: ChildProcess
  readonly pid: number
  readonly firstResponse: number
  readonly cpu: number
}

const untilResponse = async (url: string, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await pause(5)
  }
  throw new Error('the server did not start: nothing was measured')
}

/** Starts a process and waits until an address of it answers. */
export const serve = async (begin: () => ChildProcess, url: string): Promise<Served> => {
  const began = performance.now()
  const child = begin()
  await untilResponse(url, child)
  const firstResponse = performance.now() - began
  const pid = child.pid ?? 0
  return { child, pid, firstResponse, cpu: (await processMicros(pid)) / 1000 }
}

/** The memory of a process in MB some seconds after its start, when what the start leaves behind is collected. */
export const memoryAtRest = async ({ pid }: Served): Promise<number> => {
  await pause(3000)
  return readMemory(pid)
}

/** Ends a process and waits for its end. */
export const stop = async ({ child }: Served): Promise<void> => {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
