export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endMemberGrants,
  findAppName,
  listApps,
} from './queries.ts'
export { endEveryApp, withdrawApp } from './withdraw.ts'
