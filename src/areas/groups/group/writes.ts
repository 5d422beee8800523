// What later areas write of groups.
export { insertGroup } from './queries.ts'
