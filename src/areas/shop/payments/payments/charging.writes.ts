import { dropJob } from '#src/db/jobs.ts'
import { lookUp, settleAnswer } from './asking.writes.ts'
import type { PaymentParts } from './lookups.ts'
import { findPayment, type StoredPayment } from './queries.ts'
import { PAYMENT_JOB } from './writes.ts'

const isDue = (row: StoredPayment | undefined): boolean =>
  row?.buyer_present === true && row.state === 'asked' && row.ending_at === null

/**
 * Charges the saved method of a payment while its buyer waits, outside any transaction, and returns the payment as it is then;
 * unchanged where it is paid on a page, or was charged before. Called twice, or after a crash, it charges once. Where the provider does
 * not answer, the payment stays as it is, and its job asks again. Undefined when there is no such payment.
 */
export const chargePresent = async (parts: PaymentParts, id: string): Promise<StoredPayment | undefined> => {
  const { database, school } = parts
  const find = () => database.statements(school.id, db => findPayment(db, school.id, id))
  const before = await find()
  const answer = isDue(before) ? await lookUp(parts, id).catch(() => undefined) : undefined
  if (answer === undefined) return before
  await database.transaction(school.id, async (db, now) => {
    await settleAnswer({ db, school, now }, id, answer)
    if (!answer.isPending) await dropJob(db, school.id, PAYMENT_JOB, id)
  })
  return find()
}
