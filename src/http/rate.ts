import type { Rate } from './limits.ts'

/** What is left of a rate: requests, and seconds until it is whole again. */
export type Left = {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly wait: number
}

const MOST = 100_000

/** Counts requests per key in windows; `policy` is the name in the RateLimit headers. */
export const createRate = (
  policy: string,
  { requests, seconds }: Rate,
  now: () => number = performance.now.bind(performance),
) => {
  const windows = new Map<string, { until: number; count: number }>()
  const sweep = (at: number): void => {
    for (const [key, { until }] of windows) if (until <= at) windows.delete(key)
  }
  return (key: string): Left => {
    const at = now()
    if (windows.size > MOST) sweep(at)
    let window = windows.get(key)
    if (window === undefined || window.until <= at) {
      window = { until: at + seconds * 1000, count: 0 }
      windows.set(key, window)
    }
    window.count++
    const wait = Math.max(1, Math.ceil((window.until - at) / 1000))
    const left = Math.max(0, requests - window.count)
    return {
      allowed: window.count <= requests,
      wait,
      headers: {
        'ratelimit-policy': `"${policy}";q=${requests};w=${seconds}`,
        ratelimit: `"${policy}";r=${left};t=${wait}`,
      },
    }
  }
}
