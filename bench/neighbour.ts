import { startApp } from '#testing/app.ts'
import { benchSchool, startStoa } from './groups/school.ts'
import { type BenchRequest, type Effort, median, sendRequests } from './measure.ts'
import { send } from './scale/latency.ts'

const CONNECTIONS = [10, 40]
const TARGET = 2

/** What one request after the other took, in milliseconds. */
type Latency = { readonly p50: number; readonly p99: number }

/** How long the requests of one school take while another one sends over some connections, and while it is alone. */
export type Neighbour = {
  readonly connections: number
  /** The 99th percentile beside the other school, divided by that of the school alone: the median of the rounds. */
  readonly ratio: number
  readonly spread: readonly [number, number]
  readonly alone: readonly Latency[]
  readonly beside: readonly Latency[]
  /** Requests of the other school in a second, while the first one sends too. */
  readonly other: readonly number[]
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const measureLatency = async (port: number, requests: readonly BenchRequest[], seconds: number): Promise<Latency> => {
  const taken: number[] = []
  const until = performance.now() + seconds * 1000
  for (let at = 0; performance.now() < until; at++) {
    const request = requests[at % requests.length]
    if (request === undefined) throw new Error('there is nothing to send')
    const { status, text, whole } = await send({ ...request, port })
    if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`)
    taken.push(whole)
  }
  taken.sort((a, b) => a - b)
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) }
}

const buildLine = ({ connections, ratio, spread, alone, beside, other }: Neighbour): string => {
  const of = (rounds: readonly Latency[], name: keyof Latency) => median(rounds.map(one => one[name])).toFixed(1)
  const [least, most] = spread.map(one => one.toFixed(2))
  return [
    `a page of members beside ${connections} connections of another school: p99 ${ratio.toFixed(2)} times (${least}–${most}, target ${TARGET})`,
    `  alone  p50 ${of(alone, 'p50')} ms, p99 ${of(alone, 'p99')} ms`,
    `  beside p50 ${of(beside, 'p50')} ms, p99 ${of(beside, 'p99')} ms; the other school has ${Math.round(median(other))} responses a second`,
  ].join('\n')
}

/** Measures the latency of one school in turn alone and beside another one that sends as much as it can. */
export const measureNeighbour = async (effort: Effort, say: (line: string) => void): Promise<readonly Neighbour[]> => {
  const app = await startApp()
  const [own, others] = [await benchSchool(app), await benchSchool(app, app.b)]
  const [requests, load] = [own, others].map(({ byToken }) => byToken('/members?limit=25'))
  const stoa = await startStoa(app)
  const { seconds } = effort
  const alone = () => measureLatency(stoa.port, requests ?? [], seconds)
  const beside = (connections: number) =>
    Promise.all([alone(), sendRequests(stoa.port, load ?? [], { seconds: seconds + 1, connections, workers: 1 })])
  const found: Neighbour[] = []
  try {
    await beside(10)
    for (const connections of CONNECTIONS) {
      const rounds: { readonly alone: Latency; readonly beside: Latency; readonly other: number }[] = []
      for (let turn = 0; turn < effort.rounds; turn++) {
        const by = await alone()
        const [latency, { perSecond }] = await beside(connections)
        rounds.push({ alone: by, beside: latency, other: perSecond })
      }
      const ratios = rounds.map(round => round.beside.p99 / round.alone.p99)
      const one: Neighbour = {
        ...{ connections, ratio: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] },
        alone: rounds.map(round => round.alone),
        beside: rounds.map(round => round.beside),
        other: rounds.map(({ other }) => other),
      }
      found.push(one)
      say(buildLine(one))
    }
    return found
  } finally {
    await stoa.stop()
    await app.stop()
  }
}
