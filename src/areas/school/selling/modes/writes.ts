import type { SchoolContext } from '#src/contract/context.ts'
import { lockSchool, storeTest } from '#src/db/schools.ts'
import { hasPaidOrders } from '../hooks.ts'

/**
 * Makes a school a test school, in which no real money moves, or a real one. False for a school with paid orders, which stays what
 * it is.
 */
export const changeTestMode = async ({ db, school }: SchoolContext, isTest: boolean): Promise<boolean> => {
  if (school.isTest === isTest) return true
  // An order that is paid meanwhile refers to the school, and waits.
  await lockSchool(db, school.id)
  if ((await hasPaidOrders.call(undefined, { db, school })).includes(true)) return false
  await storeTest(db, school.id, isTest)
  return true
}
