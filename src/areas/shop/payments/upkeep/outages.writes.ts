import type { TransactionContext } from '#src/contract/context.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import { recordFacts } from '#src/db/audit.ts'
import { findPayment } from '../payments/queries.ts'
import { countFailure, forgetFailures } from './outages.queries.ts'

/**
 * Notes whether the provider of a payment answered a call. Failures in a row are reported once by a fact, and not again
 * within a day.
 */
export const noteCallEnd = async (
  { db, school, now }: TransactionContext,
  paymentId: string,
  hasAnswered: boolean,
): Promise<void> => {
  const provider = (await findPayment(db, school.id, paymentId))?.provider
  if (provider === undefined || !isOnline(provider)) return
  if (hasAnswered) await forgetFailures(db, school.id, provider)
  else if (await countFailure(db, school.id, provider))
    await recordFacts(db, { schoolId: school.id, now }, [{ type: 'payment_provider.failed', payload: { provider } }])
}
