import type { Endpoint } from '#src/contract/endpoint.ts'
import { accountEndpoints } from './account.ts'
import { appsEndpoints } from './apps.ts'
import { billingEndpoints } from './billing.ts'
import { calendarEndpoints } from './calendar.ts'
import { commentEndpoints } from './comments/index.ts'
import { confirmationEndpoints } from './confirmations.ts'
import { coursesEndpoints } from './courses.ts'
import { deletionEndpoints } from './deletion.ts'
import { downloadsEndpoints } from './downloads.ts'
import { emailEndpoints } from './email.ts'
import { emailsEndpoints } from './emails.ts'
import { enrollEndpoints } from './enroll.ts'
import { eventTicketEndpoints } from './event-tickets.ts'
import { ordersEndpoints } from './orders.ts'
import type { AccountPagesParts } from './parts.ts'
import { passwordEndpoints } from './password.ts'
import { payEndpoints } from './pay.ts'
import { profileEndpoints } from './profile.ts'
import { oneRegistrationEndpoints } from './registration.ts'
import { registrationEndpoints } from './registrations.ts'
import { resetEndpoints } from './reset.ts'
import { sessionsEndpoints } from './sessions.ts'
import { signInEndpoints } from './sign-in.ts'
import { signOutEndpoints } from './sign-out.ts'
import { signUpEndpoints } from './sign-up.ts'
import { subscriptionEndpoints } from './subscriptions/index.ts'
import { unsubscribeEndpoints } from './unsubscribe.ts'

export { browserBindingOf, withBrowserBinding } from './browser-binding.ts'

export { backLink, waitingList } from './pages/account.ts'
export { type Complaint, noticeOf } from './pages/change.ts'

export { freeKindOf } from './pages/order-status.ts'
export { tableOf } from './pages/order-sums.ts'
export { orderTable } from './pages/order-table.ts'
export { agreementText, type RecurringPrice, termsText } from './pages/recurring.ts'
export { creditList, type OwnSubscription, prorationTable } from './subscriptions/index.ts'

/** The account pages, for people who are signed in outside of an authorization. */
export const createAccountPages = (parts: AccountPagesParts): Endpoint[] => [
  ...signInEndpoints(parts),
  ...signUpEndpoints(parts),
  ...signOutEndpoints(parts),
  ...resetEndpoints(parts),
  ...accountEndpoints(parts),
  ...coursesEndpoints(parts),
  ...enrollEndpoints(parts),
  ...downloadsEndpoints(parts),
  ...commentEndpoints(parts),
  ...eventTicketEndpoints(parts),
  ...registrationEndpoints(parts),
  ...oneRegistrationEndpoints(parts),
  ...calendarEndpoints(parts),
  ...ordersEndpoints(parts),
  ...payEndpoints(parts),
  ...billingEndpoints(parts),
  ...subscriptionEndpoints(parts),
  ...confirmationEndpoints(parts),
  ...appsEndpoints(parts),
  ...sessionsEndpoints(parts),
  ...profileEndpoints(parts),
  ...emailEndpoints(parts),
  ...emailsEndpoints(parts),
  ...passwordEndpoints(parts),
  ...deletionEndpoints(parts),
  ...unsubscribeEndpoints(parts),
]
