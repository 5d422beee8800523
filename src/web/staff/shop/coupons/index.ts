import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { couponDetail } from './detail.ts'
import { couponEdit } from './edit.ts'
import { couponList } from './list.ts'
import { couponPreview } from './preview.ts'

const { title: name, about } = texts.staff.coupons.common

/** The pages of coupons. */
export const coupons: StaffSection = {
  entries: [{ path: '/staff/coupons', name, about }],
  pages: [...couponList, ...couponPreview, ...couponEdit, ...couponDetail],
}
