import autocannon from 'autocannon'

/** One measurement: its name, its requests, and the target of the ratio to the bare handler. */
export type Case = {
  readonly title: string
  readonly aim: number | undefined
  readonly requests: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[]
}

/** Requests per second and latencies of one round. */
export type Round = { readonly perSecond: number; readonly p50: number; readonly p99: number }

/** A case measured: each round of both, and the ratios of rounds that stood side by side. */
export type Measured = {
  readonly title: string
  readonly aim: number | undefined
  readonly ratio: number
  readonly spread: readonly [number, number]
  readonly stoa: readonly Round[]
  readonly bare: readonly Round[]
}

/** How long and how often. */
export type Effort = { readonly rounds: number; readonly seconds: number; readonly connections: number }

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

const round = async (port: number, { requests }: Case, { seconds, connections }: Effort): Promise<Round> => {
  const result = await autocannon({ url: `http://127.0.0.1:${port}`, connections, duration: seconds, requests })
  const { errors, latency, duration, '2xx': whole, '3xx': unchanged } = result
  const refused = result.non2xx - unchanged
  if (errors > 0 || refused > 0)
    throw new Error(`${errors} errors and ${refused} answers that are no success: nothing was measured`)
  return { perSecond: (whole + unchanged) / duration, p50: latency.p50, p99: latency.p99 }
}

/** Measures two servers in rounds, one of each in turn, so that what else the machine does meets both. */
export const inTurns = async (
  { title, aim }: Pick<Measured, 'title' | 'aim'>,
  sides: Readonly<Record<'stoa' | 'bare', (effort: Effort) => Promise<Round>>>,
  effort: Effort,
): Promise<Measured> => {
  const [stoa, bare]: [Round[], Round[]] = [[], []]
  const warm = { ...effort, seconds: 2 }
  await sides.stoa(warm)
  await sides.bare(warm)
  for (let turn = 0; turn < effort.rounds; turn++) {
    // The order alternates, since the second one runs against a warmer database.
    const both = [async () => stoa.push(await sides.stoa(effort)), async () => bare.push(await sides.bare(effort))]
    for (const go of turn % 2 === 0 ? both : both.reverse()) await go()
  }
  const ratios = stoa.map(({ perSecond }, turn) => perSecond / (bare[turn]?.perSecond ?? Number.NaN))
  return { title, aim, ratio: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)], stoa, bare }
}

/** Measures a case of a path that many callers ask. */
export const measure = (
  ports: { readonly stoa: number; readonly bare: number },
  measurement: Case,
  effort: Effort,
): Promise<Measured> =>
  inTurns(
    measurement,
    { stoa: part => round(ports.stoa, measurement, part), bare: part => round(ports.bare, measurement, part) },
    effort,
  )

/** A latency that a line tells. */
export type Percentile = 'p50' | 'p99'

/** A case in one line for people. */
export const lineOf = (
  { title, aim, ratio, spread, stoa, bare }: Measured,
  percentiles: readonly Percentile[],
): string => {
  const rate = (rounds: readonly Round[]) => Math.round(median(rounds.map(({ perSecond }) => perSecond)))
  const latency = (name: Percentile) =>
    `${name} ${median(stoa.map(one => one[name]))} ms to ${median(bare.map(one => one[name]))} ms`
  const [least, most] = spread.map(one => one.toFixed(2))
  const aimed = aim === undefined ? 'no aim' : `aim ${aim}`
  return `${title.padEnd(34)} ${ratio.toFixed(2)} (${least}–${most}, ${aimed})  ${rate(stoa)}/s to ${rate(bare)}/s, ${percentiles.map(latency).join(', ')}`
}
