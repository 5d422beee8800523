import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { attachmentOperations } from './operations.ts'

export { AttachmentPage } from './schema.ts'

/** Files that learners download beside a lesson. */
export const attachments = area({ name: 'attachments', operations: attachmentOperations, hooks: implementations })
