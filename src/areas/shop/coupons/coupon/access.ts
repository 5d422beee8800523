import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { foldCode } from '../codes/rules.ts'
import { type CouponName, type CouponRow, findCoupon, lockCoupon } from './queries.ts'

const CODE = 'code:'

const parseName = (ref: string): CouponName =>
  ref.startsWith(CODE) ? { code: foldCode(ref.slice(CODE.length)) } : { id: ref }

const foundOrRefused = (row: CouponRow | undefined): CouponRow => {
  if (row === undefined) throw new Refusal(notFound, 'There is no such coupon.')
  return row
}

/** The coupon that a path names by its id or a code; refuses when there is none. */
export const getNamedCoupon = async ({ db, school }: SchoolContext, ref: string): Promise<CouponRow> =>
  foundOrRefused(await findCoupon(db, school.id, parseName(ref)))

/** The same, locked until the transaction ends. */
export const lockNamedCoupon = async ({ db, school }: SchoolContext, ref: string): Promise<CouponRow> =>
  foundOrRefused(await lockCoupon(db, school.id, parseName(ref)))
