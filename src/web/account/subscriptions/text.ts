import { texts } from '#src/texts/index.ts'

/** The texts of the pages of subscriptions, in every language; `{…}` is filled in. */
export const subscriptionText = texts.account.subscriptions.subscription
