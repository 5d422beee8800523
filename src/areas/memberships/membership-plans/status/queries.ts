import { sql } from '#src/db/sql.ts'
import { statusOf } from '#src/db/status.ts'

/** The status of plans. */
export const planStatus = statusOf({
  table: sql`membership_plans`,
  fact: 'plan',
  prefix: 'mpl',
  id: 'MembershipPlan',
  shown: 'active',
  isArchivable: true,
})
