import { area } from '#src/contract/area.ts'
import { outboxMails } from './mails.ts'
import { operations } from './operations.ts'

export { declaredMailKinds } from './hooks.ts'
export { mailStates, OutboxMailText, OutboxPage } from './schema.ts'

/** The mails of a school: what waits, what was written to files where no mail server is set, and what could not be delivered. */
export const outbox = area({ name: 'outbox', operations, mails: Object.values(outboxMails) })
