export {
  accessesOf,
  accessOf,
  answerEarlier,
  changeEnds,
  type Explained,
  entitle,
  entitleAll,
  liftMemberHold,
  nameOfPair,
  placeMemberHold,
  revoke,
  revokeSourceAccess,
} from './actions.ts'
export { answerCourses } from './courses.actions.ts'
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
  type Named,
  type Pair,
  type Source,
} from './queries.ts'
export { accessChanged } from './questions.ts'
export { type Access, accessAt, firstStart, prefixOf } from './rules.ts'
