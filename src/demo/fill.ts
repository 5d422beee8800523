import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'
import { createDemoAssignments } from './assignments.ts'
import { createDemoAttempts } from './attempts.ts'
import { createDemoCoupons } from './coupons.ts'
import { createDemoCourses } from './courses.ts'
import { createDemoOrders } from './orders.ts'
import { addDemoPictures } from './pictures.ts'
import { createDemoProducts } from './products.ts'
import { hasCourses } from './queries.ts'
import { createDemoReviews } from './reviews.ts'
import { createStudyGroup } from './study-group.ts'

const picturesFor = async (database: Database, schoolId: string, files: Files | undefined) => {
  const isFilled = await database.statements(schoolId, db => hasCourses(db, schoolId))
  return files === undefined || isFilled ? undefined : addDemoPictures(database, schoolId, files)
}

/** Adds the demo data to a school that has the people of the demo; returns whether it created courses. */
export const addDemoData = async (database: Database, schoolId: string, files?: Files): Promise<boolean> => {
  await createStudyGroup(database, schoolId)
  const pictures = await picturesFor(database, schoolId, files)
  const isFilled = await createDemoCourses(database, schoolId, pictures)
  await createDemoAssignments(database, schoolId)
  await createDemoAttempts(database, schoolId)
  await createDemoReviews(database, schoolId)
  await createDemoCoupons(database, schoolId)
  await createDemoProducts(database, schoolId, files)
  await createDemoOrders(database, schoolId, files !== undefined)
  return isFilled
}
