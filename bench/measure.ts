import autocannon, { type Request } from 'autocannon'
import { databaseMicros, processMicros } from './cpu.ts'

/** A request that is sent again and again; `body` is JSON. */
export type BenchRequest = {
  readonly method?: 'GET' | 'PATCH' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What differs each time that it is sent. */
  readonly renew?: () => Pick<BenchRequest, 'headers' | 'body'>
}

// What the load generator sends: the same again, or what is made anew.
const toSent = ({ renew, ...request }: BenchRequest): Request =>
  renew === undefined ? request : { ...request, setupRequest: sent => ({ ...sent, ...renew() }) }

/** What a round of requests had: how many succeeded in a second, and how long they took, in milliseconds. */
export type Load = { readonly perSecond: number; readonly requests: number; readonly p50: number; readonly p99: number }

/** A round with the processor time of a request in the server and in the database, in microseconds. */
export type Round = Load & { readonly serverMicros: number; readonly databaseMicros: number }

/** One of two servers that are compared: its process, and how a round of requests is prepared and then sent to it. */
export type Side = { readonly pid: number; prepare(effort: Effort): Promise<() => Promise<Load>> }

/** What is compared: Stoa and its rival, and the ratio that is the target. */
export type Comparison = {
  readonly title: string
  readonly rival: string
  readonly target?: number
  readonly stoa: Side
  readonly other: Side
}

/** A comparison measured: each round of both, and the ratio of requests per second of rounds that ran side by side. */
export type Measured = {
  readonly title: string
  readonly rival: string
  readonly target: number | null
  readonly ratio: number
  readonly spread: readonly [number, number]
  readonly stoa: readonly Round[]
  readonly other: readonly Round[]
}

/** How long and how often, and the process of the database. */
export type Effort = {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly postmaster: number
}

/** The number in the middle. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

/** Sends requests in turn over some connections, from threads of their own if any; throws when one of them is refused. */
export const sendRequests = async (
  port: number,
  requests: readonly BenchRequest[],
  { seconds, connections, workers }: Pick<Effort, 'seconds' | 'connections'> & { readonly workers?: number },
): Promise<Load> => {
  const url = `http://127.0.0.1:${port}`
  const threads = workers === undefined ? {} : { workers }
  const result = await autocannon({ url, connections, duration: seconds, requests: requests.map(toSent), ...threads })
  const { errors, latency, duration, '2xx': whole, '3xx': unchanged } = result
  const refused = result.non2xx - unchanged
  if (errors > 0 || refused > 0)
    throw new Error(`${errors} errors and ${refused} responses that are no success: nothing was measured`)
  const count = whole + unchanged
  return { perSecond: count / duration, requests: count, p50: latency.p50, p99: latency.p99 }
}

const runRound = async ({ pid, prepare }: Side, effort: Effort): Promise<Round> => {
  const send = await prepare(effort)
  const times = () => Promise.all([processMicros(pid), databaseMicros(effort.postmaster)])
  const [server, database] = await times()
  const load = await send()
  const [serverAfter, databaseAfter] = await times()
  return {
    ...load,
    serverMicros: (serverAfter - server) / load.requests,
    databaseMicros: (databaseAfter - database) / load.requests,
  }
}

/** Measures two servers in rounds, one of each in turn, so that other load on the machine affects both. */
export const measure = async (comparison: Comparison, effort: Effort): Promise<Measured> => {
  const { title, rival, target = null } = comparison
  const [stoa, other]: [Round[], Round[]] = [[], []]
  const warm = { ...effort, seconds: 2 }
  await runRound(comparison.stoa, warm)
  await runRound(comparison.other, warm)
  for (let turn = 0; turn < effort.rounds; turn++) {
    // The order alternates, since the second one runs against a warmer database.
    const both = [
      async () => stoa.push(await runRound(comparison.stoa, effort)),
      async () => other.push(await runRound(comparison.other, effort)),
    ]
    for (const go of turn % 2 === 0 ? both : both.reverse()) await go()
  }
  const ratios = stoa.map(({ perSecond }, turn) => perSecond / (other[turn]?.perSecond ?? Number.NaN))
  return {
    title,
    rival,
    target,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    stoa,
    other,
  }
}

const figures = (rounds: readonly Round[]): string => {
  const of = (name: keyof Round): number => median(rounds.map(round => round[name]))
  const whole = (name: keyof Round): string => String(Math.round(of(name)))
  return `${whole('perSecond')}/s, p50 ${of('p50')} ms, p99 ${of('p99')} ms, ${whole('serverMicros')} + ${whole('databaseMicros')} µs`
}

/** A comparison in three lines for people; µs are the processor time of a request in the server and in the database. */
export const formatLines = ({ title, rival, target, ratio, spread, stoa, other }: Measured): string => {
  const [least, most] = spread.map(one => one.toFixed(2))
  const aimed = target === null ? 'no target' : `target ${target}`
  return [
    `${title}: ${ratio.toFixed(2)} (${least}–${most}, ${aimed}) of ${rival}`,
    `  Stoa   ${figures(stoa)}`,
    `  rival  ${figures(other)}`,
  ].join('\n')
}
