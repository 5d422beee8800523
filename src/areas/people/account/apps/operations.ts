import type { Static } from 'typebox'
import { getNamedMember, MemberRef, memberExample } from '#src/areas/people/members/index.ts'
import { accessEnded } from '#src/contract/access-ended.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, operation } from '#src/contract/operation.ts'
import { buildPage, type Listing, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type ConnectedApp as AppRow, listApps, withdrawApp } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { rowsAfter } from '../rules.ts'
import { appEffect } from './rules.ts'
import { type ConnectedApp, ConnectedAppPage, ConnectedAppQuery, ConnectedAppRef } from './schema.ts'

const renderView = (row: AppRow, clientId: string | undefined): Static<typeof ConnectedApp> => ({
  id: row.id,
  client_id: row.client_id,
  name: row.name,
  verified: row.is_pre_registered,
  current: row.client_id === clientId,
  scopes: [...row.scopes],
  created_at: row.connected_at,
  updated_at: row.approved_at,
  last_used_at: row.last_used_at,
  expires_at: row.expires_at,
})

const buildPosition = (row: AppRow): [string, string] => [row.connected_at.toISOString(), row.id]

const readApps = async (context: SchoolContext & Listing & { readonly caller: Caller }, memberId: string) => {
  const { db, school, caller } = context
  const { rows, after } = parsePage(context)
  // All of them: there are few, since a person approved each.
  const all = await listApps(db, school.id, memberId)
  const found = rowsAfter(all, buildPosition, after).slice(0, rows)
  return buildPage(context, found, {
    readPosition: buildPosition,
    renderViews: rows => rows.map(row => renderView(row, caller.clientId)),
    total: async () => all.length,
  })
}

const listAccountConnectedApps = declareFor('self', 'account', {
  id: 'listAccountConnectedApps',
  route: 'GET /account/connected-apps',
  summary: 'List connected apps',
  description: 'Lists the apps that you have connected, newest first, with what each may do.',
  query: ConnectedAppQuery,
  returns: ConnectedAppPage,
  handle: context => readApps(context, context.caller.member.id),
})

const listMemberConnectedApps = operation({
  id: 'listMemberConnectedApps',
  summary: "List a member's connected apps",
  description: 'Lists the apps that a member has connected, newest first, with what each may do.',
  who: 'staff',
  mode: 'read',
  params: MemberRef,
  query: ConnectedAppQuery,
  returns: ConnectedAppPage,
  example: { params: memberExample },
  async handle(context) {
    const { id } = await getNamedMember(context.db, context.school, context.params.member_id)
    return readApps(context, id)
  },
})

const deleteAccountConnectedApp = declareFor('self', 'account', {
  id: 'deleteAccountConnectedApp',
  route: 'DELETE /account/connected-apps/:app_id',
  summary: 'Disconnect an app',
  description:
    'Disconnects an app and ends its access within a second. An app disconnects itself directly; disconnecting another app needs your approval.',
  confirm: 'person',
  params: ConnectedAppRef,
  returns: undefined,
  example: { params: { app_id: exampleFrom('app', 'listAccountConnectedApps', { having: { current: false } }) } },
  async handle({ db, school, caller, params, now, changed, record, waiveConfirmation }) {
    const ended = await withdrawApp(db, school.id, caller.member.id, params.app_id, now)
    if (ended === undefined) throw new Refusal(notFound, 'There is no such connected app.')
    if (ended.client_id === caller.clientId) waiveConfirmation()
    await accessEnded.call({ memberId: caller.member.id, clientId: ended.client_id, now }, { db, school })
    changed({ ids: [toId('app', params.app_id)], fields: ['connected'] })
    record({
      type: 'app.disconnected',
      payload: {
        app_id: toId('app', params.app_id),
        client_id: ended.client_id,
        member_id: toId('mem', caller.member.id),
      },
      effects: { access: appEffect(ended.name) },
    })
    return undefined
  },
})

/** The operations of connected apps; no app can list those of others. */
export const appOperations = [listAccountConnectedApps, deleteAccountConnectedApp, listMemberConnectedApps]
