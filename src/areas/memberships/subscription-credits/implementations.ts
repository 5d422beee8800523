import { lockedMoney, refundDecided } from '#src/areas/shop/index.ts'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { personalCredits } from './ledger/views.ts'
import { lockCredited, takeRefunded } from './paying-back/refunds.writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lockedMoney, ({ order, lines }, context) => lockCredited(context, order, lines)),
  implement(refundDecided, ({ order, parts, now }, context) => takeRefunded({ ...context, now }, order, parts)),
  implement(personalData, async ({ memberId }, context) => [await personalCredits(context, memberId)]),
]
