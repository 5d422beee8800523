export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endGrantsOf,
  findAppName,
  listApps,
} from './queries.ts'
export { endEveryApp, withdrawApp } from './withdraw.ts'
