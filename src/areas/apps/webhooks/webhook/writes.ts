import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { recordWorkerChange, recordWrite } from '#src/db/audit.ts'
import { dropJob } from '#src/db/jobs.ts'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { opens, type Random, seal, systemRandom, unseal } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { listSentTypes } from './access.ts'
import {
  type DisabledReason,
  insertWebhook,
  lockWebhook,
  storeDisabled,
  storeMissed,
  type WebhookRow,
  type WebhookValues,
} from './queries.ts'

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

/**
 * Finds again what a webhook missed, among the facts up to the last one that was distributed, once it is enabled or facts are
 * sent again; returns whether that changed.
 */
export const renewMissed = async (db: Db, schoolId: string, row: WebhookRow, position: number): Promise<boolean> => {
  if (row.missed_from === null) return false
  const types = await listSentTypes(db, schoolId, row)
  return (await storeMissed(db, schoolId, row.id, { types, position })) > 0
}

type Disabling = {
  readonly schoolId: string
  readonly now: Date
  readonly id: string
  readonly reason: DisabledReason
}

// Undefined where there is none, or where it is disabled already.
const disableOnce = async (db: Db, { schoolId, id, reason }: Disabling) => {
  const before = await lockWebhook(db, schoolId, id)
  if (before === undefined || before.status === 'disabled') return undefined
  const { revision } = await disableRow(db, schoolId, id, reason)
  const webhookId = toId('whk', id)
  return {
    change: { ids: [webhookId], fields: ['status'], revision },
    fact: { type: 'webhook.disabled', payload: { webhook_id: webhookId, reason } },
  } as const
}

const OPERATION = 'disableWebhook'

/** The same where no person does it, with an audit entry and the fact; nothing where it is disabled already. */
export const disableByWorker = async (db: Db, disabling: Disabling): Promise<void> => {
  const done = await disableOnce(db, disabling)
  if (done !== undefined) await recordWorkerChange(db, { ...disabling, operation: OPERATION }, done.change, [done.fact])
}

/** The same for the operator of the installation; whether it was not disabled before. */
export const disableByOperator = async (
  db: Db,
  { requestId, ...at }: Omit<Disabling, 'reason'> & { readonly requestId: string },
): Promise<boolean> => {
  const done = await disableOnce(db, { ...at, reason: 'by_person' })
  if (done === undefined) return false
  const source = { schoolId: at.schoolId, now: at.now, operation: OPERATION, requestId, actor: 'operator' } as const
  await recordWrite(db, source, { facts: [done.fact], changes: [done.change] })
  return true
}

type NewWebhook = WebhookValues & { readonly memberId: string }

/** Adds a webhook of the school that is disabled from the beginning, so that nothing is sent until a person enables it. */
export const addDisabledWebhook = async (
  db: Db,
  { schoolId, now, keyFor }: { readonly schoolId: string; readonly now: Date; keyFor(purpose: string): Buffer },
  { memberId, ...values }: NewWebhook,
): Promise<void> => {
  const id = newUuid(now.getTime())
  const { sealed, hint } = createSecret({ schoolId, webhookId: id, key: keyFor(SEALING) }, systemRandom)
  const stored = { ...values, id, client_id: null, member_id: memberId, secret_sealed: sealed, secret_hint: hint }
  await insertWebhook(db, schoolId, stored)
  await disableRow(db, schoolId, id, 'by_person')
}

/** Disables a webhook whose secret was lost, by its id among all that is sealed; whoever changes its secret may enable it. */
export const disableLostWebhook = (
  { database, school }: { readonly database: Database; readonly school: School },
  id: string,
): Promise<void> =>
  database.transaction(school.id, (db, now) =>
    disableByWorker(db, { schoolId: school.id, now, id, reason: 'secret_lost' }),
  )
