import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'

export { createDemoPeople, crumbAndCrust, people } from './named.ts'
export { createPerson, newPassword, type PersonPlan } from './people.ts'
export { createSchool } from './school.ts'

/**
 * Adds the demo data to a school that has the people of the demo; returns whether it created courses. With a store of files
 * the courses have pictures, and there are more of them.
 */
export const seedDemo = async (database: Database, schoolId: string, files?: Files): Promise<boolean> => {
  // Only this loads the areas: commands that create a school or a person start in half of the time.
  const { addDemoData } = await import('./fill.ts')
  return addDemoData(database, schoolId, files)
}
