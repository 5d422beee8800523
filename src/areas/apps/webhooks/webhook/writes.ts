import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { dropJob } from '#src/db/jobs.ts'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { opens, type Random, seal, unseal } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import { type DisabledReason, lockWebhook, storeDisabled, type WebhookRow } from './queries.ts'

/** The kind of the job that sends what waits for a webhook; its id is that of the webhook. */
export const WEBHOOK_JOB = 'webhook'

/** The purpose of the key that seals the secrets of webhooks. */
export const SEALING = sealPurposes.webhooks

const PREFIX = 'whsec_'

/** A new secret, as receivers get it, sealed, and its last four characters. */
export const createSecret = (
  { schoolId, webhookId, key }: { readonly schoolId: string; readonly webhookId: string; readonly key: Buffer },
  random: Random,
) => {
  const secret = `${PREFIX}${random(32).toString('base64')}`
  return { secret, sealed: seal(key, secret, sealContext(schoolId, webhookId)), hint: secret.slice(-4) }
}

/** Whether the secret of a webhook can be unsealed. */
export const isOpenable = (schoolId: string, { id, secret_sealed }: WebhookRow, key: Buffer): boolean =>
  opens(key, secret_sealed, sealContext(schoolId, id))

/** The bytes of the secrets that sign at an instant, the newest first; of a secret before it only one that can be unsealed. */
export const openSecrets = (schoolId: string, row: WebhookRow, key: Buffer, now: Date): Buffer[] => {
  const { secret_sealed, previous_secret_sealed: previous, previous_secret_expires_at: until } = row
  const context = sealContext(schoolId, row.id)
  const isSigning = previous !== null && until !== null && until > now && opens(key, previous, context)
  const sealed = isSigning ? [secret_sealed, previous] : [secret_sealed]
  return sealed.map(one => Buffer.from(unseal(key, one, context).slice(PREFIX.length), 'base64'))
}

/** Disables a webhook of a school for a reason: what waits is dropped, and its job ends; returns the row. */
export const disableRow = async (db: Db, schoolId: string, id: string, reason: DisabledReason): Promise<WebhookRow> => {
  const row = await storeDisabled(db, schoolId, id, reason)
  await dropJob(db, schoolId, WEBHOOK_JOB, id)
  return row
}

/** The same where no person does it, with an audit entry and the fact; nothing where it is disabled already. */
export const disableByWorker = async (
  db: Db,
  {
    schoolId,
    now,
    id,
    reason,
  }: { readonly schoolId: string; readonly now: Date; readonly id: string; readonly reason: DisabledReason },
): Promise<void> => {
  const before = await lockWebhook(db, schoolId, id)
  if (before === undefined || before.status === 'disabled') return
  const row = await disableRow(db, schoolId, id, reason)
  const webhookId = toId('whk', id)
  await recordWorkerChange(
    db,
    { schoolId, now, operation: 'disableWebhook' },
    { ids: [webhookId], fields: ['status'], revision: row.revision },
    [{ type: 'webhook.disabled', payload: { webhook_id: webhookId, reason } }],
  )
}

/** Disables a webhook whose secret was lost, by its id among all that is sealed; whoever changes its secret may enable it. */
export const disableLostWebhook = (
  { database, school }: { readonly database: Database; readonly school: School },
  id: string,
): Promise<void> =>
  database.transaction(school.id, (db, now) =>
    disableByWorker(db, { schoolId: school.id, now, id, reason: 'secret_lost' }),
  )
