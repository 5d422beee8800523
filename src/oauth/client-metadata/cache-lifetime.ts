import type { IncomingHttpHeaders } from 'node:http'

/** How long an expired copy may be used while the document cannot be fetched, in seconds (RFC 5861 §4). */
export const STALE_SECONDS = 24 * 3600

const LEAST = 5 * 60
const MOST = 24 * 3600

const parseSeconds = (cacheControl: string, name: string): number | undefined => {
  const [, seconds] = new RegExp(`(?:^|[\\s,])${name}="?(\\d+)"?\\s*(?:,|$)`, 'i').exec(cacheControl) ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

const untilExpires = ({ expires, date }: IncomingHttpHeaders): number =>
  (Date.parse(expires ?? '') - Date.parse(date ?? '')) / 1000

/**
 * How many seconds a fetched document is cached: what its headers say (RFC 9111 §4.2), between five minutes and a day.
 */
export const computeCacheLifetime = (headers: IncomingHttpHeaders): number => {
  const control = headers['cache-control'] ?? ''
  if (/(?:^|[\s,])no-(?:store|cache)\b/i.test(control)) return LEAST
  const stated = parseSeconds(control, 's-maxage') ?? parseSeconds(control, 'max-age')
  const age = /^\d{1,10}$/.test(headers.age ?? '') ? Number(headers.age) : 0
  const seconds = Math.floor((stated ?? untilExpires(headers)) - age)
  return Number.isNaN(seconds) ? LEAST : Math.min(MOST, Math.max(LEAST, seconds))
}
