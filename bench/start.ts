import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '#testing/ports.ts'
import { memoryOf } from './cpu.ts'
import { median } from './measure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = join(ROOT, 'src/main.ts')

/** What a start costs, and what a process needs; times in milliseconds, memory in MB. */
export type Start = {
  /** From the start of the process until the first response, with the embedded PostgreSQL in an existing data folder. */
  readonly firstResponse: number
  readonly memoryAtRest: number
  /** After the pages and the lists that visitors read were requested. */
  readonly memoryInUse: number
  readonly dependencies: number
}

type Served = { readonly child: ChildProcess; readonly firstResponse: number; readonly port: number }

const untilResponse = async (port: number, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await pause(5)
  }
  throw new Error('the server did not start: nothing was measured')
}

const serve = async (dataFolder: string, port: number): Promise<Served> => {
  const began = performance.now()
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, STOA_DATA: dataFolder, STOA_PORT: String(port), STOA_LOG_LEVEL: 'error' },
  })
  await untilResponse(port, child)
  return { child, port, firstResponse: performance.now() - began }
}

const stop = async ({ child }: Served): Promise<void> => {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

const PATHS = ['/', '/courses', '/api/v1/school', '/api/v1/courses', '/openapi.json']

const use = async ({ port }: Served): Promise<void> => {
  for (const path of PATHS) await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer()
}

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return Math.round(sizes.reduce((sum, { size }) => sum + size, 0) / 1e6)
}

/** Starts a demo school some times in one data folder; the start that creates it is not counted. */
export const measureStart = async (rounds: number): Promise<Start> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-bench-start-'))
  const port = await freePort()
  try {
    await stop(await serve(folder, port))
    const times: number[] = []
    const [atRest, inUse]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < rounds; turn++) {
      const served = await serve(folder, port)
      times.push(served.firstResponse)
      // What a start leaves behind is collected by then.
      await pause(3000)
      atRest.push(await memoryOf(served.child.pid ?? 0))
      await use(served)
      inUse.push(await memoryOf(served.child.pid ?? 0))
      await stop(served)
    }
    return {
      firstResponse: Math.round(median(times)),
      memoryAtRest: median(atRest),
      memoryInUse: median(inUse),
      dependencies: await sizeOf(join(ROOT, 'node_modules')),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The figures of a start for people. */
export const linesOfStart = ({ firstResponse, memoryAtRest, memoryInUse, dependencies }: Start): string =>
  [
    `first response after a start in an existing data folder: ${firstResponse} ms (target 1000)`,
    `memory without PostgreSQL: ${memoryAtRest} MB at rest (target 200), ${memoryInUse} MB after the first requests`,
    `node_modules: ${dependencies} MB`,
  ].join('\n')
