import type { StaffSection } from '../../section.ts'
import { deploymentDetails } from './details.ts'
import { deploymentList } from './list.ts'

/** GET and POST /staff/pages/:id/bundles, and the page of each deployment. */
export const bundles: StaffSection = {
  // The page of a static page leads to them.
  pages: [...deploymentList, deploymentDetails],
}
