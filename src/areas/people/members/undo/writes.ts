import type { WriteContext } from '#src/contract/context.ts'
import { endInvitations, eraseInvitations, keepConsents } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import { type BatchMember, lockMatchingMembers, storeMany } from '../batches/queries.ts'
import { blankMembers, eraseMemberData } from '../erasure/queries.ts'
import { erasedAddress } from '../erasure/writes.ts'
import { mayTouch } from '../member/access.ts'
import { reinstate } from '../states/writes.ts'
import {
  deleteAgain,
  deleteTags,
  deleteUnchangedNotes,
  listReferred,
  lockMembers,
  type UndoneMember,
} from './queries.ts'
import { isAsCreated, type MemberUndo, revertFields, type TakenNames } from './rules.ts'

/** Why something of an import stays: somebody signed in, changed it, uses it, or it is no longer there. */
type KeptReason = 'signed_in' | 'changed' | 'in_use' | 'gone'

/** What became of a row that is undone; what stays of a row that is kept has a reason. */
export type Undone = { readonly status: 'undone' } | { readonly status: 'kept'; readonly reason: KeptReason }

const UNDONE: Undone = { status: 'undone' }

const kept = (reason: KeptReason): Undone => ({ status: 'kept', reason })

type Undoing = Pick<WriteContext, 'db' | 'school' | 'caller' | 'changed' | 'record'>

type Found = { readonly undo: MemberUndo; readonly row: UndoneMember }

// Why a member whom the import created stays, before anybody looks at what refers to them.
const whyKept = ({ row, undo }: Found): KeptReason | undefined => {
  if (row.has_password || row.last_seen_at !== null || row.status === 'active') return 'signed_in'
  return row.status !== 'invited' || row.role !== 'member' || !isAsCreated(row, undo) ? 'changed' : undefined
}

const eraseCreated = async (
  { db, school }: Undoing,
  created: readonly Found[],
): Promise<ReadonlyMap<string, Undone>> => {
  const results = new Map<string, Undone>()
  const ids = created.filter(found => whyKept(found) === undefined).map(({ row }) => row.id)
  const noteIds = created.flatMap(({ undo }) => undo.noteId ?? [])
  const referred = ids.length === 0 ? new Set<string>() : await listReferred(db, school.id, ids, noteIds)
  for (const found of created) {
    const reason = whyKept(found) ?? (referred.has(found.row.id) ? 'in_use' : undefined)
    results.set(found.row.id, reason === undefined ? UNDONE : kept(reason))
  }
  const erased = ids.filter(id => !referred.has(id))
  if (erased.length > 0) {
    await eraseMemberData(db, school.id, erased)
    await eraseInvitations(db, school.id, erased)
    await blankMembers(
      db,
      school.id,
      erased.map(id => ({ id, address: erasedAddress(id) })),
    )
  }
  return results
}

// Somebody else may have an address or external id by now that a member had before the import.
const readTaken = async ({ db, school }: Undoing, changed: readonly Found[]): Promise<TakenNames> => {
  const holders = await lockMatchingMembers(
    db,
    school.id,
    changed.flatMap(({ undo }) => undo.before.external_id ?? []),
    changed.flatMap(({ undo }) => (undo.before.email === undefined ? [] : [foldEmail(undo.before.email)])),
  )
  return {
    emails: new Map(holders.map(({ email_folded, id }) => [email_folded, id])),
    externalIds: new Map(holders.map(({ external_id, id }) => [external_id ?? '', id])),
  }
}

const revertChanged = async (context: Undoing, changed: readonly Found[]): Promise<ReadonlyMap<string, Undone>> => {
  const { db, school } = context
  const results = new Map<string, Undone>()
  if (changed.length === 0) return results
  const taken = await readTaken(context, changed)
  const stored: BatchMember[] = []
  for (const { row, undo } of changed) {
    const { values, isChanged } = revertFields(row, undo, taken)
    stored.push({ id: row.id, values, tags: [] })
    results.set(row.id, isChanged ? kept('changed') : UNDONE)
  }
  await storeMany(db, school.id, stored)
  const ids = stored.map(({ id }) => id)
  await keepConsents(db, school.id, ids)
  await deleteTags(
    db,
    school.id,
    changed.flatMap(({ undo }) => undo.tags.map(tag => ({ id: undo.id, tag }))),
  )
  await deleteUnchangedNotes(
    db,
    school.id,
    changed.flatMap(({ undo }) => undo.noteId ?? []),
  )
  const back = changed.filter(({ row, undo }) => undo.isBack && row.status === 'invited').map(({ row }) => row.id)
  if (back.length > 0) {
    await endInvitations(db, school.id, back)
    await deleteAgain(db, school.id, back)
  }
  for (const { row, undo } of changed)
    if (undo.isBack && row.status === 'active') results.set(row.id, kept('signed_in'))
  return results
}

// Whoever was reinstated since, or suspended again by somebody, is not as the import left them.
const reinstateSuspended = async (
  context: Undoing,
  suspended: readonly Found[],
): Promise<ReadonlyMap<string, Undone>> => {
  const results = new Map<string, Undone>()
  for (const { row, undo } of suspended) {
    const isOurs = row.status === 'suspended' && row.suspended_for === undo.suspendedFor
    if (isOurs) await reinstate(context, row)
    results.set(row.id, isOurs ? UNDONE : kept('changed'))
  }
  return results
}

/**
 * Undoes what an import did to members: fields go back to what they were where nobody changed them since, tags and notes are
 * removed, who was suspended is reinstated, and who was created is erased if they never signed in and nothing else refers to
 * them. It sends no mail. Returns what became of each, in order.
 */
export const undoMembers = async (context: Undoing, undos: readonly MemberUndo[]): Promise<Undone[]> => {
  const { db, school, caller, changed } = context
  const members = await lockMembers(
    db,
    school.id,
    undos.map(({ id }) => id),
  )
  const byId = new Map(members.map(row => [row.id, row]))
  const found = undos.flatMap(undo => {
    const row = byId.get(undo.id)
    return row === undefined || row.is_erased || !mayTouch(caller.member, row) ? [] : [{ undo, row }]
  })
  const results = new Map([
    ...(await eraseCreated(
      context,
      found.filter(({ undo }) => undo.isCreated),
    )),
    ...(await revertChanged(
      context,
      found.filter(({ undo }) => !undo.isCreated && undo.suspendedFor === undefined),
    )),
    ...(await reinstateSuspended(
      context,
      found.filter(({ undo }) => undo.suspendedFor !== undefined),
    )),
  ])
  const touched = found.filter(
    ({ row, undo }) => undo.suspendedFor === undefined && (!undo.isCreated || results.get(row.id)?.status === 'undone'),
  )
  if (touched.length > 0) changed({ ids: touched.map(({ row }) => toId('mem', row.id)), fields: ['rows'] })
  return undos.map(({ id }) => results.get(id) ?? kept(byId.get(id)?.is_erased === false ? 'changed' : 'gone'))
}
