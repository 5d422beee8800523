export { onMemberErased } from './files.ts'
export { forgetIdentity } from './queries.ts'
