import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { OfferedAccess } from '#src/contract/offer.ts'
import { lockMember } from '#src/identity/index.ts'
import type { Named } from '../rules.ts'
import { findFirstStart, findZone, listEntitlementsOfLine } from './purchased.queries.ts'
import { endOfAccess } from './purchased.rules.ts'
import { clockNow } from './queries.ts'
import { revoke } from './writes.ts'

/** What a line of an order bought for a member. */
type BoughtItem = {
  readonly lineId: string
  readonly memberId: string
  readonly item: Named
  readonly access: OfferedAccess
}

/**
 * The entitlement that a line of an order gives to a member, who is locked; undefined when the line gave it before, also
 * where it was taken back, and when the access is over already.
 */
export const entitlementOfLine = async (
  { db, school }: TransactionContext,
  { lineId, memberId, item, access }: BoughtItem,
) => {
  const key = { memberId, source: 'order_line', sourceId: lineId } as const
  if ((await findFirstStart(db, school.id, { ...key, item })) !== undefined) return undefined
  const startsAt = await clockNow(db)
  const endsAt = endOfAccess(access, startsAt, await findZone(db, school.id))
  return endsAt !== undefined && endsAt <= startsAt ? undefined : { ...key, startsAt, endsAt }
}

/** Revokes what a line of an order gave of items of a type, and nothing else; returns the facts. */
export const revokeLine = async (
  context: TransactionContext,
  type: Named['type'],
  { lineId, quantity, reason }: { readonly lineId: string; readonly quantity: number; readonly reason: string },
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const [first] = quantity > 0 ? await listEntitlementsOfLine(db, school.id, lineId, type) : []
  if (first === undefined) return []
  await lockMember(db, school.id, first.member_id)
  const entitlements = await listEntitlementsOfLine(db, school.id, lineId, type)
  return revoke(
    context,
    entitlements.map(({ id }) => id),
    { reason },
  )
}
