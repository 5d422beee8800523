import type { FactHandler } from '#src/contract/fact.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { readMoney } from '../order/money.views.ts'
import { listLines } from '../order/queries.ts'
import { listStaffReaders } from './queries.ts'
import { staffMails } from './staff.mails.ts'
import { findFactOrder, mailStaff } from './writes.ts'

const mailDispute =
  (kind: MailKind): FactHandler =>
  async (fact, where) => {
    const order = await findFactOrder(fact, where)
    if (order === undefined) return
    const { disputes } = await readMoney(where, order.id)
    const dispute = disputes.find(({ id }) => id === fromId('dsp', String(fact.payload.dispute)))
    if (dispute !== undefined)
      await mailStaff(where, order, (_, money) => ({ kind, values: { amount: money(dispute.amount) } }))
  }

/** Mails that the bank of a buyer disputes a payment. */
export const onDisputeOpened = mailDispute(staffMails.dispute_opened)

const onDisputeLost = mailDispute(staffMails.dispute_lost)

/** Mails that a dispute was lost; one that was won needs nobody. */
export const onDisputeClosed: FactHandler = async (fact, where) => {
  if (fact.payload.state === 'lost') await onDisputeLost(fact, where)
}

/** Mails that a refund failed. */
export const onRefundFailed: FactHandler = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order === undefined) return
  const { refunds } = await readMoney(where, order.id)
  const refund = refunds.find(({ id }) => id === fromId('rfd', String(fact.payload.refund)))
  if (refund === undefined) return
  const code = refund.failure_code ?? 'failed'
  await mailStaff(where, order, (_, money) => ({
    kind: staffMails.refund_failed,
    values: { amount: money(refund.amount), code },
  }))
}

/** Mails which lines of an order could not be given when it was paid. */
export const onLinesNotGiven: FactHandler = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  const { lines: named } = fact.payload
  if (order === undefined || !Array.isArray(named)) return
  const ids = named.map(id => fromId('lin', String(id)))
  const lines = (await listLines(where.db, where.school.id, [order.id])).filter(({ id }) => ids.includes(id))
  await mailStaff(where, order, (_, money) => ({
    kind: staffMails.order_not_given,
    values: { lines: lines.map(({ name, amount }) => [name, money(amount)]) },
  }))
}

/** Mails that a payment provider does not answer. */
export const onProviderFailed: FactHandler = async ({ payload }, { db, school, now }) => {
  const values = { provider: String(payload.provider) }
  for (const { id } of await listStaffReaders(db, school.id))
    await recordMail(db, school.id, id, { kind: staffMails.provider_failed, values, link: '/staff/payments' }, now)
}
