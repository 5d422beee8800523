import { sql } from '#src/db/sql.ts'
import { defineStatus } from '#src/db/status.ts'

/** The status of plans. */
export const planStatus = defineStatus({
  table: sql`membership_plans`,
  fact: 'plan',
  prefix: 'mpl',
  id: 'MembershipPlan',
  shown: 'active',
  isArchivable: true,
})
