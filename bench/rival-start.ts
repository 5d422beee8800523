import type { ChildProcess } from 'node:child_process'
import { median } from './measure.ts'
import { memoryAtRest, serve, stop } from './served.ts'

/** A server that can be started, and the address that answers as soon as it is ready. */
export type Startable = { readonly name: string; readonly url: string; begin(): ChildProcess }

/** Starts of one server: times in milliseconds, memory in MB, medians. */
export type Starts = {
  readonly name: string
  readonly firstResponse: number
  /** The processor time of the process until then. */
  readonly cpu: number
  readonly memoryAtRest: number
}

/** The starts of Stoa and of a rival on a database that is running and has its data, and the size of its packages in MB. */
export type RivalStart = { readonly starts: readonly Starts[]; readonly packages: number }

type Once = Omit<Starts, 'name'>

const startOnce = async ({ begin, url }: Startable): Promise<Once> => {
  const served = await serve(begin, url)
  const memory = await memoryAtRest(served)
  await stop(served)
  return { firstResponse: served.firstResponse, cpu: served.cpu, memoryAtRest: memory }
}

/** Starts servers in turns; the first start of each, which may store what later ones use, is not counted. */
export const measureStarts = async (servers: readonly Startable[], rounds: number): Promise<Starts[]> => {
  const all = servers.map((): Once[] => [])
  for (const server of servers) await startOnce(server)
  for (let turn = 0; turn < rounds; turn++)
    for (const [index, server] of servers.entries()) all[index]?.push(await startOnce(server))
  return servers.map(({ name }, index) => {
    const of = (figure: keyof Once): number => Math.round(median((all[index] ?? []).map(one => one[figure])))
    return { name, firstResponse: of('firstResponse'), cpu: of('cpu'), memoryAtRest: of('memoryAtRest') }
  })
}

/** The starts for people. */
export const linesOfStarts = ({ starts, packages }: RivalStart): string =>
  [
    ...starts.map(
      ({ name, firstResponse, cpu, memoryAtRest }) =>
        `${name}: first response after ${firstResponse} ms (${cpu} ms of processor time), ${memoryAtRest} MB at rest`,
    ),
    `node_modules of the rival: ${packages} MB`,
  ].join('\n')
