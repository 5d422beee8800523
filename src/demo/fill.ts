import { paymentMode } from '#src/areas/school/index.ts'
import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'
import { createDemoViews, rollUpDemo } from './analytics.ts'
import { createDemoAppearance } from './appearance.ts'
import { createDemoAssignments } from './assignments.ts'
import { createDemoAttempts } from './attempts.ts'
import { createDemoComments } from './comments.ts'
import { createDemoCoupons } from './coupons.ts'
import { createDemoCourses } from './courses.ts'
import { createDemoEvents } from './events.ts'
import { createDemoForms } from './forms.ts'
import { finishDemoGuide } from './guide.ts'
import { createDemoLearners } from './learners.ts'
import { createDemoOrders } from './orders.ts'
import { createDemoPages } from './pages.ts'
import { addDemoPictures } from './pictures.ts'
import { createDemoPlans } from './plans.ts'
import { createDemoPosts } from './posts.ts'
import { createDemoProducts } from './products.ts'
import { hasCourses } from './queries.ts'
import { createDemoRegistrations } from './registrations.ts'
import { createDemoReviews } from './reviews.ts'
import { createDemoSales } from './sales.ts'
import { setUpSeller } from './seller.ts'
import { createDemoStaticPage } from './static-page.ts'
import { createStudyGroup } from './study-group.ts'
import { createDemoSubscriptions } from './subscriptions.ts'

const picturesFor = async (database: Database, schoolId: string, files: Files | undefined) => {
  const isFilled = await database.statements(schoolId, db => hasCourses(db, schoolId))
  return files === undefined || isFilled ? undefined : addDemoPictures(database, schoolId, files)
}

/** What the demo for people has beyond that of the tests: a store of files, and keys for secrets by their purpose. */
export type DemoParts = { readonly files: Files; keyFor(purpose: string): Buffer }

/** Adds the demo data to a school that has the people of the demo; returns whether it created courses. */
export const addDemoData = async (database: Database, schoolId: string, shown?: DemoParts): Promise<boolean> => {
  const files = shown?.files
  await createStudyGroup(database, schoolId)
  const pictures = await picturesFor(database, schoolId, files)
  const isFilled = await createDemoCourses(database, schoolId, pictures)
  await createDemoAssignments(database, schoolId)
  await createDemoAttempts(database, schoolId)
  await createDemoReviews(database, schoolId)
  await createDemoComments(database, schoolId)
  await createDemoCoupons(database, schoolId, shown !== undefined)
  await createDemoProducts(database, schoolId, { files, imageId: pictures?.workbook })
  await createDemoPlans(database, schoolId)
  await createDemoSubscriptions(database, schoolId)
  const school = await getSchool(database.shared, schoolId)
  // Not in a school that has courses of its own, or where real money moves and there are no test payments.
  const mayBuy = isFilled && shown !== undefined && paymentMode(school) === 'test'
  const sells = mayBuy && (await setUpSeller(database, schoolId))
  await createDemoOrders(database, schoolId, files !== undefined)
  if (shown !== undefined && sells) await createDemoSales({ database, school, keyFor: shown.keyFor })
  await createDemoAppearance(database, schoolId)
  await createDemoPages(database, schoolId, { isShown: shown !== undefined, imageId: pictures?.kitchen })
  await createDemoPosts(database, schoolId)
  await createDemoForms(database, schoolId)
  await createDemoEvents(database, schoolId)
  await createDemoRegistrations(database, schoolId)
  if (files !== undefined) await createDemoStaticPage(database, schoolId, files)
  if (shown !== undefined && isFilled) {
    await createDemoLearners(database, schoolId)
    await createDemoViews(database, schoolId)
  }
  await finishDemoGuide(database, schoolId)
  await rollUpDemo(database, schoolId)
  return isFilled
}
