import { sql } from '#src/db/sql.ts'
import { defineStatus } from '#src/db/status.ts'

/** The status of products; one whose publication is planned stays a draft. */
export const productStatus = defineStatus({
  table: sql`digital_products`,
  fact: 'digital_product',
  prefix: 'dpr',
  id: 'DigitalProduct',
  planned: { job: 'product_publication', status: 'draft' },
  isArchivable: true,
  sets: sql`archived_at = case when next.status = 'archived' then clock.now end`,
})
