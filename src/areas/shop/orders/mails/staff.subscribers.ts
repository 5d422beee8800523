import type { FactHandler } from '#src/contract/fact.ts'
import { sentenceIn, toLanguage } from '#src/contract/language.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { findProviderTitle, isOnline } from '#src/contract/payment-providers.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { readMoney } from '../order/money.views.ts'
import { listLines } from '../order/queries.ts'
import { listOwnerReaders, listStaffReaders } from './queries.ts'
import { staffMails } from './staff.mails.ts'
import { findFactOrder, mailStaff } from './writes.ts'

const mailDispute =
  (kind: MailKind): FactHandler<'dispute.opened' | 'dispute.closed'> =>
  async (fact, where) => {
    const order = await findFactOrder(fact, where)
    if (order === undefined) return
    const { disputes } = await readMoney(where, order.id)
    const dispute = disputes.find(({ id }) => id === fromId('dsp', fact.payload.dispute_id))
    if (dispute !== undefined)
      await mailStaff(where, order, (_, money) => ({ kind, values: { amount: money(dispute.amount) } }))
  }

/** Mails that the bank of a buyer disputes a payment. */
export const onDisputeOpened = mailDispute(staffMails.dispute_opened)

const onDisputeLost = mailDispute(staffMails.dispute_lost)

/** Mails that a dispute was lost; one that was won needs nobody. */
export const onDisputeClosed: FactHandler<'dispute.closed'> = async (fact, where) => {
  if (fact.payload.state === 'lost') await onDisputeLost(fact, where)
}

/** Mails that a refund failed. */
export const onRefundFailed: FactHandler<'refund.failed'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order === undefined) return
  const { refunds } = await readMoney(where, order.id)
  const refund = refunds.find(({ id }) => id === fromId('rfd', fact.payload.refund_id))
  if (refund === undefined) return
  const code = refund.failure_code ?? 'failed'
  await mailStaff(where, order, (_, money) => ({
    kind: staffMails.refund_failed,
    values: { amount: money(refund.amount), code },
  }))
}

/** Mails that staff transfer a refund, whose provider was removed before it could pay it back. */
export const onRefundByHand: FactHandler<'refund.succeeded'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order === undefined) return
  const { payments, refunds } = await readMoney(where, order.id)
  const refund = refunds.find(({ id }) => id === fromId('rfd', fact.payload.refund_id))
  const payment = payments.find(({ id }) => id === refund?.payment_id)
  if (refund === undefined || refund.reference !== null || payment === undefined || !isOnline(payment.provider)) return
  await mailStaff(where, order, (_, money) => ({
    kind: staffMails.refund_by_hand,
    values: { amount: money(refund.amount) },
  }))
}

/** Mails which lines of an order could not be given when it was paid. */
export const onLinesNotGiven: FactHandler<'order.lines_not_given'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  const { line_ids: named } = fact.payload
  if (order === undefined) return
  const ids = named.map(id => fromId('lin', String(id)))
  const lines = (await listLines(where.db, where.school.id, [order.id])).filter(({ id }) => ids.includes(id))
  await mailStaff(where, order, (_, money) => ({
    kind: staffMails.order_not_given,
    values: { lines: lines.map(({ name, amount }) => [name, money(amount)]) },
  }))
}

/** Mails that a payment provider does not answer. */
export const onProviderFailed: FactHandler<'payment_provider.failed'> = async ({ payload }, { db, school, now }) => {
  const values = { provider: payload.provider }
  for (const { id } of await listStaffReaders(db, school.id))
    await recordMail(db, school.id, id, { kind: staffMails.provider_failed, values, link: '/staff/payments' }, now)
}

/** Mails owners that the weekly check of a provider found something missing that was not before. */
export const onProviderChecked: FactHandler<'payment_provider.checked'> = async ({ payload }, { db, school, now }) => {
  if (!(Number(payload.new_missing) > 0)) return
  const name = payload.provider
  for (const { id, locale } of await listOwnerReaders(db, school.id)) {
    const values = { provider: sentenceIn(findProviderTitle(name), toLanguage(locale)) }
    await recordMail(
      db,
      school.id,
      id,
      { kind: staffMails.provider_missing, values, link: `/staff/payments/${name}` },
      now,
    )
  }
}
