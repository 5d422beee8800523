export { onMailsDeleted } from './files.ts'
export { eraseIdentity } from './queries.ts'
