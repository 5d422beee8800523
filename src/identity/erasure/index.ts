export { onMemberErased } from './files.ts'
export { endInvitations, eraseIdentity, eraseInvitations } from './queries.ts'
