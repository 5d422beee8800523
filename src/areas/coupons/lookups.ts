import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { readSchool } from './coupon/queries.ts'

/** The day in the school's time zone, as it is now: at an instant, or by the database's clock. */
export const schoolDay = async ({
  db,
  school,
  now,
}: {
  readonly db: Db
  readonly school: Pick<School, 'id'>
  readonly now?: Date
}): Promise<string> => {
  const current = await readSchool(db, school.id)
  return dayAt(now ?? current.now, current.time_zone)
}
