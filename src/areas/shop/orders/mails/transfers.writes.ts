import { listUsableProviders } from '#src/areas/school/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { MailKind } from '#src/contract/mail.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { readMoney } from '../order/money.views.ts'
import { instantText } from './text.ts'
import { awaited, transferDetails, transferNotes } from './transfers.rules.ts'
import { mailBuyer } from './writes.ts'

/** The transfer for which an order waits, with what is still to be paid in minor units; undefined when there is none. */
export const awaitedTransfer = async (
  context: TransactionContext,
  order: OrderRow,
): Promise<{ readonly paymentId: string; readonly missing: number; readonly endsAt: Date } | undefined> => {
  const { payments } = await readMoney(context, order.id)
  const payment = payments.findLast(({ provider }) => provider === 'manual')
  const missing = awaited(order, payment)
  if (payment === undefined || missing === undefined || missing <= 0 || order.expires_at === null) return undefined
  return { paymentId: payment.id, missing, endsAt: order.expires_at }
}

type TransferPlan = { readonly missing: number; readonly endsAt: Date }

/** Mails a buyer how to transfer what is missing, and until when. */
export const mailTransfer = async (
  context: TransactionContext,
  kind: MailKind,
  order: OrderRow,
  { missing, endsAt }: TransferPlan,
): Promise<void> => {
  const { db, school } = context
  const providers = await listUsableProviders(db, school)
  const instructions = providers.find(({ name }) => name === 'manual')?.instructions ?? null
  await mailBuyer(context, order, (reader, money) => ({
    kind,
    values: {
      amount: money(kind.name === 'transfer_in_part' ? order.total : missing),
      missing: money(missing),
      received: money(order.paid_total),
      end: instantText(endsAt, reader),
      details: transferDetails(instructions, {
        reference: order.number,
        amount: money(missing),
        locale: reader.locale,
      }),
      notes: transferNotes(instructions),
    },
  }))
}
