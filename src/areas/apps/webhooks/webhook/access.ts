import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { listStaffAppAccess } from '#src/identity/index.ts'
import { findWebhook, lockWebhook, type Owner, type WebhookRow } from './queries.ts'
import { isNamed, neededScopes, sentTypes } from './rules.ts'

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

/** The types of facts that a webhook is sent now: those that it names, as far as its app and member may read them. */
export const listSentTypes = async (db: Db, schoolId: string, row: WebhookRow): Promise<string[]> => {
  const scopes = (await readScopes(db, schoolId, [row])).get(row.id) ?? new Set<string>()
  return [...sentTypes].filter(([type, scope]) => scopes.has(scope) && isNamed(row.types, type)).map(([type]) => type)
}

/** Whether a caller may read facts of a type; types that are sent no more are for those who may read all. */
export const mayRead = ({ scopes }: Caller, type: string): boolean => scopes.has(sentTypes.get(type) ?? '')

/** The types that a caller may read, of those that are sent; undefined: all. */
export const listReadable = (caller: Caller): string[] | undefined => {
  const types = [...sentTypes.keys()].filter(type => mayRead(caller, type))
  return types.length === sentTypes.size ? undefined : types
}

/**
 * Refuses a caller who lacks a scope with which entries would be sent: of `*` all that the app has for the member, since another
 * grant of them may have more than this token.
 */
export const requireTypes = async (
  { db, school, caller, requireScope }: Place & Pick<WriteContext, 'requireScope'>,
  types: readonly string[],
): Promise<void> => {
  for (const [scope, entry] of neededScopes(types)) requireScope(scope, `The type ${entry}`)
  const owner = readOwner(caller)
  if (owner === undefined || !types.includes('*')) return
  const pair = { id: owner.memberId, client_id: owner.clientId, member_id: owner.memberId }
  const sent = new Set<string>(sentTypes.values())
  for (const scope of (await readScopes(db, school.id, [pair])).get(pair.id) ?? [])
    if (sent.has(scope)) requireScope(scope, 'The type *')
}
