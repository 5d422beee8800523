import type { Database } from '#src/contract/db.ts'
import { findSchoolByHost, type HostedSchool } from '#src/db/schools.ts'
import { limits } from './limits.ts'

const MAX_HOSTS = 10_000

/** A school, and before its statement was sent on the clock of this process. */
export type FoundSchool = HostedSchool & { readonly readAt: number }

/**
 * Finds schools by host, with a cache of one second that a write of the school by this process ends; unknown hosts are looked up
 * every time.
 */
export type SchoolFinder = {
  find(host: string): Promise<FoundSchool | undefined>
  /** The school if it is cached. */
  cached(host: string): FoundSchool | undefined
  /** The base URL of the school that this host had when it was last looked up; undefined where it never was. */
  lastBaseUrl(host: string): string | undefined
}

/** Creates a finder of schools. */
export const createSchoolFinder = ({ shared, writtenAt }: Pick<Database, 'shared' | 'writtenAt'>): SchoolFinder => {
  const cache = new Map<string, FoundSchool>()
  const cached = (host: string): FoundSchool | undefined => {
    const found = cache.get(host)
    if (found === undefined || performance.now() - found.readAt >= limits.schoolAge) return undefined
    return found.readAt > writtenAt(found.school.id) ? found : undefined
  }
  const find = async (host: string): Promise<FoundSchool | undefined> => {
    const recent = cached(host)
    if (recent !== undefined) return recent
    const readAt = performance.now()
    const hosted = await findSchoolByHost(shared, host)
    if (cache.size > MAX_HOSTS) cache.clear()
    if (hosted === undefined) cache.delete(host)
    const found = hosted && { ...hosted, readAt }
    if (found !== undefined) cache.set(host, found)
    return found
  }
  return { find, cached, lastBaseUrl: host => cache.get(host)?.school.baseUrl }
}
