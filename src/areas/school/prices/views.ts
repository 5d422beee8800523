import type { Static } from 'typebox'
import type { Price } from '#src/contract/price.ts'
import type { PriceRow } from './queries.ts'

/** The view of a price, the same for everybody who sees its item; `left` is the number of seats, null without a cap. */
export const priceView = (
  row: PriceRow,
  { primary_price_id: primary }: { readonly primary_price_id: string | null },
  left: number | null,
): Static<typeof Price> => ({
  id: row.id,
  payment_type: row.payment_type,
  amount: row.amount,
  currency: row.currency,
  interval: row.interval,
  interval_count: row.interval_count,
  number_of_payments: row.number_of_payments,
  trial_days: row.trial_days,
  access:
    row.access_days === null && row.access_until === null ? null : { days: row.access_days, until: row.access_until },
  enrollment_cap: row.enrollment_cap,
  seats_left: left,
  sold_out: left === 0,
  status: row.status,
  is_primary: row.id === primary,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
