export {
  type ConnectedApp,
  countConnectedApps,
  endApprovalsUnderWay,
  endMemberGrants,
  findAppName,
  listApps,
  listStaffAppAccess,
} from './queries.ts'
export { endEveryApp, withdrawApp } from './withdraw.ts'
