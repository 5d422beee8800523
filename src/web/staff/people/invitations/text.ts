import { texts } from '#src/texts/index.ts'

/** The texts of the page of invitations, in every language. */
export const invitationsText = texts.staff.invitations.common
