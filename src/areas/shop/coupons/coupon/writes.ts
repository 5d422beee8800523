import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import { itemExists } from '#src/contract/items.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import {
  type CouponItem,
  type CouponRow,
  type CouponValues,
  insertCoupon,
  listKnownMembers,
  shareCurrency,
} from './queries.ts'
import { errorsOfCoupon, newCoupon } from './rules.ts'
import type { CouponInput } from './schema.ts'

const isKnown = async (context: SchoolContext, item: CouponItem): Promise<boolean> =>
  (await itemExists.call(item, context)).some(found => typeof found === 'object')

// An item that was there when it was named may have been deleted since.
const errorsOfNewItems = async (
  context: SchoolContext,
  { items }: CouponValues,
  before: CouponRow | undefined,
): Promise<FieldError[]> => {
  const kept = new Set(before?.items.map(({ id }) => id))
  const known = await Promise.all(items.map(item => kept.has(item.id) || isKnown(context, item)))
  return known.flatMap((isThere, index) =>
    isThere ? [] : [{ pointer: `/items/${index}/id`, code: 'unknown', message: 'is nothing that the school sells' }],
  )
}

const errorsOfNewMembers = async (
  { db, school }: SchoolContext,
  { member_ids: ids }: CouponValues,
  before: CouponRow | undefined,
): Promise<FieldError[]> => {
  const kept = before?.member_ids ?? []
  const known = await listKnownMembers(db, school.id, ids)
  return ids.flatMap((id, index) =>
    known.includes(id) || kept.includes(id)
      ? []
      : [{ pointer: `/member_ids/${index}`, code: 'unknown', message: 'is not a member' }],
  )
}

/** Refuses values that cannot be stored: what does not fit together, and unknown items and members. */
export const checkCoupon = async (
  context: SchoolContext,
  values: CouponValues,
  currency: string,
  before?: CouponRow,
): Promise<void> => {
  refuseInvalid(errorsOfCoupon(values, before, currency))
  refuseInvalid([
    ...(await errorsOfNewItems(context, values, before)),
    ...(await errorsOfNewMembers(context, values, before)),
  ])
}

/** A coupon to create; what is not given is as in a new one. */
export type NewCoupon = Partial<CouponInput> & Pick<CouponInput, 'name' | 'kind'>

/** Creates a coupon without codes. */
export const addCoupon = async (
  context: TransactionContext,
  input: NewCoupon,
  createdBy?: string,
): Promise<CouponRow> => {
  const { db, school, now } = context
  const currency = await shareCurrency(db, school.id)
  const values = newCoupon(input, currency)
  await checkCoupon(context, values, currency)
  return insertCoupon(db, school.id, { id: newUuid(now.getTime()), createdBy }, values)
}
