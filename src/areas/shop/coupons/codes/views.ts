import type { Static } from 'typebox'
import type { CodeRow } from './queries.ts'
import type { CouponCode } from './schema.ts'

/** A code as the staff see it. */
export const codeView = (row: CodeRow): Static<typeof CouponCode> => ({
  id: row.id,
  code: row.code,
  status: row.stopped_at === null ? 'active' : 'stopped',
  times_redeemed: row.times_redeemed,
  stopped_at: row.stopped_at,
  created_at: row.created_at,
})
