import type { SchoolContext } from '#src/contract/context.ts'
import { lockSchool, storeTest } from '#src/db/schools.ts'
import { hasPaidOrders } from '../hooks.ts'
import { readClearing } from './queries.ts'

/**
 * Makes a school a test school, in which no real money moves, or a real one. False for a school with paid orders, or whose test
 * sales are being deleted: it stays what it is.
 */
export const changeTestMode = async ({ db, school }: SchoolContext, isTest: boolean): Promise<boolean> => {
  if (school.isTest === isTest) return true
  // An order that is paid meanwhile refers to the school, and waits.
  await lockSchool(db, school.id)
  if ((await readClearing(db, school.id)).is_clearing) return false
  if ((await hasPaidOrders.call(undefined, { db, school })).includes(true)) return false
  await storeTest(db, school.id, isTest)
  return true
}
