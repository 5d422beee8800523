import type { IdPrefix } from '#src/kit/ids.ts'

const prefixes = {
  course: 'crs',
  digital_product: 'dpr',
  event: 'evt',
  group: 'grp',
  membership_plan: 'mpl',
  post_category: 'pcg',
} as const satisfies Record<string, IdPrefix>

/** The id prefix of an item type. */
export const getPrefix = (type: keyof typeof prefixes): IdPrefix => prefixes[type]

/** One reason for access, as far as it decides. */
export type Reason = {
  readonly id: string
  readonly source: Source
  readonly source_id: string | null
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
  /** Through a bundle: when the item was opened in it, and closed for this entitlement. */
  readonly opened_at: Date | null
  readonly closed_at: Date | null
}

/** One hold, as far as it decides. */
export type Hold = {
  readonly id: string
  readonly reason: 'past_due' | 'dispute' | 'staff'
  /** The source whose entitlements it suspends; null: those of every source. */
  readonly source: Source | null
  readonly source_id: string | null
  readonly starts_at: Date
  readonly ends_at: Date | null
}

/** An item that an entitlement or a hold can name. */
export type NamedItem = { readonly type: 'course' | 'digital_product' | 'event'; readonly id: string }

/** An item that a member may have access to; a category of posts only through a plan. */
export type Item = { readonly type: NamedItem['type'] | 'post_category'; readonly id: string }

/** What opens its items to everybody who is entitled to it. */
export type Bundle = { readonly type: 'group' | 'membership_plan'; readonly id: string }

/** What a member is entitled to: an item or a bundle. */
export type Named = NamedItem | Bundle

/** Whether a type of what an entitlement names is that of a bundle. */
export const isBundle = (type: Named['type']): type is Bundle['type'] => type === 'group' || type === 'membership_plan'

/** Where an entitlement comes from. */
export type Source = 'order_line' | 'subscription' | 'gift' | 'staff' | 'group' | 'import' | 'free'

/** One source: an order line, a subscription, a group. */
export type SourceRef = { readonly source: Source; readonly sourceId: string }

/** An entitlement that applies to an item, directly or through a bundle. */
export type EntitlementRow = Reason & {
  readonly member_id: string
  readonly item_type: Named['type']
  readonly item_id: string
  readonly reason: string | null
  /** Who ended it; null where it ended with its source, `undo` where an import was undone. */
  readonly revoked_by: 'member' | 'school' | 'undo' | null
  readonly created_at: Date
}

/** A hold as it is stored. */
export type HoldRow = Hold & {
  readonly member_id: string
  readonly item_type: NamedItem['type'] | null
  readonly item_id: string | null
  readonly note: string | null
  readonly created_at: Date
}

/** A member and an item of one type. */
export type Pair = { readonly memberId: string; readonly itemId: string }

/**
 * Whether a member may use an item at an instant, why, and since and until when; for upcoming access, from and until
 * when.
 */
export type Access = {
  readonly state: 'active' | 'held' | 'upcoming' | 'ended' | 'none'
  readonly from: Date | undefined
  readonly until: Date | undefined
  /** The active reasons at the instant, without those whose source is on hold. */
  readonly entitlement_ids: readonly string[]
  /** The holds that prevent it. */
  readonly hold_ids: readonly string[]
  /** The next known instant at which the answer changes, and to what. */
  readonly next: { readonly at: Date; readonly isOpen: boolean } | undefined
}

const LAST = Number.POSITIVE_INFINITY

const computeEnd = (at: Date | null): number => (at === null ? LAST : at.getTime())

/** The period of a reason or a hold, and its source; undefined for a hold on every source. */
type Period = {
  readonly id: string
  readonly source: string | undefined
  readonly from: number
  readonly until: number
}

const buildSource = ({ source, source_id }: Pick<Reason | Hold, 'source' | 'source_id'>): string | undefined =>
  source === null ? undefined : `${source} ${source_id ?? ''}`

/** Whether a hold suspends an entitlement while it is active: it names its source, or none. */
export const isHoldFor = (hold: Pick<Hold, 'source' | 'source_id'>, reason: Pick<Reason, 'source' | 'source_id'>) =>
  hold.source === null || buildSource(hold) === buildSource(reason)

// What ended before it began never counted.
const period = (one: Period): Period[] => (one.until > one.from ? [one] : [])

const ofReason = (reason: Reason): Period[] => {
  const from = Math.max(reason.starts_at.getTime(), reason.opened_at?.getTime() ?? reason.starts_at.getTime())
  const until = Math.min(computeEnd(reason.ends_at), computeEnd(reason.revoked_at), computeEnd(reason.closed_at))
  return period({ id: reason.id, source: buildSource(reason), from, until })
}

const ofHold = (hold: Hold): Period[] =>
  period({ id: hold.id, source: buildSource(hold), from: hold.starts_at.getTime(), until: computeEnd(hold.ends_at) })

const activeAt = (periods: readonly Period[], at: number): Period[] =>
  periods.filter(({ from, until }) => from <= at && at < until)

const isOn = (hold: Period, reason: Period): boolean => hold.source === undefined || hold.source === reason.source

const listIds = (periods: readonly Period[]): string[] => [...new Set(periods.map(({ id }) => id))]

// There is access with an active reason that no active hold is on.
const isOpen = (reasons: readonly Period[], holds: readonly Period[], at: number): boolean => {
  const activeHolds = activeAt(holds, at)
  return activeAt(reasons, at).some(reason => !activeHolds.some(hold => isOn(hold, reason)))
}

const toDate = (at: number | undefined): Date | undefined =>
  at === undefined || at === LAST ? undefined : new Date(at)

/**
 * Decides the access at one instant from the recorded rows. Access is an active reason without a hold; nothing else
 * counts, so the end or the suspension of one reason never removes the access of another.
 */
export const accessAt = (reasons: readonly Reason[], holds: readonly Hold[], at: Date): Access => {
  const reasonPeriods = reasons.flatMap(ofReason)
  const holdPeriods = holds.flatMap(ofHold)
  const now = at.getTime()
  const edges = [...new Set([...reasonPeriods, ...holdPeriods].flatMap(({ from, until }) => [from, until]))].sort(
    (a, b) => a - b,
  )
  const open = isOpen(reasonPeriods, holdPeriods, now)
  const changes = (edge: number): boolean =>
    isOpen(reasonPeriods, holdPeriods, edge) !== isOpen(reasonPeriods, holdPeriods, before(edges, edge))
  const [next, afterNext] = edges.filter(edge => edge > now && edge !== LAST && changes(edge))
  const began = edges.filter(edge => edge <= now && changes(edge)).at(-1)
  const [active, holding] = [activeAt(reasonPeriods, now), activeAt(holdPeriods, now)]
  const ofSource = holding.filter(hold => hold.source !== undefined)
  return {
    state: computeState(reasonPeriods, { now, isOpen: open, isHeld: active.length > 0 }),
    from: open ? toDate(began) : toDate(next),
    until: toDate(open ? next : afterNext),
    entitlement_ids: listIds(active.filter(reason => !ofSource.some(hold => isOn(hold, reason)))),
    hold_ids: open ? [] : listIds(holding.filter(hold => active.some(reason => isOn(hold, reason)))),
    next: next === undefined ? undefined : { at: new Date(next), isOpen: isOpen(reasonPeriods, holdPeriods, next) },
  }
}

// An instant in the period before an edge, in which nothing changes.
const before = (edges: readonly number[], edge: number): number => {
  const index = edges.indexOf(edge)
  return index <= 0 ? Number.NEGATIVE_INFINITY : (edges[index - 1] ?? Number.NEGATIVE_INFINITY)
}

const computeState = (
  reasonPeriods: readonly Period[],
  { now, isOpen: open, isHeld }: { readonly now: number; readonly isOpen: boolean; readonly isHeld: boolean },
): Access['state'] => {
  if (open) return 'active'
  if (isHeld) return 'held'
  if (reasonPeriods.some(({ from }) => from > now)) return 'upcoming'
  return reasonPeriods.length > 0 ? 'ended' : 'none'
}

/** When the first reason for access began, or will; unset when there never was one. */
export const firstStart = (reasons: readonly Reason[]): Date | undefined =>
  toDate(Math.min(LAST, ...reasons.flatMap(ofReason).map(({ from }) => from)))
