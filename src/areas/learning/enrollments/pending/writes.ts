import * as queries from './queries.ts'

/** Hides from those who teach a course who was enrolled in it, behind the address that was typed. */
export const concealEnrollments = queries.concealEnrollments

/** Deletes the addresses that were typed for some members in some courses. */
export const erasePendingEmails = queries.erasePendingEmails

/** Shows those who teach courses who was enrolled in them. */
export const discloseEnrollments = queries.discloseEnrollments
