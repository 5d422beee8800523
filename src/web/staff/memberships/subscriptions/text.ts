// One thing: the texts of the pages of subscriptions for staff.
import { texts } from '#src/texts/index.ts'

/** The texts that several staff pages of subscriptions have, in every language; `{…}` is filled in. */
export const subscriptionsText = texts.staff.subscriptions.common

/** The texts of the page of a subscription for staff. */
export const oneText = texts.staff.subscriptions.one
