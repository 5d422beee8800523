// What later areas read of templates.
export { findTemplate } from './queries.ts'
