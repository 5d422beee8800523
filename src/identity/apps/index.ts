export { type ConnectedApp, countConnectedApps, endApp, endGrantsOf, listApps } from './queries.ts'
export { endEveryApp, withdrawApp } from './withdraw.ts'
