import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The entitlements that a subscription gives and that were not revoked. */
export const listSubscriptionEntitlements = async (
  db: Db,
  schoolId: string,
  subscriptionId: string,
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from entitlements
      where school_id = ${schoolId} and source = 'subscription' and source_id = ${subscriptionId} and revoked_at is null`)
  ).map(({ id }) => id)
