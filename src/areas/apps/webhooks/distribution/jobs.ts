import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { DISTRIBUTION_JOB } from '#src/db/fact-channel.ts'
import { wakeJobs } from '#src/db/jobs.ts'
import { insertDeliveries } from '../deliveries/queries.ts'
import { wakeSending } from '../sending/lookups.ts'
import { readScopes } from '../webhook/access.ts'
import { lockSentWebhooks } from '../webhook/queries.ts'
import { disableByWorker } from '../webhook/writes.ts'
import { hasUndistributed, listFactsAfter, lockPosition, storeLastSequences, storePosition } from './queries.ts'
import { deliveriesTo } from './rules.ts'

const AT_ONCE = 500
// Well below the duration of a worker's claim.
const PATIENCE_MS = 60_000

/** Distributes the next facts of a school to its webhooks; returns whether there may be more. */
const distribute = async (db: Db, schoolId: string, now: Date): Promise<boolean> => {
  const place = await lockPosition(db, schoolId)
  const webhooks = place === undefined ? [] : await lockSentWebhooks(db, schoolId)
  if (place === undefined || webhooks.length === 0) return false
  const facts = await listFactsAfter(db, schoolId, place.position, AT_ONCE)
  const last = facts.at(-1)
  if (last === undefined) return false
  const scopes = await readScopes(db, schoolId, webhooks)
  const hasAccess = ({ id }: { readonly id: string }): boolean => (scopes.get(id)?.size ?? 0) > 0
  for (const { id } of webhooks.filter(row => !hasAccess(row)))
    await disableByWorker(db, { schoolId, now, id, reason: 'access_ended' })
  const receivers = webhooks
    .filter(hasAccess)
    .map(webhook => ({
      webhook,
      rows: deliveriesTo(webhook, scopes.get(webhook.id) ?? new Set(), facts, now.getTime()),
    }))
    .filter(({ rows }) => rows.length > 0)
  await insertDeliveries(
    db,
    schoolId,
    receivers.flatMap(({ rows }) => rows),
    false,
  )
  await storeLastSequences(
    db,
    schoolId,
    receivers.map(({ webhook: { id }, rows }) => ({ id, sequence: rows.at(-1)?.sequence ?? 0 })),
  )
  await storePosition(db, schoolId, last.sequence)
  await wakeSending(db, schoolId, ...receivers.map(({ webhook: { id } }) => id))
  return facts.length === AT_ONCE
}

/** Distributes the facts of a school to its webhooks, in the order of their numbers, 500 in a transaction. */
export const createDistribution =
  ({ database }: JobParts): JobHandler =>
  async ({ schoolId }) => {
    const end = performance.now() + PATIENCE_MS
    while (await database.transaction(schoolId, (db, now) => distribute(db, schoolId, now)))
      if (performance.now() > end) break
    const settle = async (db: Db): Promise<void> => {
      if (await hasUndistributed(db, schoolId))
        await wakeJobs(db, schoolId, DISTRIBUTION_JOB, [{ id: schoolId, due_at: new Date(0) }])
    }
    return { againIn: undefined, settle }
  }
