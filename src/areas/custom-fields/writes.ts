// What later areas write of custom fields.
export { insertField } from './queries.ts'
