// What later areas write of members.

export { insertMany } from '../batches/queries.ts'
export { insertNote } from '../notes/queries.ts'
export { insertTags } from '../tags/queries.ts'
export { insertInvited } from './queries.ts'
