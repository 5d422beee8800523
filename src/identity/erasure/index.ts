export { onMemberErased } from './files.ts'
export { eraseIdentity } from './queries.ts'
