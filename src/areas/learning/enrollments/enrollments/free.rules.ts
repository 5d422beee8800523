import { alreadyHasAccess, offerEnded, soldOut, type Unavailable } from '#src/contract/offer.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { faulty, unknown } from './rules.ts'

// The price costs something.
const priceNotFree = problem(
  409,
  'price_not_free',
  'The course is not free at this price',
  'Only a free price enrolls without a purchase. GET /courses/{course_id}/prices lists the prices of a course.',
)

/** The member had the free access. */
export const freeAccessUsed = problem(
  409,
  'free_access_used',
  'You have used this free access',
  'Free access for a number of days counts from the first time and is given once to each person. Choose another price, or ask the school.',
)

/** The school has put the access on hold. */
export const accessOnHold = problem(
  409,
  'access_on_hold',
  'Your access is on hold',
  'The school has suspended your access, so enrolling would not give any. Nothing was changed. Ask the school to lift the hold.',
)

// The school ended the access.
const accessEndedBySchool = problem(
  409,
  'access_ended_by_school',
  'The school ended your access',
  'The school ended your access to this course, so you cannot enroll in it again by yourself. Ask the school to enroll you.',
)

/** The refusals of a free enrollment. */
export const refusals = [
  alreadyHasAccess,
  soldOut,
  offerEnded,
  priceNotFree,
  freeAccessUsed,
  accessOnHold,
  accessEndedBySchool,
]

/** The refusal of a course that the member may not know of, in the same words as of an unknown id. */
export const unknownCourse = (): Refusal => faulty([unknown('/course_id', 'a course in which you can enroll')])

const unknownPrice = (): Refusal => faulty([unknown('/price_id', 'a price of the course')])

/** The refusal of an offer that is not available. */
export const buildRefusal = ({ unavailable }: Unavailable): Refusal => {
  if (unavailable === 'already_has_access') return new Refusal(alreadyHasAccess, 'You have access to the course.')
  if (unavailable === 'sold_out') return new Refusal(soldOut, 'All seats at this price are taken.')
  if (unavailable === 'ended') return new Refusal(offerEnded, 'The access at this price has ended.')
  if (unavailable === 'not_for_you')
    return new Refusal(accessEndedBySchool, 'The school ended your access to the course.')
  return unavailable === 'not_published' ? unknownCourse() : unknownPrice()
}

type FreePrice = { readonly id: string; readonly payment_type: string }

/** The prices to enroll at: the requested one of the active prices of a course, or every free one. */
export const freePrices = (prices: readonly FreePrice[], id: string | undefined): readonly FreePrice[] => {
  const candidates = id === undefined ? prices : prices.filter(price => price.id === id)
  if (candidates.length === 0 && id !== undefined) throw unknownPrice()
  const free = candidates.filter(({ payment_type }) => payment_type === 'free')
  if (free.length === 0)
    throw new Refusal(priceNotFree, id === undefined ? 'The course has no free price.' : 'The price costs something.')
  return free
}
