export { type ConnectedApp, endApp, endGrantsOf, listApps } from './queries.ts'
