import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { CourseRow } from '../course/queries.ts'
import { countPrices, currencyOf, insertPrice, type PriceRow, storePrimary } from './queries.ts'
import { faultsOfPrice, MAX_PRICES, priceValues, tooManyPrices } from './rules.ts'
import type { PriceInput } from './schema.ts'

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
