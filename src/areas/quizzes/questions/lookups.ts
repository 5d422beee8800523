export { findAsked, findKeyed, findKeys, listAsked, listVersionsAsked, type VersionRef } from './queries.ts'
