import type { Endpoint } from '#src/contract/endpoint.ts'
import { addMember } from './add.ts'
import { appearance } from './appearance.ts'
import { bundles } from './bundles/index.ts'
import { confirmations } from './confirmations.ts'
import { coupons } from './coupons/index.ts'
import { courses } from './courses/index.ts'
import { homeEndpoint } from './home.ts'
import { orders } from './orders/index.ts'
import { contentPages } from './pages-editor/index.ts'
import type { StaffPagesParts } from './parts.ts'
import { payments } from './payments.ts'
import { people } from './people.ts'
import { person } from './person.ts'
import type { StaffSection } from './section.ts'

export { lecturerOf } from './page-request.ts'

// Whatever is added here is also on the home page of the staff.
const sections: readonly StaffSection[] = [
  ...[people, addMember, person, confirmations],
  ...courses,
  ...orders,
  ...coupons,
  payments,
  appearance,
  ...contentPages,
  bundles,
]

/** The pages on which owners and admins manage the school. */
export const createStaffPages = (parts: StaffPagesParts): Endpoint[] => [
  homeEndpoint(
    parts,
    sections.flatMap(({ entries }) => entries),
  ),
  ...sections.flatMap(({ endpoints }) => endpoints(parts)),
]
