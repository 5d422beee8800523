import type { Endpoint } from '#src/contract/endpoint.ts'
import { withModules } from '#src/web/page/index.ts'
import { analytics } from './analytics/index.ts'
import { categories } from './courses/categories/index.ts'
import { certificates } from './courses/certificates/index.ts'
import { courses } from './courses/courses/index.ts'
import { lecturers } from './courses/lecturers/index.ts'
import { reviews } from './courses/reviews/index.ts'
import { csvDownloads } from './csv.ts'
import { events } from './events/events/index.ts'
import { registrations } from './events/registrations/index.ts'
import { appearance } from './files/appearance/index.ts'
import { library } from './files/library/index.ts'
import { transfers } from './files/uploads/index.ts'
import { homePages } from './home/index.ts'
import { grading } from './learning/grading/index.ts'
import { groups } from './learning/groups/index.ts'
import { students } from './learning/students/index.ts'
import { plans } from './memberships/plans/index.ts'
import { subscriptions } from './memberships/subscriptions/index.ts'
import { imports } from './moving/imports/index.ts'
import type { StaffPagesParts } from './parts.ts'
import { confirmations } from './people/confirmations/index.ts'
import { customFields } from './people/fields/index.ts'
import { invitations } from './people/invitations/index.ts'
import { addMember } from './people/members/add.ts'
import { people } from './people/members/list.ts'
import { person } from './people/person/index.ts'
import { segments } from './people/segments/index.ts'
import { viewing } from './people/viewing/index.ts'
import { bundles } from './publishing/bundles/index.ts'
import { comments } from './publishing/comments/index.ts'
import { schoolForms } from './publishing/forms/index.ts'
import { contentPages } from './publishing/pages/index.ts'
import { posts } from './publishing/posts/index.ts'
import { bin } from './school/bin/index.ts'
import { history } from './school/history/index.ts'
import { integrations } from './school/integrations/index.ts'
import { outbox } from './school/outbox/index.ts'
import { settings } from './school/settings/index.ts'
import { standing } from './school/standing/index.ts'
import { terms } from './school/terms/index.ts'
import { webhooks } from './school/webhooks/index.ts'
import { search } from './search/index.ts'
import type { StaffSection } from './section.ts'
import { coupons } from './shop/coupons/index.ts'
import { invoices } from './shop/invoices/index.ts'
import { orders } from './shop/orders/index.ts'
import { payments } from './shop/payments/index.ts'
import { products } from './shop/products/index.ts'
import { teachingHome } from './teaching/index.ts'
import { textPages } from './texts/index.ts'

export { requireStaff } from './page-request.ts'
export type { StaffPagesParts } from './parts.ts'

const sections: readonly StaffSection[] = [
  ...[csvDownloads, search, people, addMember, person, viewing, segments, invitations, confirmations, customFields],
  teachingHome,
  courses,
  grading,
  students,
  reviews,
  registrations,
  comments,
  lecturers,
  certificates,
  categories,
  groups,
  ...events,
  ...products,
  ...plans,
  ...orders,
  invoices,
  ...subscriptions,
  coupons,
  payments,
  ...[appearance, library, transfers],
  ...contentPages,
  ...posts,
  ...schoolForms,
  analytics,
  imports,
  ...[standing, terms, settings, integrations, webhooks, outbox, history, bin],
  bundles,
  textPages,
]

/** The pages on which the staff manage the school. */
export const createStaffPages = (parts: StaffPagesParts): Endpoint[] =>
  [...homePages, ...sections.flatMap(section => section.pages)].map(page => withModules(page(parts), parts))
