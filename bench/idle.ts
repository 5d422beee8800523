import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMemory } from './cpu.ts'
import type { IdleOrder } from './idle-client.ts'
import { median } from './measure.ts'

// Less than the server's limit, so that there is room for the requests beside them.
const CONNECTIONS = 9900
const REQUESTS = 300

/** Idle connections: memory in MB for 10,000 of them, and the latency of a request in milliseconds before and beside them. */
export type Idle = {
  readonly memory: number
  readonly opened: number
  /** How many were still open when the last request beside them was answered. */
  readonly stillOpen: number
  readonly latency: { readonly before: number; readonly beside: number; readonly slowest: number }
}

/** The server whose idle connections are measured. */
export type IdleServer = Omit<IdleOrder, 'connections'> & { readonly pid: number }

const measureTime = async (agent: Agent, { port, host, path }: IdleServer): Promise<number> => {
  const began = performance.now()
  const sent = get({ agent, host: '127.0.0.1', port, path, headers: { host, 'x-forwarded-for': '10.255.255.1' } })
  const [reply] = await once(sent, 'response')
  await reply.resume().toArray()
  if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}: nothing was measured`)
  return performance.now() - began
}

const measureTimes = async (server: IdleServer): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  while (times.length < REQUESTS) times.push(await measureTime(agent, server))
  agent.destroy()
  return times
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Opens idle connections to a server, measures its memory and its latency beside them, and closes them. */
export const measureIdle = async (server: IdleServer): Promise<Idle> => {
  // What the first requests load and compile is not what connections need.
  await measureTimes(server)
  const before = median(await measureTimes(server))
  await pause(1000)
  const memory = await readMemory(server.pid)
  const client = fork(fileURLToPath(new URL('idle-client.ts', import.meta.url)), { execArgv: [] })
  const answer = async (order: IdleOrder | 'count'): Promise<number> => {
    client.send(order)
    const failed = once(client, 'exit').then(() => Promise.reject(new Error('the connections were not opened')))
    return Number((await Promise.race([once(client, 'message'), failed]))[0])
  }
  const { pid, ...order } = server
  const opened = await answer({ ...order, connections: CONNECTIONS })
  await pause(3000)
  const more = (await readMemory(pid)) - memory
  const beside = await measureTimes(server)
  const stillOpen = await answer('count')
  client.disconnect()
  return {
    ...{ memory: rounded((more * 10_000) / opened), opened, stillOpen },
    latency: { before: rounded(before), beside: rounded(median(beside)), slowest: rounded(Math.max(...beside)) },
  }
}

/** Idle connections in a line for people. */
export const lineOfIdle = (name: string, { memory, opened, stillOpen, latency }: Idle): string =>
  `10,000 idle connections to ${name}: ${memory} MB more; ${stillOpen} of ${opened} still open; a request takes ${latency.before} ms without and ${latency.beside} ms (at most ${latency.slowest}) beside them`
