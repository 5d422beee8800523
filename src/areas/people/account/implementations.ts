import { discardGenerated, usesOf } from '#src/areas/files/index.ts'
import { provenAddress } from '#src/areas/people/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { listApps, listConsents, listMailsTo, listSessions } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { type DeletionRow, findDeletion } from './deletion/queries.ts'
import { dropDeletion } from './deletion/writes.ts'
import { deleteStoredExports, exportsWith } from './exports/queries.ts'
import { avatarsWith, dropAvatar, moveAvatar } from './profile/queries.ts'

type Sessions = Awaited<ReturnType<typeof listSessions>>
type Apps = Awaited<ReturnType<typeof listApps>>

const sessionRows = (rows: Sessions): PersonalData['rows'] =>
  rows.map(({ id, browser, amr, created_at, auth_time }) => ({
    id: toId('ses', id),
    browser,
    amr,
    created_at: created_at.toISOString(),
    signed_in_at: auth_time.toISOString(),
  }))

const appRows = (rows: Apps): PersonalData['rows'] =>
  rows.map(row => ({
    id: toId('app', row.id),
    name: row.name,
    client_id: row.client_id,
    scopes: row.scopes,
    connected_at: row.connected_at.toISOString(),
    approved_at: row.approved_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }))

const deletionRows = (row: DeletionRow | undefined): PersonalData['rows'] =>
  row === undefined ? [] : [{ due_at: instant(row.due_at), created_at: instant(row.created_at) }]

const dropExports = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  const fileIds = await deleteStoredExports(db, schoolId, memberId)
  if (fileIds.length > 0) await discardGenerated(db, schoolId, fileIds)
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await dropExports(db, school.id, memberId)
    await dropDeletion(db, school.id, memberId)
    await dropAvatar(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await dropExports(db, school.id, fromId)
    await moveAvatar(db, school.id, fromId, intoId)
  }),
  implement(usesOf, async ({ fileIds }, { db, school }) => {
    const [exported, avatars] = await Promise.all([
      exportsWith(db, school.id, fileIds),
      avatarsWith(db, school.id, fileIds),
    ])
    return [
      ...exported.map(({ id, file_id }) => ({ fileId: file_id, kind: 'export', id: toId('exp', id) })),
      ...avatars.map(({ id, file_id }) => ({ fileId: file_id, kind: 'account', id: toId('mem', id) })),
    ]
  }),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const address = await provenAddress(db, school.id, memberId)
    const [sessions, apps, mails, consents, deletion] = await Promise.all([
      listSessions(db, school.id, memberId),
      listApps(db, school.id, memberId),
      listMailsTo(db, school.id, memberId, address),
      listConsents(db, school.id, memberId),
      findDeletion(db, school.id, memberId),
    ])
    const mailRows = mails.map(({ kind, recipient, recorded_at }) => ({
      kind,
      to: recipient,
      at: recorded_at.toISOString(),
    }))
    return [
      { name: 'sessions', rows: sessionRows(sessions) },
      { name: 'connected_apps', rows: appRows(apps) },
      { name: 'mails', rows: mailRows },
      { name: 'marketing_consents', rows: consents.map(one => ({ ...one, at: one.at.toISOString() })) },
      { name: 'account_deletion', rows: deletionRows(deletion) },
    ]
  }),
]
