import { widerNetworks } from '#src/kit/net.ts'
import type { Rate } from './limits.ts'

/** The state of a rate: whether the request is allowed, and the seconds until the limit is reset. */
type RateState = {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly wait: number
}

const SWEEP_ABOVE = 100_000
const SWEEP_MS = 1000

/** Counts requests per key in fixed windows; `factor` multiplies the limit, and `policy` is its name in the RateLimit headers. */
export const createRate = (
  policy: string,
  { requests, seconds }: Rate,
  now: () => number = performance.now.bind(performance),
) => {
  const windows = new Map<string, { until: number; count: number }>()
  let sweptAt = Number.NEGATIVE_INFINITY
  // With many windows, checking all of them at each request would cost more than the memory they use.
  const sweep = (at: number): void => {
    if (windows.size <= SWEEP_ABOVE || at - sweptAt < SWEEP_MS) return
    sweptAt = at
    for (const [key, { until }] of windows) if (until <= at) windows.delete(key)
  }
  return (key: string, factor = 1): RateState => {
    const at = now()
    const max = requests * factor
    sweep(at)
    let window = windows.get(key)
    if (window === undefined || window.until <= at) {
      window = { until: at + seconds * 1000, count: 0 }
      windows.set(key, window)
    }
    window.count++
    const wait = Math.max(1, Math.ceil((window.until - at) / 1000))
    const left = Math.max(0, max - window.count)
    return {
      allowed: window.count <= max,
      wait,
      headers: {
        'ratelimit-policy': `"${policy}";q=${max};w=${seconds}`,
        ratelimit: `"${policy}";r=${left};t=${wait}`,
      },
    }
  }
}

/** Counts the requests of a network, and of the wider networks that contain it. */
export const createNetworkRate = (rate: Rate, now?: () => number) => {
  const count = createRate('network', rate, now)
  return (network: string): RateState => {
    const own = count(network)
    if (!own.allowed) return own
    // A request that a narrower limit refuses does not count for a wider network.
    for (const { network: name, factor } of widerNetworks(network)) {
      const wider = count(name, factor)
      if (!wider.allowed) return wider
    }
    return own
  }
}
