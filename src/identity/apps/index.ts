export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endGrantsOf,
  listApps,
} from './queries.ts'
export { endEveryApp, withdrawApp } from './withdraw.ts'
