import type { Endpoint } from '#src/contract/endpoint.ts'
import { addMember } from './add.ts'
import { analytics } from './analytics/index.ts'
import { appearance } from './appearance.ts'
import { bundles } from './bundles/index.ts'
import { categories } from './categories/index.ts'
import { certificates } from './certificates/index.ts'
import { comments } from './comments/index.ts'
import { confirmations } from './confirmations.ts'
import { coupons } from './coupons/index.ts'
import { courses } from './courses/index.ts'
import { csvDownloads } from './csv.ts'
import { events } from './events/index.ts'
import { grading } from './grading/index.ts'
import { groups } from './groups/index.ts'
import { homeEndpoints } from './home/index.ts'
import { integrations } from './integrations/index.ts'
import { invitations } from './invitations/index.ts'
import { lecturers } from './lecturers/index.ts'
import { withConsole } from './navigation.ts'
import { orders } from './orders/index.ts'
import { outbox } from './outbox/index.ts'
import { contentPages } from './pages-editor/index.ts'
import type { StaffPagesParts } from './parts.ts'
import { payments } from './payments.ts'
import { people } from './people.ts'
import { person } from './person.ts'
import { plans } from './plans/index.ts'
import { posts } from './posts/index.ts'
import { products } from './products/index.ts'
import { registrations } from './registrations/index.ts'
import { reviews } from './reviews/index.ts'
import { schoolForms } from './school-forms/index.ts'
import { search } from './search/index.ts'
import type { StaffSection } from './section.ts'
import { settings } from './settings/index.ts'
import { students } from './students/index.ts'
import { subscriptions } from './subscriptions/index.ts'
import { teachingHome } from './teaching/index.ts'

export { staffOf } from './page-request.ts'

// Whatever is added here is in the navigation of the console and on its first page.
const sections: readonly StaffSection[] = [
  ...[csvDownloads, search, people, addMember, person, invitations, confirmations],
  teachingHome,
  ...courses,
  ...grading,
  ...students,
  reviews,
  registrations,
  comments,
  ...lecturers,
  ...certificates,
  ...categories,
  groups,
  ...events,
  ...products,
  ...plans,
  ...orders,
  ...subscriptions,
  coupons,
  payments,
  appearance,
  ...contentPages,
  ...posts,
  ...schoolForms,
  analytics,
  ...[settings, integrations, outbox],
  bundles,
]

/** The pages on which the staff manage the school, each with the navigation to the others. */
export const createStaffPages = (parts: StaffPagesParts): Endpoint[] => {
  const entries = sections.flatMap(section => section.entries)
  const endpoints = [...homeEndpoints(parts, entries), ...sections.flatMap(section => section.endpoints(parts))]
  return endpoints.map(endpoint => withConsole(endpoint, entries))
}
