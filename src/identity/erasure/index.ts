export { onMailsDeleted } from './files.ts'
export { endInvitations, eraseIdentity, eraseInvitations } from './queries.ts'
