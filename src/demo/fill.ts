import type { Database } from '#src/contract/db.ts'
import { createDemoAssignments } from './assignments.ts'
import { createDemoAttempts } from './attempts.ts'
import { createDemoCourses } from './courses.ts'
import { createDemoReviews } from './reviews.ts'
import { createStudyGroup } from './study-group.ts'

/** Adds the demo data to a school that has the people of the demo; returns whether it created courses. */
export const addDemoData = async (database: Database, schoolId: string): Promise<boolean> => {
  await createStudyGroup(database, schoolId)
  const isFilled = await createDemoCourses(database, schoolId)
  await createDemoAssignments(database, schoolId)
  await createDemoAttempts(database, schoolId)
  await createDemoReviews(database, schoolId)
  return isFilled
}
