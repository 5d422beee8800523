import { texts } from '#src/texts/index.ts'

/** The texts of the outbox, in every language. */
export const outboxText = texts.staff.outbox.common
