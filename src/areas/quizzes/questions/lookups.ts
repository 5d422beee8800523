export { findAsked, findKeys, listAsked, listVersionsAsked, type VersionRef } from './queries.ts'
