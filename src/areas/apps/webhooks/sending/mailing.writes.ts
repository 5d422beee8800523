import type { Db } from '#src/contract/db.ts'
import { recordMail } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { listOwnerIds, type WebhookRow } from '../webhook/queries.ts'
import { webhookMails } from './mails.ts'

type Mail = { readonly now: Date; readonly kind: keyof typeof webhookMails }

/** Writes to the member who connected the app of a webhook, or where it is the school's to its owners. */
export const mailAbout = async (db: Db, schoolId: string, row: WebhookRow, { now, kind }: Mail): Promise<void> => {
  const to = row.client_id === null ? await listOwnerIds(db, schoolId) : [row.member_id]
  const values = { host: new URL(row.url).host }
  const plan = { kind: webhookMails[kind], values, link: `/staff/webhooks/${toId('whk', row.id)}` }
  for (const id of to) await recordMail(db, schoolId, id, plan, now)
}
