import type { StaffSection } from '../../section.ts'
import { planEdit } from './edit.ts'
import { planHolders } from './holders.ts'
import { planItems } from './items.ts'
import { planList } from './list.ts'
import { planPriceMove } from './move.ts'
import { planDetail } from './plan.ts'

/** The pages of membership plans. */
export const plans: readonly StaffSection[] = [
  {
    pages: [...planList, ...planEdit, ...planDetail, ...planItems, ...planPriceMove, ...planHolders],
  },
]
