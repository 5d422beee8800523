import type { Db } from '#src/contract/db.ts'
import { findSchoolByHost, type HostedSchool } from '#src/db/schools.ts'
import { limits } from './limits.ts'

const MAX_HOSTS = 10_000

/** Finds schools by host, with a cache of one second; unknown hosts are looked up every time. */
export const createSchoolFinder = (shared: Db) => {
  const cache = new Map<string, { found: HostedSchool; until: number }>()
  return async (host: string): Promise<HostedSchool | undefined> => {
    const at = performance.now()
    const cached = cache.get(host)
    if (cached !== undefined && cached.until > at) return cached.found
    const found = await findSchoolByHost(shared, host)
    if (cache.size > MAX_HOSTS) cache.clear()
    if (found === undefined) cache.delete(host)
    else cache.set(host, { found, until: at + limits.schoolAge })
    return found
  }
}
