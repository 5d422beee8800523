import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import type { CourseRow } from '../course/queries.ts'
import { countPrices, currencyOf, insertPrice, type PriceRow, storePrimary } from './queries.ts'
import { faultsOfPrice, MAX_PRICES, priceValues, tooManyPrices } from './rules.ts'
import type { Price, PriceInput } from './schema.ts'
import { seatsLeft, type Taken } from './seats.ts'

/** A price as everybody sees it who sees its course. */
export const priceView = (
  row: PriceRow,
  { primary_price_id: primary }: Pick<CourseRow, 'primary_price_id'>,
  taken: Taken,
): Static<typeof Price> => ({
  id: toId('prc', row.id),
  payment_type: row.payment_type,
  amount: row.amount,
  currency: row.currency,
  interval: row.interval,
  interval_count: row.interval_count,
  number_of_payments: row.number_of_payments,
  trial_days: row.trial_days,
  access:
    row.access_days === null && row.access_until === null
      ? null
      : { days: row.access_days, until: row.access_until === null ? null : row.access_until.toISOString() },
  enrollment_cap: row.enrollment_cap,
  seats_left: seatsLeft(row, taken),
  sold_out: seatsLeft(row, taken) === 0,
  status: row.status,
  is_primary: row.id === primary,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type Where = { readonly db: Db; readonly schoolId: string; readonly now: Date }

/** Makes a price of a course that is held; the first one a course has is shown first. Refuses one too many. */
export const addPrice = async (
  { db, schoolId, now }: Where,
  course: Pick<CourseRow, 'id' | 'primary_price_id'>,
  said: PriceInput,
): Promise<PriceRow> => {
  const currency = await currencyOf(db, schoolId)
  refuseInvalid(faultsOfPrice(said, currency, now))
  if ((await countPrices(db, schoolId, { courseId: course.id, status: 'active' })) >= MAX_PRICES)
    throw new Refusal(tooManyPrices, `A course offers at most ${MAX_PRICES} prices.`)
  const ids = { id: newUuid(now.getTime()), courseId: course.id }
  const row = await insertPrice(db, schoolId, ids, priceValues(said, currency))
  await storePrimary(db, schoolId, course.id, course.primary_price_id ?? row.id)
  return row
}
