import { readProviderStanding } from '#src/areas/school/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { FoundRefund, Outcome, Provider } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { findPause, nothing, unanswered } from '../payments/jobs.ts'
import {
  awaitAnswer,
  findAtProvider,
  findKeysLast,
  findPaymentProvider,
  type PaymentParts,
} from '../payments/lookups.ts'
import { findPayment, type PaymentRow, readClock } from '../payments/queries.ts'
import { mayCall } from '../payments/rules.ts'
import { isOfOrder, lockOrderPayment, recordSettled } from '../payments/settling.writes.ts'
import { noteCallEnd } from '../upkeep/outages.writes.ts'
import { findRefund, lockRefundRow, noteRefundCall, type RefundRow } from './queries.ts'
import { byTransfer, isRefundOver, lostRefund } from './rules.ts'
import { applyRefund } from './settling.writes.ts'

type Asking = {
  readonly parts: PaymentParts
  readonly provider: Provider
  readonly payment: PaymentRow
  readonly refund: RefundRow
  readonly now: Date
}

const call = async ({ parts, provider, payment, refund, now }: Asking): Promise<Outcome | undefined> => {
  const { database, school } = parts
  // Committed before the call: whatever happens next, it is known that the provider may have paid back.
  const count = await database.statements(school.id, db => noteRefundCall(db, school.id, { id: refund.id, now }))
  if (count === 0 || payment.reference === null) return undefined
  return awaitAnswer(
    provider.refund({
      refundId: toId('rfd', refund.id),
      paymentId: toId('pay', payment.id),
      paymentRef: payment.reference,
      amount: refund.amount,
      currency: payment.paid_currency ?? payment.currency,
    }),
  )
}

// Once the provider may have forgotten the key, a call would pay back once more: what it knows nothing of then has failed.
const ask = async (asking: Asking): Promise<FoundRefund | Outcome | undefined> => {
  const { provider, payment, refund, now } = asking
  if (refund.state === 'asked' && mayCall(refund, findKeysLast(payment.provider), now)) return call(asking)
  const found = await findAtProvider(provider, payment)
  const ours = found?.refunds.find(({ refundId }) => refundId === toId('rfd', refund.id))
  if (ours !== undefined || refund.state !== 'asked') return ours
  return found === undefined || found.state === 'unknown' ? undefined : lostRefund(payment)
}

const settle = async (
  context: TransactionContext,
  { payment_id, id }: RefundRow,
  outcome: Pick<Outcome, 'state' | 'refs' | 'failure'>,
): Promise<void> => {
  const payment = await lockOrderPayment(context, payment_id)
  const row = await lockRefundRow(context.db, context.school.id, id)
  if (payment === undefined || row === undefined) return
  await recordSettled(context, await applyRefund(context, payment, row, outcome))
}

/** `isGone`: its provider cannot be called any more. */
type Unsettled = Pick<Asking, 'payment' | 'refund' | 'now'> & { readonly isGone: boolean }

const readAsking = (database: Database, school: School, id: string): Promise<Unsettled | undefined> => {
  return database.statements(school.id, async db => {
    const [refund, now] = await Promise.all([findRefund(db, school.id, id), readClock(db)])
    const payment = refund && (await findPayment(db, school.id, refund.payment_id))
    if (refund === undefined || !isOfOrder(payment) || isRefundOver(refund.state)) return undefined
    const { isGone } = await readProviderStanding({ db, school }, payment)
    return { payment, refund, now, isGone }
  })
}

const callable = async (parts: PaymentParts, payment: PaymentRow): Promise<Pick<Asking, 'parts' | 'provider'>> => {
  const provider = await findPaymentProvider(parts, payment)
  if (provider === undefined) throw new Error(`the provider ${payment.provider} cannot be called`)
  return { parts, provider }
}

const readSchool = ({ database }: JobParts, schoolId: string): Promise<School> =>
  database.statements(schoolId, db => getSchool(db, schoolId))

// What a provider was asked for waits for keys of the same account, since the buyer may have it.
const canTransfer = ({ refund, isGone }: Unsettled): boolean => isGone && refund.called_at === null

/**
 * Makes the call for the refund of a job between two transactions, or asks what became of it, and settles it. Where its provider is
 * gone before it was called, staff transfer it.
 */
export const createRefundJob =
  (parts: JobParts): JobHandler =>
  async job => {
    const school = await readSchool(parts, job.schoolId)
    const asking = await readAsking(parts.database, school, job.id)
    if (asking === undefined) return nothing
    const { refund } = asking
    if (canTransfer(asking))
      return {
        againIn: undefined,
        settle: async db => settle({ db, school, now: await readClock(db) }, refund, byTransfer),
      }
    try {
      const outcome = await ask({ ...asking, ...(await callable({ ...parts, school }, asking.payment)) })
      if (outcome === undefined) return nothing
      return {
        againIn: outcome.state === 'unknown' ? findPause(job) : undefined,
        settle: async db => {
          const place = { db, school, now: await readClock(db) }
          await noteCallEnd(place, refund.payment_id, true)
          await settle(place, refund, outcome)
        },
      }
    } catch {
      return unanswered(job, school, refund.payment_id)
    }
  }
