import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { findSchoolByHost } from '#src/db/schools.ts'
import { limits } from './limits.ts'

const MAX_HOSTS = 10_000

/** Finds schools by host, with a cache of one second; unknown hosts are looked up every time. */
export const createSchoolFinder = (shared: Db) => {
  const cache = new Map<string, { school: School; until: number }>()
  return async (host: string): Promise<School | undefined> => {
    const at = performance.now()
    const cached = cache.get(host)
    if (cached !== undefined && cached.until > at) return cached.school
    const school = await findSchoolByHost(shared, host)
    if (cache.size > MAX_HOSTS) cache.clear()
    if (school === undefined) cache.delete(host)
    else cache.set(host, { school, until: at + limits.schoolAge })
    return school
  }
}
