import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { BillingValues } from '../order/schema.ts'

/** Stores to whom a locked order is billed. */
export const storeBilling = (
  db: Db,
  schoolId: string,
  id: string,
  { billing, taxCountry }: { readonly billing: BillingValues; readonly taxCountry: string | null },
): Promise<number> =>
  db.run(sql`
    update orders set billing = ${JSON.stringify(billing)}::jsonb, tax_country = ${taxCountry}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
