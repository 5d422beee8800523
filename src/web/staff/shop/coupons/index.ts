import type { StaffSection } from '../../section.ts'
import { couponDetail } from './detail.ts'
import { couponEdit } from './edit.ts'
import { couponList } from './list.ts'
import { couponPreview } from './preview.ts'

/** The pages of coupons. */
export const coupons: StaffSection = {
  pages: [...couponList, ...couponPreview, ...couponEdit, ...couponDetail],
}
