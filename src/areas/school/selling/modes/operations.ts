import type { SchoolContext } from '#src/contract/context.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { lockSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { paymentMode } from '../providers/rules.ts'
import { CLEAR_JOB } from './jobs.ts'
import { countSales, readClearing, startClearing } from './queries.ts'
import { testOnly } from './rules.ts'
import { TestMode, TestSales, TestSalesClearing } from './schema.ts'
import { changeTestMode } from './writes.ts'

const setTestMode = operation({
  id: 'setTestMode',
  summary: 'Set test mode',
  description:
    'Makes the school a test school, in which no real money moves, or a real one. Refused once an order was paid: a school has orders of one kind only.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  body: TestMode,
  returns: TestMode,
  fails: [invalidState],
  example: { body: { is_test: false } },
  async handle(context) {
    const { school, body, changed, record } = context
    const { is_test: isTest } = body
    if (isTest === school.isTest) return { is_test: isTest }
    const isLive = paymentMode({ ...school, isTest }) === 'live'
    if (isLive) context.requireProof('second_factor')
    if (!(await changeTestMode(context, isTest)))
      throw new Refusal(invalidState, 'The school has paid orders, so it stays what it is.')
    changed({ ids: [toId('scl', school.id)], fields: ['is_test'] })
    if (isLive) record({ type: 'school.went_live', payload: {} })
    return { is_test: isTest }
  },
})

const readSales = async ({ db, school }: SchoolContext) => {
  const [counts, { is_clearing }] = await Promise.all([countSales(db, school.id), readClearing(db, school.id)])
  return { counts, is_clearing }
}

const getTestSales = operation({
  id: 'getTestSales',
  summary: 'Get test sales',
  description: 'Returns how much the school has sold, and whether it is being deleted.',
  who: 'owner',
  mode: 'read',
  returns: TestSales,
  handle: readSales,
})

const clearTestSales = operation({
  id: 'clearTestSales',
  summary: 'Clear test sales',
  description:
    'Deletes all that a test school has sold: orders, payments, refunds, disputes, invoices with their files, subscriptions, uses of coupons, registrations that were ordered, and what was given for them. A job does it in steps, while nothing is sold, and the numbers of orders and invoices begin again. A dry run counts.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  body: TestSalesClearing,
  returns: TestSales,
  fails: [testOnly],
  example: { body: { name: 'Crumb & Crust' } },
  async handle(context) {
    const { db, school, body, changed, now } = context
    if (body.name !== school.name)
      refuseInvalid([{ pointer: '/name', code: 'mismatch', message: 'is not the name of the school' }])
    const before = await readSales(context)
    if (before.is_clearing) return before
    // An order that is placed meanwhile refers to the school, and waits; so does another call.
    await lockSchool(db, school.id)
    if (!(await readClearing(db, school.id)).is_test)
      throw new Refusal(testOnly, 'Real money moves in this school, so its sales are kept.')
    const sales = await readSales(context)
    if (sales.is_clearing) return sales
    await startClearing(db, school.id)
    await putJob(db, school.id, { kind: CLEAR_JOB, id: school.id, dueAt: now })
    changed({ ids: [toId('scl', school.id)], fields: ['test_sales'] })
    return sales
  },
})

/** The operations of whether real money moves in a school; no app can call them. */
export const modeOperations = [setTestMode, getTestSales, clearTestSales]
