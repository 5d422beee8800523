import type { Database } from '#src/contract/db.ts'
import type { DemoParts } from './fill.ts'

export { createDemoPeople, createPerson, newPassword, type PersonPlan, people } from './people/people.ts'
export { createSchool, crumbAndCrust } from './school/school.ts'

/**
 * Adds the demo data to a school that has the people of the demo; returns whether it created courses. With a store of files
 * the courses have pictures, there are more of them, and they are sold.
 */
export const seedDemo = async (database: Database, schoolId: string, shown?: DemoParts): Promise<boolean> => {
  // Only this loads the areas: commands that create a school or a person start in half of the time.
  const { addDemoData } = await import('./fill.ts')
  return addDemoData(database, schoolId, shown)
}
