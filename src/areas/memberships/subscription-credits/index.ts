import { area } from '#src/contract/area.ts'

import { implementations } from './implementations.ts'

export { isCredited, readCredit } from './ledger/queries.ts'
export { CreditEntries } from './ledger/schema.ts'
export { creditEntries } from './ledger/views.ts'
export {
  creditUnused,
  holdAgain,
  holdCredit,
  isCreditReady,
  returnHeld,
  returnUsed,
  useCredit,
} from './ledger/writes.ts'

export { findWaitingCredits } from './paying-back/lookups.ts'
export { listWaitingCredits } from './paying-back/queries.ts'
export { takeRefunded } from './paying-back/refunds.writes.ts'
export { chooseCreditEnd, creditEnds, dropCredit, endCredit, payBack } from './paying-back/writes.ts'

/** The credit of subscriptions: a ledger of what was given, held, used and given back. */
export const subscriptionCredits = area({
  name: 'subscription-credits',
  operations: [],
  hooks: implementations,
})
