import type { TransactionContext } from '#src/contract/context.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId } from '#src/kit/ids.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { staffMails } from './staff.mails.ts'
import { REMINDER_JOB } from './transfers.jobs.ts'
import { transferMails } from './transfers.mails.ts'
import { reminderAt } from './transfers.rules.ts'
import { awaitedTransfer, mailTransfer } from './transfers.writes.ts'
import { findFactOrder, mailStaff } from './writes.ts'

const planReminder = async ({ db, school, now }: TransactionContext, { id }: OrderRow, endsAt: Date): Promise<void> => {
  const dueAt = reminderAt(endsAt, now)
  if (dueAt !== undefined) await putJob(db, school.id, { kind: REMINDER_JOB, id, dueAt })
}

/** Mails how to transfer the money where that is how an order is to be paid, and plans the reminder. */
export const onPaymentAsked: FactHandler<'payment.asked'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  const transfer = order && (await awaitedTransfer(where, order))
  if (order === undefined || transfer === undefined) return
  // The buyer may have chosen otherwise since.
  if (transfer.paymentId !== fromId('pay', fact.payload.payment_id)) return
  // The mail about a part that arrived already has them.
  if (order.paid_total === 0) await mailTransfer(where, transferMails.transfer_instructions, order, transfer)
  await planReminder(where, order, transfer.endsAt)
}

/** Plans a reminder for an order that waits for its transfer again, with a new end. */
export const onOrderReopened: FactHandler<'order.reopened'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  const transfer = order && (await awaitedTransfer(where, order))
  if (order !== undefined && transfer !== undefined) await planReminder(where, order, transfer.endsAt)
}

/** Mails the buyer what is missing, while the order waits for it, and the staff in any case. */
export const onPartlyPaid: FactHandler<'order.partially_paid'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order === undefined || order.status === 'paid') return
  const transfer = await awaitedTransfer(where, order)
  if (transfer !== undefined && order.paid_total > 0)
    await mailTransfer(where, transferMails.transfer_in_part, order, transfer)
  const missing = order.total - order.paid_total
  await mailStaff(where, order, (_, money) => ({
    kind: staffMails.order_partly_paid,
    values: { total: money(order.total), missing: money(missing) },
  }))
}
