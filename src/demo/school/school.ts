import type { Database } from '#src/contract/db.ts'
import { scheduleJob } from '#src/db/jobs.ts'
import { parseHost } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { Keys } from '#src/oauth/index.ts'
import { insertSchool, type NewSchool } from './queries.ts'

/** The values of a new school and its owner. */
type SchoolPlan = Pick<NewSchool, 'baseUrl' | 'name'> & Partial<Omit<NewSchool, 'id' | 'baseUrl' | 'host' | 'name'>>

/** The school of the demo, the documentation and the tests: Crumb & Crust. */
export const crumbAndCrust: Omit<SchoolPlan, 'baseUrl'> = {
  name: 'Crumb & Crust',
  description: 'A small school for people who bake bread at home.',
  locale: 'en',
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  country: 'PT',
}

const DAY_SECONDS = 24 * 3600

/** Creates a school with its signing keys; undefined when another school has the address. */
export const createSchool = (
  database: Database,
  keys: Keys,
  plan: SchoolPlan,
  at: number,
): Promise<string | undefined> => {
  const id = newUuid(at)
  return database.transaction(id, async db => {
    const stored = await insertSchool(db, {
      description: '',
      locale: 'en',
      timeZone: 'UTC',
      currency: 'EUR',
      country: undefined,
      ...plan,
      id,
      host: parseHost(plan.baseUrl),
    })
    if (!stored) return undefined
    await keys.ensure(db, id)
    await scheduleJob(db, id, 'sweep', DAY_SECONDS)
    await scheduleJob(db, id, 'storage', DAY_SECONDS)
    await scheduleJob(db, id, 'reconcile', DAY_SECONDS)
    await scheduleJob(db, id, 'provider_check', 7 * DAY_SECONDS)
    return id
  })
}
