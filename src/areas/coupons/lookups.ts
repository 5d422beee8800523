import type { HookPlace } from '#src/contract/hook.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { readSchool } from './coupon/queries.ts'

/** Today in the school's time zone, by the database's clock. */
export const schoolDay = async ({ db, school }: HookPlace): Promise<string> => {
  const { time_zone: zone, now } = await readSchool(db, school.id)
  return dayAt(now, zone)
}
