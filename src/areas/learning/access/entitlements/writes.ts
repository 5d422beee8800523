import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { accessChanged } from '../hooks.ts'
import { getPrefix } from '../rules.ts'
import {
  eraseEntitlements,
  type ImportedEnd,
  insertEntitlements,
  moveEnds,
  type NewEnd,
  type NewEntitlement,
  type RevocationCause,
  type RevokedSource,
  revokeEntitlements,
  revokeSource,
  type Touched,
  undoEnds,
  undoGranted,
} from './queries.ts'

const callChanged = async (
  { db, school, now }: TransactionContext,
  entitlements: readonly Touched[],
): Promise<void> => {
  if (entitlements.length > 0) await accessChanged.call({ entitlements, now }, { db, school })
}

/** The payload about the item of an entitlement or a hold. */
export const namedPayload = ({
  member_id,
  item_type,
  item_id,
}: Pick<Touched, 'member_id' | 'item_type' | 'item_id'>) => ({
  member_id: toId('mem', member_id),
  item_type,
  item_id: toId(getPrefix(item_type), item_id),
  ...(item_type === 'course' ? { course_id: toId('crs', item_id) } : {}),
})

const granted = (one: Touched): Fact => ({
  type: 'entitlement.granted',
  payload: { entitlement_id: toId('ent', one.id), source: one.source, ...namedPayload(one) },
  effects: texts.learning.access.entitlements.writes.granted.effects,
})

/**
 * Entitles members to items or groups, in one statement; returns the new entitlements, without those that a source had
 * already granted.
 */
export const entitleAll = async (
  context: TransactionContext,
  plans: readonly Omit<NewEntitlement, 'id'>[],
): Promise<{ readonly entitlements: readonly Touched[]; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const rows = plans.map(plan => ({ ...plan, id: newUuid(now.getTime()) }))
  const entitlements = await insertEntitlements(db, school.id, rows)
  await callChanged(context, entitlements)
  return { entitlements, facts: entitlements.map(granted) }
}

const revoked = async (context: TransactionContext, ended: readonly Touched[]): Promise<Fact[]> => {
  await callChanged(context, ended)
  return ended.map(one => ({
    type: 'entitlement.revoked',
    payload: { entitlement_id: toId('ent', one.id), source: one.source, ...namedPayload(one) },
    effects: texts.learning.access.entitlements.writes.revoked.effects,
  }))
}

/** Revokes the named entitlements and no others; returns the facts. */
export const revoke = async (
  context: TransactionContext,
  ids: readonly string[],
  cause: RevocationCause,
): Promise<Fact[]> => revoked(context, await revokeEntitlements(context.db, context.school.id, ids, cause))

/** Revokes the entitlements of one source; returns the facts. */
export const revokeSourceAccess = async (
  context: TransactionContext,
  of: RevokedSource,
  reason?: string,
  by?: RevocationCause['by'],
): Promise<Fact[]> => revoked(context, await revokeSource(context.db, context.school.id, of, { by, reason }))

/** What an import did to an entitlement. */
type ImportedEntitlement = ImportedEnd & { readonly isCreated: boolean }

/** Ends entitlements that an import granted, and moves back the ends that it moved; returns those that nobody changed since. */
export const undoEntitlements = async (
  context: TransactionContext,
  all: readonly ImportedEntitlement[],
): Promise<readonly Touched[]> => {
  const { db, school } = context
  const [created, moved] = [all.filter(one => one.isCreated), all.filter(one => !one.isCreated)]
  const undone = [
    // An end that a later row moved goes back before what an earlier row granted ends.
    ...(moved.length === 0 ? [] : await undoEnds(db, school.id, moved)),
    ...(created.length === 0 ? [] : await undoGranted(db, school.id, created)),
  ]
  await callChanged(context, undone)
  return undone
}

/** Changes the ends of entitlements that have not ended; returns the facts. */
export const changeEnds = async (context: TransactionContext, ends: readonly NewEnd[]): Promise<Fact[]> => {
  const moved = await moveEnds(context.db, context.school.id, ends)
  await callChanged(context, moved)
  return moved.map(one => ({
    type: 'entitlement.updated',
    payload: { entitlement_id: toId('ent', one.id), source: one.source, ...namedPayload(one) },
    effects: texts.learning.access.entitlements.writes.changeEnds.effects,
  }))
}

/** Revokes every entitlement of a member who is erased, and deletes reasons and notes. */
export const eraseMemberAccess = async (context: TransactionContext, memberId: string): Promise<void> =>
  callChanged(context, await eraseEntitlements(context.db, context.school.id, memberId))
