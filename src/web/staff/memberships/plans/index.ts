import type { StaffSection } from '../../section.ts'
import { planEdit } from './edit.ts'
import { planHolders } from './holders.ts'
import { planItem } from './item.ts'
import { planItemAddition } from './item-addition.ts'
import { planList } from './list.ts'
import { planPriceMove } from './move.ts'
import { planDetails } from './plan.ts'

/** The pages of membership plans. */
export const plans: readonly StaffSection[] = [
  planList,
  planEdit,
  planDetails,
  planItem,
  planItemAddition,
  planPriceMove,
  planHolders,
]
