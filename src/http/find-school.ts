import type { Db } from '#src/contract/db.ts'
import { findSchoolByHost, type HostedSchool } from '#src/db/schools.ts'
import { limits } from './limits.ts'

const MAX_HOSTS = 10_000

/** Finds schools by host, with a cache of one second; unknown hosts are looked up every time. */
export type SchoolFinder = {
  find(host: string): Promise<HostedSchool | undefined>
  /** The school if it is cached. */
  cached(host: string): HostedSchool | undefined
}

/** Creates a finder of schools. */
export const createSchoolFinder = (shared: Db): SchoolFinder => {
  const cache = new Map<string, { found: HostedSchool; until: number }>()
  const cached = (host: string): HostedSchool | undefined => {
    const entry = cache.get(host)
    return entry !== undefined && entry.until > performance.now() ? entry.found : undefined
  }
  const find = async (host: string): Promise<HostedSchool | undefined> => {
    const at = performance.now()
    const recent = cached(host)
    if (recent !== undefined) return recent
    const found = await findSchoolByHost(shared, host)
    if (cache.size > MAX_HOSTS) cache.clear()
    if (found === undefined) cache.delete(host)
    else cache.set(host, { found, until: at + limits.schoolAge })
    return found
  }
  return { find, cached }
}
