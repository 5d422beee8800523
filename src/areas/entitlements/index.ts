export {
  accessOf,
  answerMembers,
  changeEnd,
  couldEverUse,
  countSeats,
  type Explained,
  entitle,
  entitleAll,
  keepOut,
  letIn,
  mayUseNow,
  personalAccess,
  withdraw,
  withdrawSource,
} from './actions.ts'
export {
  type EntitlementRow,
  type HoldRow,
  type Item,
  isAnybodyEntitled,
  mayUse,
  type Named,
  type Source,
  type Touched,
} from './queries.ts'
export { accessChanged } from './questions.ts'
export { type Access, accessAt } from './rules.ts'
