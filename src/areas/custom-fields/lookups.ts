// What later areas read of custom fields.
export { listFields } from './queries.ts'
