import { area } from '#src/contract/area.ts'
import { accessHooks } from './actions.ts'
import { courseHooks } from './courses.actions.ts'

export {
  accessesOf,
  accessOf,
  changeEnds,
  type Explained,
  entitleAll,
  liftMemberHold,
  nameOfPair,
  placeMemberHold,
  revoke,
} from './actions.ts'
export { accessView, hiddenAccess, holdView } from './explanation/actions.ts'
export { explain, languageFor } from './explanation/explain.ts'
export { isActiveEntitlement } from './explanation/rules.ts'
export { AccessQuery, Explanation, HoldView, OwnAccessQuery, StudentRef } from './explanation/schema.ts'
export { revokedNothing, revokedSome } from './explanation/text.ts'
export { type HoldRow, listActiveHolds } from './holds.queries.ts'
export { findEntitlement, type Touched } from './ledger.queries.ts'
export {
  accessIs,
  accessState,
  clockNow,
  countEntitled,
  type EntitlementRow,
  type Item,
  listEntitled,
  mayUse,
  type Source,
} from './queries.ts'
export { accessChanged } from './questions.ts'
export { type Access, firstStart } from './rules.ts'
export {
  AccessView,
  accessStates,
  givenSources,
  Note,
  Notify,
  ownAccessStates,
  StudentContact,
  sources,
} from './shapes.schema.ts'

/** Who may use what: entitlements, holds, and why access is as it is. */
export const access = area({ name: 'access', operations: [], hooks: [...accessHooks, ...courseHooks] })
