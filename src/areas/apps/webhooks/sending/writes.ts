import type { Db } from '#src/contract/db.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import type { DeliveryRow } from '../deliveries/queries.ts'
import { lockWebhook } from '../webhook/queries.ts'
import { disableByWorker } from '../webhook/writes.ts'
import { mailAbout } from './mailing.writes.ts'
import { hastenDeliveries, markAttempts, markDelivered, storeState } from './queries.ts'
import { afterAttempt, afterOutcomes, type Outcome } from './rules.ts'

const drawRandom = (): number => systemRandom(4).readUInt32BE() / 2 ** 32

/** An attempt to send, with how long it took in milliseconds. */
export type Attempt = { readonly delivery: DeliveryRow; readonly outcome: Outcome; readonly duration: number }

type Place = { readonly schoolId: string; readonly now: Date; readonly webhookId: string }

/** Records attempts if all of them were successes and so was what came before; returns whether it did. */
export const recordSuccesses = async (
  db: Db,
  { schoolId, webhookId }: Omit<Place, 'now'>,
  attempts: readonly Attempt[],
): Promise<boolean> => {
  if (attempts.some(({ outcome }) => outcome.result !== 'delivered')) return false
  const delivered = attempts.map(({ delivery: { id }, outcome: { word }, duration }) => {
    return { id, word, duration_ms: Math.round(duration) }
  })
  return (await markDelivered(db, schoolId, webhookId, delivered)) === attempts.length
}

/**
 * Records attempts in the order of their outcomes, and what they make of the webhook; returns whether it is sent more now.
 */
export const recordAttempts = async (
  db: Db,
  { schoolId, now, webhookId }: Place,
  attempts: readonly Attempt[],
): Promise<boolean> => {
  const row = await lockWebhook(db, schoolId, webhookId)
  if (row === undefined) return false
  const all = attempts.map(({ delivery: { id, attempts: before, fact_id }, outcome, duration }) => {
    const tried = { id, attempts: before, isTest: fact_id === null }
    return { tried, outcome, duration, ...afterAttempt(tried, outcome, drawRandom()) }
  })
  const marked = all.map(({ tried: { id }, outcome: { word }, duration, status, pause }) => {
    return { id, status, pause, word, duration_ms: Math.round(duration) }
  })
  const change = afterOutcomes(row, all, () => ({ now, random: drawRandom() }))
  await Promise.all([
    markAttempts(db, schoolId, marked),
    row.status === 'disabled' ? undefined : storeState(db, schoolId, row.id, change.state),
  ])
  if (change.isBack === true) await hastenDeliveries(db, schoolId, row.id)
  if (change.isMailed === true) await mailAbout(db, schoolId, row, { now, kind: 'webhook_failing' })
  if (change.disabledFor !== undefined) {
    await disableByWorker(db, { schoolId, now, id: row.id, reason: change.disabledFor })
    await mailAbout(db, schoolId, row, { now, kind: 'webhook_disabled' })
  }
  return change.disabledFor === undefined && change.state.status === 'active'
}
