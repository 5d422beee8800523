export {
  accessOf,
  answerMembers,
  changeEnd,
  type Explained,
  entitle,
  entitleAll,
  keepOut,
  letIn,
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
export { type Access, accessAt, firstStart } from './rules.ts'
