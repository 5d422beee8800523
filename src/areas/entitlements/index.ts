export { accessOf, answerMembers, entitle, keepOut, letIn, withdraw, withdrawSource } from './actions.ts'
export {
  type EntitlementRow,
  type HoldRow,
  type Item,
  isAnybodyEntitled,
  mayUse,
  type Named,
  type Source,
} from './queries.ts'
export { type Access, accessAt } from './rules.ts'
