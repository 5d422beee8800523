import { Agent, type IncomingMessage, request } from 'node:http'
import { median } from '../measure.ts'

/** A request of a case, and the port that it is sent to; after `longestMs` its response is cut off. */
export type Sent = {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly longestMs?: number
}

/** A response: its status, its text, and the milliseconds until the first byte and until the last one that was read. */
export type Timed = {
  readonly status: number
  readonly text: string
  readonly lines: number
  readonly first: number
  readonly whole: number
  readonly isCutOff: boolean
}

/** The latency of several requests, in milliseconds. */
export type Latency = { readonly median: number; readonly worst: number; readonly requests: number }

const agent = new Agent({ keepAlive: true, agentKeepAliveTimeoutBuffer: 30_000 })
const MAX_TEXT = 200_000
const LONGEST_MS = 120_000

const read = (incoming: IncomingMessage, began: number, longestMs: number): Promise<Timed> =>
  new Promise(resolve => {
    let [first, lines, text] = [0, 0, '']
    incoming.on('data', (chunk: Buffer) => {
      if (first === 0) first = performance.now() - began
      for (const byte of chunk) if (byte === 10) lines++
      if (text.length < MAX_TEXT) text += chunk.toString('utf8')
      if (performance.now() - began > longestMs) incoming.destroy()
    })
    incoming.on('error', () => undefined)
    incoming.on('close', () => {
      const whole = performance.now() - began
      resolve({ status: incoming.statusCode ?? 0, text, lines, first, whole, isCutOff: !incoming.complete })
    })
  })

/** Sends one request and reads its response to the end. */
export const send = ({ port, path, headers, longestMs = LONGEST_MS }: Sent): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const outgoing = request({ agent, host: '127.0.0.1', port, path, headers, timeout: LONGEST_MS }, incoming =>
      resolve(read(incoming, began, longestMs)),
    )
    outgoing.on('error', reject)
    outgoing.end()
  })

/** How often a request is sent: what is slow, less often, so that a run is bounded. */
export type Times = { readonly warm: number; readonly requests: number; readonly longestMs: number }

/** Sends a request several times, one after the other, and returns the latencies; throws when one is refused. */
export const measureLatency = async (make: () => Sent, { warm, requests, longestMs }: Times): Promise<Latency> => {
  const began = performance.now()
  const times: number[] = []
  for (let turn = 0; turn < warm + requests; turn++) {
    const { status, text, whole } = await send(make())
    if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`)
    if (turn >= warm) times.push(whole)
    if (times.length >= 3 && performance.now() - began > longestMs) break
    if (times.length === 0 && performance.now() - began > longestMs) times.push(whole)
  }
  return { median: median(times), worst: Math.max(...times), requests: times.length }
}
