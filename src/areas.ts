import { access } from '#src/areas/access/index.ts'
import { account } from '#src/areas/account/index.ts'
import { accountOrders } from '#src/areas/account-orders/index.ts'
import { accountSubscriptions } from '#src/areas/account-subscriptions/index.ts'
import { analytics, declaredMetrics } from '#src/areas/analytics/index.ts'
import { appearance } from '#src/areas/appearance/index.ts'
import { assignments } from '#src/areas/assignments/index.ts'
import { attachments } from '#src/areas/attachments/index.ts'
import { attempts } from '#src/areas/attempts/index.ts'
import { categories } from '#src/areas/categories/index.ts'
import { certificateTemplates } from '#src/areas/certificate-templates/index.ts'
import { certificates } from '#src/areas/certificates/index.ts'
import { checkouts } from '#src/areas/checkouts/index.ts'
import { comments } from '#src/areas/comments/index.ts'
import { contents } from '#src/areas/contents/index.ts'
import { couponRedemptions } from '#src/areas/coupon-redemptions/index.ts'
import { coupons } from '#src/areas/coupons/index.ts'
import { courses } from '#src/areas/courses/index.ts'
import { curriculum } from '#src/areas/curriculum/index.ts'
import { customFields } from '#src/areas/custom-fields/index.ts'
import { digitalProducts } from '#src/areas/digital-products/index.ts'
import { downloads } from '#src/areas/downloads/index.ts'
import { drips } from '#src/areas/drips/index.ts'
import { dueWork } from '#src/areas/due-work/index.ts'
import { enrollments } from '#src/areas/enrollments/index.ts'
import { eventCalendars } from '#src/areas/event-calendars/index.ts'
import { eventDates } from '#src/areas/event-dates/index.ts'
import { eventHosting } from '#src/areas/event-hosting/index.ts'
import { eventMailing } from '#src/areas/event-mails/index.ts'
import { eventTickets } from '#src/areas/event-tickets/index.ts'
import { events } from '#src/areas/events/index.ts'
import { formSubmissions } from '#src/areas/form-submissions/index.ts'
import { forms } from '#src/areas/forms/index.ts'
import { groups } from '#src/areas/groups/index.ts'
import { guide } from '#src/areas/guide/index.ts'
import { clientRegistry, integrations } from '#src/areas/integrations/index.ts'
import { invoices } from '#src/areas/invoices/index.ts'
import { lecturers } from '#src/areas/lecturers/index.ts'
import { lessonVersions } from '#src/areas/lesson-versions/index.ts'
import { members } from '#src/areas/members/index.ts'
import { membershipPlans } from '#src/areas/membership-plans/index.ts'
import { orderMails } from '#src/areas/order-mails/index.ts'
import { orders } from '#src/areas/orders/index.ts'
import { declaredMailKinds, outbox } from '#src/areas/outbox/index.ts'
import { outlines } from '#src/areas/outlines/index.ts'
import { pageBundles } from '#src/areas/page-bundles/index.ts'
import { pages } from '#src/areas/pages/index.ts'
import { payments } from '#src/areas/payments/index.ts'
import { postCategories } from '#src/areas/post-categories/index.ts'
import { postMailings } from '#src/areas/post-mailings/index.ts'
import { posts } from '#src/areas/posts/index.ts'
import { prices } from '#src/areas/prices/index.ts'
import { progress } from '#src/areas/progress/index.ts'
import { publication } from '#src/areas/publication/index.ts'
import { quizzes } from '#src/areas/quizzes/index.ts'
import { refunds } from '#src/areas/refunds/index.ts'
import { registrations } from '#src/areas/registrations/index.ts'
import { renewals } from '#src/areas/renewals/index.ts'
import { reviews } from '#src/areas/reviews/index.ts'
import { school } from '#src/areas/school/index.ts'
import { selling } from '#src/areas/selling/index.ts'
import { storage } from '#src/areas/storage/index.ts'
import { students } from '#src/areas/students/index.ts'
import { submissions } from '#src/areas/submissions/index.ts'
import { subscriptionChanges } from '#src/areas/subscription-changes/index.ts'
import { subscriptionMails } from '#src/areas/subscription-mails/index.ts'
import { subscriptionPauses } from '#src/areas/subscription-pauses/index.ts'
import { subscriptions } from '#src/areas/subscriptions/index.ts'
import { testPayments } from '#src/areas/test-payments/index.ts'
import { warnings } from '#src/areas/warnings/index.ts'
import type { Area } from '#src/contract/area.ts'
import { implement, registerHooks } from '#src/contract/hook.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { identityMails } from '#src/identity/index.ts'
import { clientRegistryOfOAuth, oauthMails } from '#src/oauth/index.ts'

/** The areas in their order; each may import the ones before it. */
export const areas: readonly Area[] = [
  school,
  selling,
  customFields,
  members,
  storage,
  appearance,
  lecturers,
  certificateTemplates,
  categories,
  prices,
  courses,
  publication,
  reviews,
  contents,
  curriculum,
  drips,
  lessonVersions,
  outlines,
  attachments,
  quizzes,
  assignments,
  warnings,
  access,
  groups,
  enrollments,
  students,
  progress,
  attempts,
  submissions,
  dueWork,
  certificates,
  coupons,
  couponRedemptions,
  digitalProducts,
  downloads,
  membershipPlans,
  forms,
  formSubmissions,
  payments,
  testPayments,
  invoices,
  orders,
  accountOrders,
  checkouts,
  refunds,
  subscriptions,
  subscriptionPauses,
  accountSubscriptions,
  renewals,
  subscriptionChanges,
  orderMails,
  subscriptionMails,
  comments,
  pages,
  pageBundles,
  postCategories,
  posts,
  postMailings,
  events,
  eventDates,
  eventTickets,
  registrations,
  eventHosting,
  eventCalendars,
  eventMailing,
  integrations,
  outbox,
  guide,
  analytics,
  account,
]

for (const { name, hooks = [] } of areas) registerHooks(name, hooks)

/** The kinds of mail of identity, the authorization server and areas. */
export const mailKindsOf = (all: readonly Area[]): readonly MailKind[] => [
  ...Object.values(identityMails),
  ...Object.values(oauthMails),
  ...all.flatMap(({ mails = [] }) => mails),
]

// What the areas know of mails, metrics and clients, which are above or beside them.
registerHooks('application', [
  implement(declaredMailKinds, async () => mailKindsOf(areas)),
  implement(declaredMetrics, async () => areas.flatMap(({ metrics = [] }) => metrics)),
  implement(clientRegistry, async () => clientRegistryOfOAuth),
])
