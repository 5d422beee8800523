import { clockNow, revoke } from '#src/areas/access/index.ts'
import { shareCourses } from '#src/areas/courses/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { type Offer, release } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { lockMember } from '#src/identity/index.ts'
import { discloseEnrollments } from '../pending/queries.ts'
import { findFirstStart, listEntitlementsOfLine } from './purchased.queries.ts'
import { endOfAccess } from './purchased.rules.ts'
import { enroll } from './writes.ts'

type Writing = Pick<WriteContext, 'db' | 'school' | 'now'>

type Line = { readonly lineId: string; readonly offer: Offer; readonly memberId: string }

/** Enrolls a member in the course that a line of an order bought, once; ends the reservation. Returns the facts. */
export const fulfilCourse = async (where: Writing, { lineId, offer, memberId }: Line): Promise<readonly Fact[]> => {
  const { db, school } = where
  // Whoever fulfils or takes back the same line waits here.
  await lockMember(db, school.id, memberId)
  const key = { memberId, courseId: offer.item.id, source: 'order_line', sourceId: lineId } as const
  await shareCourses(db, school.id, [key.courseId])
  await release.call({ lineId }, { db, school })
  if ((await findFirstStart(db, school.id, key)) !== undefined) return []
  const startsAt = await clockNow(db)
  const endsAt = endOfAccess(offer.access, startsAt)
  if (endsAt !== undefined && endsAt <= startsAt) return []
  // The receipt says that they are enrolled.
  const { facts } = await enroll(where, { ...key, startsAt, endsAt, notify: false })
  await discloseEnrollments(db, school.id, [key])
  return facts
}

/** Revokes the access to a course that a line of an order gave, and no other; returns the facts. */
export const unfulfilCourse = async (
  where: Writing,
  { lineId, quantity, reason }: { readonly lineId: string; readonly quantity: number; readonly reason: string },
): Promise<readonly Fact[]> => {
  const { db, school } = where
  const [first] = quantity > 0 ? await listEntitlementsOfLine(db, school.id, lineId) : []
  if (first === undefined) return []
  await lockMember(db, school.id, first.member_id)
  const entitlements = await listEntitlementsOfLine(db, school.id, lineId)
  return revoke(
    where,
    entitlements.map(({ id }) => id),
    { reason },
  )
}
