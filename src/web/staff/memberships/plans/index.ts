import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { planEdit } from './edit.ts'
import { planHolders } from './holders.ts'
import { planItems } from './items.ts'
import { planList } from './list.ts'
import { planPriceMove } from './move.ts'
import { planDetail } from './plan.ts'

const { title: name, about } = texts.staff.plans.common

/** The pages of membership plans. */
export const plans: readonly StaffSection[] = [
  {
    entries: [{ path: '/staff/plans', name, about }],
    pages: [...planList, ...planEdit, ...planDetail, ...planItems, ...planPriceMove, ...planHolders],
  },
]
