import type { Database } from '#src/contract/db.ts'
import { createDemoAssignments } from './assignments.ts'
import { createDemoAttempts } from './attempts.ts'
import { createDemoCourses } from './courses.ts'
import { createDemoReviews } from './reviews.ts'
import { createStudyGroup } from './study-group.ts'

/** Fills a school whose people are there with what the named world has beside them; tells whether courses were made. */
export const seedDemo = async (database: Database, schoolId: string): Promise<boolean> => {
  await createStudyGroup(database, schoolId)
  const isFilled = await createDemoCourses(database, schoolId)
  await createDemoAssignments(database, schoolId)
  await createDemoAttempts(database, schoolId)
  await createDemoReviews(database, schoolId)
  return isFilled
}
