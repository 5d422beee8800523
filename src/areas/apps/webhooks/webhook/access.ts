import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { listStaffAppAccess } from '#src/identity/index.ts'
import { findWebhook, lockWebhook, type Owner, type WebhookRow } from './queries.ts'
import { sentTypes } from './rules.ts'

/** Whose webhooks a caller sees: an app those that it made for the same member, the console all. */
export const readOwner = ({ clientId, member }: Caller): Owner =>
  clientId === undefined || member === undefined ? undefined : { clientId, memberId: member.id }

type Place = { readonly db: Db; readonly school: School; readonly caller: Caller }

const require = (row: WebhookRow | undefined): WebhookRow => {
  if (row === undefined) throw new Refusal(notFound, 'There is no such webhook.')
  return row
}

/** The webhook with this id, if the caller sees it. */
export const getOwnWebhook = async ({ db, school, caller }: Place, id: string): Promise<WebhookRow> =>
  require(await findWebhook(db, school.id, id, readOwner(caller)))

/** The same, locked until the transaction ends. */
export const getLockedWebhook = async ({ db, school, caller }: Place, id: string): Promise<WebhookRow> =>
  require(await lockWebhook(db, school.id, id, readOwner(caller)))

/** The scopes with which each webhook, by its id, is sent facts now; none for one whose app or member lost its access. */
export const readScopes = async (
  db: Db,
  schoolId: string,
  rows: readonly Pick<WebhookRow, 'id' | 'client_id' | 'member_id'>[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const all = new Set<string>(sentTypes.values())
  const pairs = rows.flatMap(({ client_id, member_id }) => (client_id === null ? [] : [{ client_id, member_id }]))
  const access = pairs.length === 0 ? [] : await listStaffAppAccess(db, schoolId, pairs)
  const find = ({ client_id, member_id }: Pick<WebhookRow, 'client_id' | 'member_id'>): ReadonlySet<string> =>
    client_id === null
      ? all
      : new Set(access.find(one => one.client_id === client_id && one.member_id === member_id)?.scopes ?? [])
  return new Map(rows.map(row => [row.id, find(row)]))
}
