export {
  type ConnectedApp,
  countConnectedApps,
  endApp,
  endApprovalsUnderWay,
  endGrantsOf,
  listApps,
} from './queries.ts'
export { endEveryApp, withdrawApp } from './withdraw.ts'
