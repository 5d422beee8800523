import { Agent, request } from 'node:http'
import type { Effort, Load } from './measure.ts'

/** What one caller asks next, in a form; undefined when there is nothing left to ask. */
export type Caller = { next(): Readonly<Record<string, string>> | undefined; got(answer: Answer): void }

/** The answer of a token endpoint. */
export type Answer = Readonly<Record<string, unknown>>

/** Where forms are sent: the path of an endpoint at a server. */
type Endpoint = { readonly port: number; readonly host: string; readonly path: string }

const toNetwork = (n: number): string => `10.${(n >> 8) & 255}.${n & 255}.1`

const post = (
  agent: Agent,
  { port, host, path }: Endpoint,
  form: Readonly<Record<string, string>>,
  network: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const body = new URLSearchParams(form).toString()
    const headers = {
      host,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': network,
    }
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, async reply => {
      const text = (await reply.setEncoding('utf8').toArray()).join('')
      if (reply.statusCode === 200) resolve(JSON.parse(text))
      else reject(new Error(`${path} answered ${reply.statusCode}, nothing was measured: ${text.slice(0, 300)}`))
    })
    sent.on('error', reject).end(body)
  })

const percentile = (sorted: readonly number[], part: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) * 10) / 10

/** Lets callers send one form after the other until the time is over or nothing is left; ends at the first refusal. */
export const sendForms = async (
  endpoint: Endpoint,
  callers: readonly Caller[],
  { seconds }: Pick<Effort, 'seconds'>,
): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: callers.length })
  const times: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  const run = async (caller: Caller): Promise<void> => {
    for (let form = caller.next(); form !== undefined && performance.now() < end; form = caller.next()) {
      const at = performance.now()
      const answer = await post(agent, endpoint, form, toNetwork(times.length))
      times.push(performance.now() - at)
      caller.got(answer)
    }
  }
  await Promise.all(callers.map(run)).finally(() => agent.destroy())
  const lasted = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const requests = times.length
  return { perSecond: requests / lasted, requests, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
