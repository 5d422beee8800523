import { widerNetworks } from '#src/kit/net.ts'
import type { Rate } from './limits.ts'

/** What is left of a rate: requests, and seconds until it is whole again. */
export type RateState = {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly wait: number
}

const MOST = 100_000
const SWEEP_MS = 1000

/** Counts requests per key in windows, `factor` times as many for some; `policy` is the name in the RateLimit headers. */
export const createRate = (
  policy: string,
  { requests, seconds }: Rate,
  now: () => number = performance.now.bind(performance),
) => {
  const windows = new Map<string, { until: number; count: number }>()
  let sweptAt = Number.NEGATIVE_INFINITY
  // While many windows are open, looking through all of them with each request would cost more than they do.
  const sweep = (at: number): void => {
    if (windows.size <= MOST || at - sweptAt < SWEEP_MS) return
    sweptAt = at
    for (const [key, { until }] of windows) if (until <= at) windows.delete(key)
  }
  return (key: string, factor = 1): RateState => {
    const at = now()
    const most = requests * factor
    sweep(at)
    let window = windows.get(key)
    if (window === undefined || window.until <= at) {
      window = { until: at + seconds * 1000, count: 0 }
      windows.set(key, window)
    }
    window.count++
    const wait = Math.max(1, Math.ceil((window.until - at) / 1000))
    const left = Math.max(0, most - window.count)
    return {
      allowed: window.count <= most,
      wait,
      headers: {
        'ratelimit-policy': `"${policy}";q=${most};w=${seconds}`,
        ratelimit: `"${policy}";r=${left};t=${wait}`,
      },
    }
  }
}

/** Counts requests of a network, and those that it may send of the wider networks that it lies in. */
export const createNetworkRate = (rate: Rate, now?: () => number) => {
  const count = createRate('network', rate, now)
  return (network: string): RateState => {
    const own = count(network)
    if (!own.allowed) return own
    // What a narrower network is refused is not counted at a wider one.
    for (const { network: name, factor } of widerNetworks(network)) {
      const left = count(name, factor)
      if (!left.allowed) return left
    }
    return own
  }
}
