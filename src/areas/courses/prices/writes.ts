import type { Db } from '#src/contract/db.ts'
import { errorsOfPrice, type PriceInput, priceValues } from '#src/contract/price.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { CourseRow } from '../course/queries.ts'
import { countPrices, insertPrice, type PriceRow, shareCurrency, storePrimary } from './queries.ts'
import { MAX_PRICES, tooManyPrices } from './rules.ts'

type Where = { readonly db: Db; readonly schoolId: string; readonly now: Date }

/** Creates a price of a locked course; the first one becomes primary. Refuses more than the maximum number. */
export const addPrice = async (
  { db, schoolId, now }: Where,
  course: Pick<CourseRow, 'id' | 'primary_price_id'>,
  input: PriceInput,
): Promise<PriceRow> => {
  const currency = await shareCurrency(db, schoolId)
  refuseInvalid(errorsOfPrice(input, currency, now))
  if ((await countPrices(db, schoolId, { courseId: course.id, status: 'active' })) >= MAX_PRICES)
    throw new Refusal(tooManyPrices, `A course can have at most ${MAX_PRICES} active prices.`)
  const ids = { id: newUuid(now.getTime()), courseId: course.id }
  const row = await insertPrice(db, schoolId, ids, priceValues(input, currency))
  await storePrimary(db, schoolId, course.id, course.primary_price_id ?? row.id)
  return row
}
