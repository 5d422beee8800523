import type { Endpoint } from '#src/contract/endpoint.ts'
import { accountPages } from './account.ts'
import { appActsPages } from './app-acts.ts'
import { appsPages } from './apps.ts'
import { calendarPages } from './calendar.ts'
import { certificatesPages } from './certificates.ts'
import { commentPages } from './comments/index.ts'
import { confirmPages } from './confirm.ts'
import { confirmationPages } from './confirmations.ts'
import { coursesPages } from './courses.ts'
import { dataPages } from './data.ts'
import { deletionPages } from './deletion.ts'
import { downloadsPages } from './downloads.ts'
import { emailPages } from './email.ts'
import { emailsPages } from './emails.ts'
import { enrollPages } from './enroll.ts'
import { eventTicketPages } from './event-tickets.ts'
import { languagePages } from './language.ts'
import { ordersPages } from './orders/index.ts'
import type { AccountPagesParts } from './parts.ts'
import { passwordPages } from './password.ts'
import { paymentMethodsPages } from './payment-methods.ts'
import { profilePages } from './profile.ts'
import { registrationsPages } from './registrations/index.ts'
import { resetPages } from './reset.ts'
import { reviewsPages } from './reviews.ts'
import { sessionsPages } from './sessions.ts'
import { signInPages } from './sign-in.ts'
import { signInCodePages } from './sign-in-code.ts'
import { signOutPages } from './sign-out.ts'
import { signUpPages } from './sign-up.ts'
import { standingPages } from './standing.ts'
import { subscriptionsPages } from './subscriptions/index.ts'
import { unsubscribePages } from './unsubscribe.ts'

export { buildNotice } from './complaint.ts'
export { countryChoices } from './countries.ts'
export { backLink } from './links.ts'
export {
  beginOpenPayment,
  buildTable,
  describeMethod,
  findFreeKind,
  type LineFacts,
  type Method,
  methodsFor,
  type OwnOrder,
  openPayment,
  orderPage,
  orderTable,
} from './orders/index.ts'
export type { AccountPagesParts } from './parts.ts'
export { describeSaved } from './payment-methods.ts'
export { agreementText, type RecurringPrice, termsText } from './recurring.ts'
export { AGAIN, askAgain } from './registrations/index.ts'
export { reviewForm } from './reviews.ts'
export { creditList, type OwnSubscription, prorationTable } from './subscriptions/index.ts'

const pages = [
  ...signInPages,
  ...signInCodePages,
  ...signUpPages,
  ...signOutPages,
  ...confirmPages,
  ...standingPages,
  ...resetPages,
  ...eventTicketPages,
  ...unsubscribePages,
  ...accountPages,
  ...coursesPages,
  ...enrollPages,
  ...downloadsPages,
  ...certificatesPages,
  ...reviewsPages,
  ...commentPages,
  ...registrationsPages,
  ...calendarPages,
  ...ordersPages,
  ...subscriptionsPages,
  ...paymentMethodsPages,
  ...confirmationPages,
  ...appsPages,
  ...appActsPages,
  ...sessionsPages,
  ...profilePages,
  ...languagePages,
  ...emailPages,
  ...emailsPages,
  ...passwordPages,
  ...dataPages,
  ...deletionPages,
]

/** The account pages, for people who are signed in outside of an authorization, and those that lead to them. */
export const createAccountPages = (parts: AccountPagesParts): Endpoint[] => pages.map(declared => declared(parts))
