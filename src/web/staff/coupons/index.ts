import type { StaffSection } from '../section.ts'
import { couponDetails } from './coupon.ts'
import { couponEdit } from './edit.ts'
import { couponList } from './list.ts'
import { couponPreview } from './preview.ts'

/** The pages of coupons. */
export const coupons: readonly StaffSection[] = [couponList, couponPreview, couponEdit, couponDetails]
