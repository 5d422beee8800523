import type { Explained } from '../lookups.ts'
import { type EntitlementRow, type HoldRow, isHoldFor } from '../rules.ts'
import type { accessReasons } from '../schema.ts'

type ReasonCode = (typeof accessReasons)[number]

const LAST = Number.POSITIVE_INFINITY
const toTime = (at: Date | null): number => at?.getTime() ?? LAST

/** When an entitlement stops giving access to its item. */
const computeEnd = (one: EntitlementRow): number =>
  Math.min(toTime(one.ends_at), toTime(one.revoked_at), toTime(one.closed_at))

/** When it begins to give access. */
const computeStart = (one: EntitlementRow): number => Math.max(one.starts_at.getTime(), one.opened_at?.getTime() ?? 0)

/** Whether an entitlement gives access at an instant, holds aside. */
export const isActiveEntitlement = (one: EntitlementRow, at: Date): boolean =>
  computeStart(one) <= at.getTime() && at.getTime() < computeEnd(one)

/** Whether a hold is active at an instant. */
export const isActiveHold = (one: HoldRow, at: Date): boolean =>
  one.starts_at <= at && at.getTime() < toTime(one.ends_at)

/** The active holds on the source of an entitlement. */
export const holdsOnSource = (one: EntitlementRow, { at, holds }: Pick<Explained, 'at' | 'holds'>): HoldRow[] =>
  holds.filter(hold => hold.source !== null && isActiveHold(hold, at) && isHoldFor(hold, one))

/** How an entitlement ended. */
export const howEnded = (one: EntitlementRow): 'expired' | 'revoked' | 'removed_from_group' | 'removed_from_plan' => {
  if (computeEnd(one) === toTime(one.revoked_at)) return 'revoked'
  if (computeEnd(one) !== toTime(one.closed_at)) return 'expired'
  return one.item_type === 'membership_plan' ? 'removed_from_plan' : 'removed_from_group'
}

// What ended before it began never counted.
const wasEver = (one: EntitlementRow): boolean => computeEnd(one) > computeStart(one)

/** The entitlement that ended last. */
export const lastEnded = (all: readonly EntitlementRow[]): EntitlementRow | undefined =>
  all
    .filter(wasEver)
    .reduce<EntitlementRow | undefined>(
      (last, one) => (last === undefined || computeEnd(one) >= computeEnd(last) ? one : last),
      undefined,
    )

/** The next entitlement to begin after an instant. */
export const nextBeginning = (all: readonly EntitlementRow[], at: Date): EntitlementRow | undefined =>
  all
    .filter(one => wasEver(one) && computeStart(one) > at.getTime())
    .sort((one, other) => computeStart(one) - computeStart(other))[0]

/** The reason code of an access. */
export const chooseReason = ({ at, access, entitlements, holds }: Explained): ReasonCode => {
  if (access.state === 'held') {
    const reason = holds.find(({ id }) => id === access.hold_ids[0])?.reason ?? 'staff'
    return reason === 'staff' ? 'held_by_staff' : reason
  }
  const [first] = access.entitlement_ids
  const giving = first === undefined ? nextBeginning(entitlements, at) : entitlements.find(({ id }) => id === first)
  if (giving !== undefined) return giving.source
  const ended = lastEnded(entitlements)
  return ended === undefined ? 'never_given' : howEnded(ended)
}
