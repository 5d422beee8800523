import type { IdPrefix } from '#src/kit/ids.ts'

const prefixes = {
  course: 'crs',
  digital_product: 'dpr',
  event: 'evt',
  group: 'grp',
  membership_plan: 'mpl',
} as const satisfies Record<string, IdPrefix>

/** The kind of id that what an entitlement names has. */
export const prefixOf = (type: keyof typeof prefixes): IdPrefix => prefixes[type]

/** A stretch of time from an instant up to, not including, another; without an end it lasts. */
export type Span = { readonly from: Date; readonly until: Date | undefined }

/** One reason for access, as far as deciding goes. */
export type Reason = {
  readonly id: string
  readonly source: string
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly revoked_at: Date | null
  /** Of a bundle: when the thing came into it and left it. */
  readonly opened_at: Date | null
  readonly closed_at: Date | null
}

/** One hold, as far as deciding goes. */
export type Hold = {
  readonly id: string
  readonly reason: 'past_due' | 'dispute' | 'staff'
  readonly starts_at: Date
  readonly ends_at: Date | null
}

/** Whether somebody may use a thing at an instant, on what it rests, and since and until when; of access to come, from and until when. */
export type Access = {
  readonly state: 'active' | 'held' | 'upcoming' | 'ended' | 'none'
  readonly from: Date | undefined
  readonly until: Date | undefined
  /** The living reasons at the instant. */
  readonly entitlement_ids: readonly string[]
  /** The holds that stand in the way. */
  readonly hold_ids: readonly string[]
  /** The next instant at which the answer is another one, if any is known, and what it is then. */
  readonly next: { readonly at: Date; readonly isOpen: boolean } | undefined
}

const LAST = Number.POSITIVE_INFINITY

const endOf = (at: Date | null): number => (at === null ? LAST : at.getTime())

type Stretch = { readonly id: string; readonly from: number; readonly until: number }

// What ended before it began was never.
const stretch = (id: string, from: number, until: number): Stretch[] => (until > from ? [{ id, from, until }] : [])

const ofReason = (reason: Reason): Stretch[] => {
  const from = Math.max(reason.starts_at.getTime(), reason.opened_at?.getTime() ?? reason.starts_at.getTime())
  const until = Math.min(endOf(reason.ends_at), endOf(reason.revoked_at), endOf(reason.closed_at))
  return stretch(reason.id, from, until)
}

const ofHold = (hold: Hold): Stretch[] => stretch(hold.id, hold.starts_at.getTime(), endOf(hold.ends_at))

const living = (stretches: readonly Stretch[], at: number): string[] => [
  ...new Set(stretches.filter(({ from, until }) => from <= at && at < until).map(({ id }) => id)),
]

/** Whether there is access at an instant: a living reason, and no hold. */
const isOpen = (reasons: readonly Stretch[], holds: readonly Stretch[], at: number): boolean =>
  living(reasons, at).length > 0 && living(holds, at).length === 0

const dateOf = (at: number | undefined): Date | undefined =>
  at === undefined || at === LAST ? undefined : new Date(at)

/**
 * Folds what is recorded into an answer for one instant. Access is a living reason without a hold; nothing else counts,
 * so that the end of one reason never takes what another one gives.
 */
export const accessAt = (reasons: readonly Reason[], holds: readonly Hold[], at: Date): Access => {
  const given = reasons.flatMap(ofReason)
  const kept = holds.flatMap(ofHold)
  const now = at.getTime()
  const edges = [...new Set([...given, ...kept].flatMap(({ from, until }) => [from, until]))].sort((a, b) => a - b)
  const open = isOpen(given, kept, now)
  const changes = (edge: number): boolean => isOpen(given, kept, edge) !== isOpen(given, kept, before(edges, edge))
  const [next, afterNext] = edges.filter(edge => edge > now && edge !== LAST && changes(edge))
  const began = edges.filter(edge => edge <= now && changes(edge)).at(-1)
  const restsOn = living(given, now)
  const heldBy = restsOn.length === 0 ? [] : living(kept, now)
  return {
    state: stateOf(given, { now, isOpen: open, isHeld: heldBy.length > 0 }),
    from: open ? dateOf(began) : dateOf(next),
    until: dateOf(open ? next : afterNext),
    entitlement_ids: restsOn,
    hold_ids: heldBy,
    next: next === undefined ? undefined : { at: new Date(next), isOpen: isOpen(given, kept, next) },
  }
}

// An instant within the stretch before an edge, where nothing changes.
const before = (edges: readonly number[], edge: number): number => {
  const index = edges.indexOf(edge)
  return index <= 0 ? Number.NEGATIVE_INFINITY : (edges[index - 1] ?? Number.NEGATIVE_INFINITY)
}

const stateOf = (
  given: readonly Stretch[],
  { now, isOpen: open, isHeld }: { readonly now: number; readonly isOpen: boolean; readonly isHeld: boolean },
): Access['state'] => {
  if (open) return 'active'
  if (isHeld) return 'held'
  if (given.some(({ from }) => from > now)) return 'upcoming'
  return given.length > 0 ? 'ended' : 'none'
}

/** When the first reason for access began, or will; unset when there never was one. */
export const firstStart = (reasons: readonly Reason[]): Date | undefined =>
  dateOf(Math.min(LAST, ...reasons.flatMap(ofReason).map(({ from }) => from)))
