import type { JobParts } from '#src/contract/area.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { FoundRefund, Outcome, Provider } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import type { SettlingPlace } from '../hooks.ts'
import { nothing, pauseOf } from '../payments/jobs.ts'
import { answerOf, findAtProvider, findProvider, type PaymentParts } from '../payments/lookups.ts'
import { findPayment, type PaymentRow, readClock } from '../payments/queries.ts'
import { mayCall } from '../payments/rules.ts'
import { lockPayment, recordSettled } from '../payments/settling.writes.ts'
import { findRefund, lockRefundRow, noteRefundCall, type RefundRow } from './queries.ts'
import { isRefundOver } from './rules.ts'
import { applyRefund } from './settling.writes.ts'

type Asking = {
  readonly parts: PaymentParts
  readonly provider: Provider
  readonly payment: PaymentRow
  readonly refund: RefundRow
  readonly now: Date
}

const foundRefund = async ({ provider, payment, refund }: Asking): Promise<FoundRefund | undefined> => {
  const found = await findAtProvider(provider, payment)
  return found?.refunds.find(({ refundId }) => refundId === toId('rfd', refund.id))
}

const call = async (
  { parts, provider, payment, refund, now }: Asking,
  isFirst: boolean,
): Promise<Outcome | undefined> => {
  const { database, school } = parts
  // Committed before the call: whatever happens next, it is known that the provider may have paid back.
  const noted = await database.statements(school.id, db =>
    noteRefundCall(db, school.id, { id: refund.id, isFirst, now }),
  )
  if (noted === 0 || payment.reference === null) return undefined
  return answerOf(
    provider.refund({
      refundId: toId('rfd', refund.id),
      paymentId: toId('pay', payment.id),
      paymentRef: payment.reference,
      amount: refund.amount,
      currency: payment.paid_currency ?? payment.currency,
    }),
  )
}

// A key that the provider may have forgotten is not used again before the provider said that it knows of no such refund.
const ask = async (asking: Asking): Promise<FoundRefund | Outcome | undefined> => {
  const { refund, now } = asking
  if (refund.state === 'asked' && mayCall(refund, now)) return call(asking, false)
  const found = await foundRefund(asking)
  return found === undefined && refund.state === 'asked' ? call(asking, true) : found
}

const settle = async (
  place: SettlingPlace,
  { payment_id, id }: RefundRow,
  outcome: FoundRefund | Outcome,
): Promise<void> => {
  const payment = await lockPayment(place, payment_id)
  const row = await lockRefundRow(place.db, place.school.id, id)
  if (payment === undefined || row === undefined) return
  await recordSettled(place, await applyRefund(place, payment, row, outcome))
}

const readAsking = async (parts: PaymentParts, id: string): Promise<Asking | undefined> => {
  const { database, school } = parts
  const { refund, payment, now } = await database.statements(school.id, async db => {
    const [refund, now] = await Promise.all([findRefund(db, school.id, id), readClock(db)])
    return { refund, now, payment: refund && (await findPayment(db, school.id, refund.payment_id)) }
  })
  if (refund === undefined || payment === undefined || isRefundOver(refund.state)) return undefined
  const provider = await findProvider(parts, payment.provider)
  if (provider === undefined) throw new Error(`the provider ${payment.provider} cannot be called`)
  return { parts, provider, payment, refund, now }
}

const schoolOf = ({ database }: JobParts, schoolId: string): Promise<School> =>
  database.statements(schoolId, db => getSchool(db, schoolId))

/** Makes the call for the refund of a job between two transactions, or asks what became of it, and settles it. */
export const createRefundJob =
  (parts: JobParts): JobHandler =>
  async job => {
    const school = await schoolOf(parts, job.schoolId)
    try {
      const asking = await readAsking({ ...parts, school }, job.id)
      if (asking === undefined) return nothing
      const outcome = await ask(asking)
      if (outcome === undefined) return nothing
      return {
        againIn: outcome.state === 'unknown' ? pauseOf(job) : undefined,
        settle: async db => settle({ db, school, now: await readClock(db) }, asking.refund, outcome),
      }
    } catch {
      // Without an answer nothing is known that could be written.
      return { ...nothing, againIn: pauseOf(job) }
    }
  }
