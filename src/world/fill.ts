import type { Database } from '#src/contract/db.ts'
import { createNamedAssignments } from './assignments.ts'
import { createNamedAttempts } from './attempts.ts'
import { createCircle } from './circle.ts'
import { createNamedCourses } from './courses.ts'
import { createNamedReviews } from './reviews.ts'

/** Fills a school whose people are there with what the named world has beside them; tells whether courses were made. */
export const fillNamedWorld = async (database: Database, schoolId: string): Promise<boolean> => {
  await createCircle(database, schoolId)
  const isFilled = await createNamedCourses(database, schoolId)
  await createNamedAssignments(database, schoolId)
  await createNamedAttempts(database, schoolId)
  await createNamedReviews(database, schoolId)
  return isFilled
}
