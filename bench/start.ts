import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '#testing/ports.ts'
import { readMemory } from './cpu.ts'
import { type Dependencies, measureDependencies } from './dependencies.ts'
import { type Idle, lineOfIdle, measureIdle } from './idle.ts'
import { median } from './measure.ts'
import { startRival } from './rivals/start-rival.ts'
import { memoryAtRest, type Served, serve, stop } from './served.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = join(ROOT, 'src/main.ts')

/** What a start costs, and what a process needs; times in milliseconds, memory in MB. */
export type Start = {
  /** From the start of the process until the first response, with the embedded PostgreSQL in an existing data folder. */
  readonly firstResponse: number
  /** The processor time of the process until then, without PostgreSQL; it varies less than the time. */
  readonly cpu: number
  readonly memoryAtRest: number
  /** After the pages and the lists that visitors read were requested. */
  readonly memoryInUse: number
  /** Idle connections to Stoa, and to a server of Node alone. */
  readonly idle: Readonly<Record<'stoa' | 'bare', Idle>>
  readonly dependencies: Dependencies
}

const serveStoa = (dataFolder: string, port: number): Promise<Served> =>
  serve(
    () =>
      spawn(process.execPath, [MAIN, 'serve'], {
        stdio: 'ignore',
        env: {
          ...{ PATH: process.env.PATH, STOA_DATA: dataFolder, STOA_PORT: String(port), STOA_LOG_LEVEL: 'error' },
          STOA_TRUST_PROXY: '127.0.0.0/8',
          // As the launcher does.
          NODE_COMPILE_CACHE: join(dataFolder, 'compiled'),
        },
      }),
    `http://127.0.0.1:${port}/readyz`,
  )

const PATHS = ['/', '/courses', '/api/v1/school', '/api/v1/courses', '/openapi.json']

const use = async (port: number): Promise<void> => {
  for (const path of PATHS) await (await fetch(`http://localhost:${port}${path}`)).arrayBuffer()
}

const idleOfStoa = async (dataFolder: string, port: number): Promise<Idle> => {
  const served = await serveStoa(dataFolder, port)
  try {
    return await measureIdle({ pid: served.pid, port, host: `localhost:${port}`, path: '/api/v1/school' })
  } finally {
    await stop(served)
  }
}

const idleOfBare = async (): Promise<Idle> => {
  const bare = await startRival('http.ts', {})
  try {
    return await measureIdle({ ...bare, host: 'bench.example', path: '/' })
  } finally {
    bare.stop()
  }
}

/** Starts a demo school some times in one data folder; the start that creates it is not counted. */
export const measureStart = async (rounds: number): Promise<Start> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-bench-start-'))
  const port = await freePort()
  try {
    await stop(await serveStoa(folder, port))
    const [times, cpu, atRest, inUse]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (let turn = 0; turn < rounds; turn++) {
      const served = await serveStoa(folder, port)
      times.push(served.firstResponse)
      cpu.push(served.cpu)
      atRest.push(await memoryAtRest(served))
      await use(port)
      inUse.push(await readMemory(served.pid))
      await stop(served)
    }
    return {
      firstResponse: Math.round(median(times)),
      cpu: Math.round(median(cpu)),
      memoryAtRest: median(atRest),
      memoryInUse: median(inUse),
      idle: { stoa: await idleOfStoa(folder, port), bare: await idleOfBare() },
      dependencies: await measureDependencies(ROOT),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The figures of a start for people. */
export const linesOfStart = ({ firstResponse, cpu, memoryAtRest, memoryInUse, idle, dependencies }: Start): string =>
  [
    `first response after a start in an existing data folder: ${firstResponse} ms (target 1000), ${cpu} ms of processor time`,
    `memory without PostgreSQL: ${memoryAtRest} MB at rest (target 200), ${memoryInUse} MB after the first requests`,
    lineOfIdle('Stoa', idle.stoa),
    lineOfIdle('a server of Node alone', idle.bare),
    `node_modules: ${dependencies.all} MB, of which a production installation needs ${dependencies.production} MB`,
  ].join('\n')
