import { courseStates, listCoursePrices } from '#src/areas/courses/index.ts'
import { clockNow, endOfAccess, findFirstStart, findZone, readAccess } from '#src/areas/learning/access/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { gavePrice, type Offer, offerOf, release, reserve } from '#src/contract/offer.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidToken } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { OwnEnrollment } from '../account.schema.ts'
import { discloseEnrollments } from '../pending/queries.ts'
import { accessOnHold, buildRefusal, freeAccessUsed, freePrices, refusals, unknownCourse } from './free.rules.ts'
import type { EnrollmentRow } from './queries.ts'
import { Enrollment } from './schema.ts'
import { enrollmentView } from './views.ts'
import { enroll } from './writes.ts'

type Context = Pick<WriteContext<SignedIn>, 'db' | 'school' | 'caller' | 'now' | 'record'>

type EnrollmentRequest = { readonly courseId: string; readonly priceId: string | undefined }

// The first free price that is available; when none is, the first one says why.
const getOffer = async (
  { db, school, caller, now }: Context,
  { courseId, priceId }: EnrollmentRequest,
): Promise<Offer> => {
  if ((await courseStates(db, school.id, [courseId])).get(courseId) !== 'published') throw unknownCourse()
  let refusal: Refusal | undefined
  for (const { id } of freePrices(await listCoursePrices(db, school.id, [courseId]), priceId)) {
    const answers = await offerOf.call({ priceId: id, memberId: caller.member.id, at: now }, { db, school })
    const offer = answers.find(one => one !== undefined)
    if (offer !== undefined && !('unavailable' in offer)) return offer
    if (offer !== undefined) refusal ??= buildRefusal(offer)
  }
  throw refusal ?? unknownCourse()
}

// Longer than a transaction; the seat belongs to the access before it ends.
const RESERVED_MS = 60_000

// Runs what gives access while a seat is reserved for it.
const withSeat = async <T>(context: Context, offer: Offer, give: () => Promise<T>): Promise<T> => {
  const { db, school, caller, now } = context
  const lineId = newUuid(now.getTime())
  const until = new Date(now.getTime() + RESERVED_MS)
  const line = { lineId, offer, quantity: 1, memberId: caller.member.id, until }
  const reserved = (await reserve.call(line, { db, school })).find(one => one !== undefined)
  if (reserved === undefined) throw unknownCourse()
  if ('unavailable' in reserved) throw buildRefusal(reserved)
  const result = await give()
  await release.call({ lineId }, { db, school })
  return result
}

// Free days are given once, whether by enrolling or by an order.
const checkNotGiven = async (context: Context, { priceId, access }: Offer): Promise<void> => {
  if (access === null || !('days' in access)) return
  if ((await gavePrice.call({ memberId: context.caller.member.id, priceId }, context)).includes(true))
    throw new Refusal(freeAccessUsed, 'This free access was given before.')
}

const enrollAt = async (context: Context, offer: Offer): Promise<EnrollmentRow> => {
  const { db, school, caller } = context
  const { item, priceId, access } = offer
  await checkNotGiven(context, offer)
  const key = { memberId: caller.member.id, courseId: item.id, source: 'free', sourceId: priceId } as const
  const startsAt = await clockNow(db)
  const course = { type: 'course', id: item.id } as const
  const first = await findFirstStart(db, school.id, { ...key, item: course })
  const endsAt = endOfAccess(access, first ?? startsAt, await findZone(db, school.id))
  if (endsAt !== undefined && endsAt <= startsAt) throw new Refusal(freeAccessUsed, 'This free access has ended.')
  // They know that they are enrolled, since they did it.
  const { enrollment, facts } = await enroll(context, { ...key, startsAt, endsAt, notify: false })
  await discloseEnrollments(db, school.id, [key])
  for (const fact of facts) context.record(fact)
  return enrollment
}

// The rule of access decides whether the enrollment gives any.
const checkMayUse = async ({ db, school, caller }: Context, courseId: string): Promise<void> => {
  const item = { type: 'course', id: courseId } as const
  const { access } = await readAccess(db, school.id, { memberId: caller.member.id, item })
  if (access.state === 'held') throw new Refusal(accessOnHold, 'The school has put your access on hold.')
  if (access.state !== 'active') throw new Refusal(freeAccessUsed, 'This free access has ended.')
}

const createAccountEnrollment = declareFor('self', 'account', {
  id: 'createAccountEnrollment',
  route: 'POST /account/enrollments',
  summary: 'Enroll in a free course',
  description:
    'Enrolls you in a published course that has a free price on sale, if a seat is left. Without `price_id`, the oldest free price with a seat left is used. Who has access already, or had the free access of a number of days before, is refused; who gave it up enrolls again, until the same end, and whose access the school ended is enrolled again by the school.',
  body: OwnEnrollment,
  returns: Enrollment,
  status: 201,
  fails: refusals,
  example: { body: { course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'bread-without-an-oven' } }) } },
  async handle(context) {
    const { db, school, caller, body, changed } = context
    // Before the course, in the order of every enrollment; of two requests at once the second one finds the access.
    const { status } = await lockMember(db, school.id, caller.member.id)
    // They may have been removed while this request waited.
    if (status !== 'active') throw new Refusal(invalidToken, 'This account is not active.')
    const offer = await getOffer(context, { courseId: body.course_id, priceId: body.price_id })
    const enrollment = await withSeat(context, offer, () => enrollAt(context, offer))
    await checkMayUse(context, enrollment.course_id)
    const ids = [toId('enr', enrollment.id), toId('crs', enrollment.course_id), toId('prc', offer.priceId)]
    const { revision, member_id: memberId } = enrollment
    changed({ ids, fields: Object.keys(body), revision, memberId })
    return enrollmentView(context, enrollment, 'self')
  },
})

/** Enrolling oneself. */
export const freeOperations = [createAccountEnrollment]
