import type { Db } from '#src/contract/db.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import type { DeliveryRow } from '../deliveries/queries.ts'
import { lockWebhook, type WebhookRow } from '../webhook/queries.ts'
import { disableByWorker } from '../webhook/writes.ts'
import { mailAbout } from './mailing.writes.ts'
import { hastenDeliveries, markAttempt, storeState } from './queries.ts'
import { afterAttempt, type Outcome, webhookAfter } from './rules.ts'

const drawRandom = (): number => systemRandom(4).readUInt32BE() / 2 ** 32

type Attempt = {
  readonly schoolId: string
  readonly now: Date
  readonly delivery: DeliveryRow
  readonly outcome: Outcome
  readonly duration: number
}

/** Records an attempt and what it makes of the webhook; returns the webhook, undefined where it was deleted meanwhile. */
export const recordAttempt = async (
  db: Db,
  { schoolId, now, delivery, outcome, duration }: Attempt,
): Promise<WebhookRow | undefined> => {
  const row = await lockWebhook(db, schoolId, delivery.webhook_id)
  if (row === undefined) return undefined
  const tried = { id: delivery.id, attempts: delivery.attempts, isTest: delivery.fact_id === null }
  const { status, pause } = afterAttempt(tried, outcome, drawRandom())
  await markAttempt(db, schoolId, { id: delivery.id, status, pause, outcome, duration })
  const change = webhookAfter(row, tried, outcome, { now, random: drawRandom() })
  if (row.status !== 'disabled') await storeState(db, schoolId, row.id, change.state)
  if (change.isBack === true) await hastenDeliveries(db, schoolId, row.id)
  if (change.isMailed === true) await mailAbout(db, schoolId, row, { now, kind: 'webhook_failing' })
  if (change.disabledFor !== undefined) {
    await disableByWorker(db, { schoolId, now, id: row.id, reason: change.disabledFor })
    await mailAbout(db, schoolId, row, { now, kind: 'webhook_disabled' })
  }
  return change.disabledFor === undefined ? { ...row, ...change.state } : { ...row, status: 'disabled' }
}
