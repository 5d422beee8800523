import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { findSchoolByHost } from '#src/db/schools.ts'
import { limits } from './limits.ts'

const MOST = 10_000

/** Finds schools by host, remembering each for a second; unknown hosts are asked for every time. */
export const createSchoolFinder = (shared: Db) => {
  const known = new Map<string, { school: School; until: number }>()
  return async (host: string): Promise<School | undefined> => {
    const at = performance.now()
    const cached = known.get(host)
    if (cached !== undefined && cached.until > at) return cached.school
    const school = await findSchoolByHost(shared, host)
    if (known.size > MOST) known.clear()
    if (school === undefined) known.delete(host)
    else known.set(host, { school, until: at + limits.schoolAge })
    return school
  }
}
