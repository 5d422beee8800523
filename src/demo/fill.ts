import { rollUpAll } from '#src/areas/analytics/index.ts'
import { paymentMode } from '#src/areas/school/index.ts'
import type { Database } from '#src/contract/db.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool } from '#src/db/schools.ts'
import { addViews } from './analytics/queries.ts'
import { MADE, openEarlier } from './clock.ts'
import { createDemoCourses } from './courses/courses.ts'
import { createDemoReviews } from './courses/reviews.ts'
import { createDemoAttendance } from './events/attendance.ts'
import { createDemoEvents } from './events/events.ts'
import { createDemoRegistrations } from './events/registrations.ts'
import { createDemoAppearance } from './files/appearance.ts'
import { addDemoMedia } from './files/media.ts'
import { createDemoAssignments } from './learning/assignments.ts'
import { createDemoAttempts } from './learning/attempts.ts'
import { createLearnerReviews } from './learning/reviews.ts'
import { createDemoStudies } from './learning/studies.ts'
import { createStudyGroup } from './learning/study-group.ts'
import { createDemoPlans } from './memberships/plans.ts'
import { createDemoSubscriptions } from './memberships/subscriptions.ts'
import { createDemoLearners } from './people/learners.ts'
import { people } from './people/people.ts'
import { createDemoComments, createLearnerComments } from './publishing/comments.ts'
import { createDemoForms } from './publishing/forms.ts'
import { createDemoPages } from './publishing/pages.ts'
import { createDemoPosts } from './publishing/posts.ts'
import { createDemoStaticPage } from './publishing/static-page.ts'
import { findMemberId, hasRows } from './queries.ts'
import { setUpSeller } from './school/seller.ts'
import { createDemoWebhook } from './school/webhook.ts'
import { fillDemoBin } from './shop/bin.ts'
import { createDemoCoupons } from './shop/coupons.ts'
import { createDemoHistory } from './shop/history.ts'
import { createDemoOrders } from './shop/orders.ts'
import { createDemoProducts } from './shop/products.ts'

const mediaFor = async (database: Database, schoolId: string, files: Files | undefined) => {
  const isFilled = await database.statements(schoolId, db => hasRows(db, schoolId, 'courses'))
  if (files === undefined || isFilled) return undefined
  const ownerId = await database.statements(schoolId, db => findMemberId(db, schoolId, people.ada.email))
  return ownerId === undefined ? undefined : addDemoMedia(database, schoolId, { files, ownerId })
}

/** What the demo for people has beyond that of the tests: a store of files, and keys for secrets by their purpose. */
export type DemoParts = { readonly files: Files; keyFor(purpose: string): Buffer }

/** Adds the demo data to a school that has the people of the demo; returns whether it created courses. */
export const addDemoData = async (database: Database, schoolId: string, shown?: DemoParts): Promise<boolean> => {
  const files = shown?.files
  await createStudyGroup(database, schoolId)
  const media = await mediaFor(database, schoolId, files)
  const isFilled = await createDemoCourses(database, schoolId, media)
  await createDemoAssignments(database, schoolId, shown !== undefined)
  await createDemoAttempts(database, schoolId)
  await createDemoReviews(database, schoolId)
  await createDemoComments(database, schoolId)
  await createDemoCoupons(database, schoolId, shown !== undefined)
  await createDemoProducts(database, schoolId, { files, pictures: media?.pictures })
  // What plans open they opened before the first learner came.
  await createDemoPlans(media === undefined ? database : openEarlier(database, MADE), schoolId, media?.pictures)
  await createDemoSubscriptions(database, schoolId)
  const [school, hasOrders] = [
    await getSchool(database.shared, schoolId),
    await database.statements(schoolId, db => hasRows(db, schoolId, 'orders')),
  ]
  // Not in a school that has courses of its own, or where real money moves and there are no test payments.
  const mayBuy = isFilled && shown !== undefined && paymentMode(school) === 'test'
  const sells = mayBuy && (await setUpSeller(database, schoolId))
  if (shown !== undefined && isFilled) {
    await createDemoLearners(database, schoolId)
    await createDemoHistory({ database, school, keyFor: shown.keyFor }, sells)
    await createDemoStudies(database, schoolId)
    await createLearnerReviews(database, schoolId)
  }
  if (!hasOrders) await createDemoOrders(database, schoolId, files !== undefined)
  await createDemoAppearance(database, schoolId, media?.pictures.logo)
  await createDemoPages(database, schoolId, { isShown: shown !== undefined, imageId: media?.pictures.kitchen })
  await createDemoPosts(database, schoolId, media?.pictures)
  if (isFilled) await fillDemoBin(database, schoolId)
  await createDemoForms(database, schoolId, shown !== undefined)
  await createDemoEvents(database, schoolId, media?.pictures)
  await createDemoRegistrations(database, schoolId)
  if (files !== undefined) await createDemoStaticPage(database, schoolId, files)
  if (shown !== undefined && isFilled) {
    await createLearnerComments(database, schoolId)
    await createDemoAttendance(database, schoolId)
    await createDemoWebhook(database, schoolId, shown.keyFor)
    await database.statements(schoolId, db => addViews(db, schoolId))
  }
  // The demo data has all that the guide for the first run leads to, and its rows have no facts.
  await rollUpAll(database, schoolId)
  return isFilled
}
