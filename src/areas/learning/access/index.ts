import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'

export {
  type BundleItemRow,
  closeBundleItems,
  countBundleItems,
  countHolders,
  listBundleItems,
  listItemHolders,
  listOpenedBy,
} from './bundles/queries.ts'
export { unknownItem } from './bundles/rules.ts'
export { closeInBundle, openInBundle } from './bundles/writes.ts'
export {
  accessIs,
  accessState,
  candidatesFor,
  entitledTo,
  membersReached,
  membersWithAccess,
} from './entitlements/conditions.ts'
export { findFirstStart, findZone } from './entitlements/purchased.queries.ts'
export { endOfAccess } from './entitlements/purchased.rules.ts'
export { entitlementOfLine, revokeLine } from './entitlements/purchased.writes.ts'
export type { Touched } from './entitlements/queries.ts'
export { changeEnds, entitleAll, revoke, revokeSourceAccess, undoEntitlements } from './entitlements/writes.ts'
export { explain, languageFor } from './explanation/lookups.ts'
export { AccessQuery, Explanation, HoldView, OwnAccessQuery, StudentRef } from './explanation/schema.ts'
export { revokedNothing, revokedSome } from './explanation/text.ts'
export { accessView, hiddenAccess, holdView } from './explanation/views.ts'
export { liftMemberHold, liftSource, placeMemberHold } from './holds/writes.ts'
export { accessChanged, bundleNames } from './hooks.ts'
export {
  clockNow,
  countEntitled,
  type Explained,
  findEntitlement,
  isEndedBySchool,
  isEntitledTo,
  listActiveHolds,
  nameOfPair,
  readAccess,
  readAccesses,
} from './lookups.ts'
export {
  type Access,
  type Bundle,
  type EntitlementRow,
  firstStart,
  type HoldRow,
  type Item,
  isBundle,
  type NamedItem,
  type Source,
} from './rules.ts'
export {
  AccessView,
  accessStates,
  Note,
  Notify,
  ownAccessStates,
  StudentContact,
  sources,
  staffSources,
} from './schema.ts'

/** Who may use what: entitlements, bundles of items, holds, and why access is as it is. */
export const access = area({ name: 'access', operations: [], hooks: implementations })
