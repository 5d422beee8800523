import { shareCourses } from '#src/areas/courses/index.ts'
import { entitlementOfLine } from '#src/areas/learning/access/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { type Offer, release } from '#src/contract/offer.ts'
import { lockMember } from '#src/identity/index.ts'
import { discloseEnrollments } from '../pending/queries.ts'
import { enroll } from './writes.ts'

type Line = { readonly lineId: string; readonly offer: Offer; readonly memberId: string }

/** Enrolls a member in the course that a line of an order bought, once; ends the reservation. Returns the facts. */
export const fulfilCourse = async (
  context: TransactionContext,
  { lineId, offer, memberId }: Line,
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const courseId = offer.item.id
  // Whoever fulfils or takes back the same line waits here.
  await lockMember(db, school.id, memberId)
  await shareCourses(db, school.id, [courseId])
  await release.call({ lineId }, { db, school })
  const item = { type: 'course', id: courseId } as const
  const given = await entitlementOfLine(context, { lineId, memberId, item, access: offer.access })
  if (given === undefined) return []
  // The receipt says that they are enrolled.
  const { facts } = await enroll(context, { ...given, courseId, notify: false })
  await discloseEnrollments(db, school.id, [{ memberId, courseId }])
  return facts
}
