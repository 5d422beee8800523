import { addPrice as addItemPrice, type PriceRow } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { PriceInput } from '#src/contract/price.ts'
import type { CourseRow } from '../course/queries.ts'
import { coursePrices } from './conditions.ts'

/** Creates a price of a locked course; the first one becomes primary. Refuses more than the maximum number. */
export const addPrice = (
  where: { readonly db: Db; readonly schoolId: string; readonly now: Date },
  course: Pick<CourseRow, 'id' | 'primary_price_id'>,
  input: PriceInput,
): Promise<PriceRow> => addItemPrice(where, coursePrices, course, input)
