import { texts } from '#src/texts/index.ts'

/** The texts about tickets on the pages of events, in every language; `{…}` is filled in. */
export const ticketText = texts.staff.events.ticket
