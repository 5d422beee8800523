import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { findAppName } from '#src/identity/index.ts'
import { countWaiting, type WebhookRow } from './queries.ts'
import type { WebhookView } from './schema.ts'

type Place = { readonly db: Db; readonly school: Pick<School, 'id'> }

/** Webhooks as callers see them. */
export const webhookViews = async ({ db, school }: Place, rows: readonly WebhookRow[]): Promise<WebhookView[]> => {
  const waiting = await countWaiting(
    db,
    school.id,
    rows.map(({ id }) => id),
  )
  const render = async (row: WebhookRow): Promise<WebhookView> => ({
    id: row.id,
    url: row.url,
    types: [...row.types],
    description: row.description,
    ordered: row.ordered,
    status: row.status,
    disabled_reason: row.disabled_reason,
    app:
      row.client_id === null
        ? null
        : { client_id: row.client_id, name: await findAppName(db, school.id, row.client_id) },
    member_id: row.member_id,
    secret_hint: row.secret_hint,
    previous_secret_expires_at: row.previous_secret_expires_at,
    failing_since: row.failing_since,
    last_delivered_at: row.last_delivered_at,
    last_sequence: row.last_sequence,
    missed_from: row.missed_from,
    waiting_count: waiting.get(row.id) ?? 0,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })
  return Promise.all(rows.map(render))
}

/** One webhook as a caller sees it. */
export const webhookView = async (place: Place, row: WebhookRow): Promise<WebhookView> => {
  const [view] = await webhookViews(place, [row])
  if (view === undefined) throw new Error('a webhook has no view')
  return view
}
