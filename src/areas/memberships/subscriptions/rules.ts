import { Temporal } from 'temporal-polyfill'
import { problem } from '#src/contract/problem.ts'
import type { IdPrefix } from '#src/kit/ids.ts'

/** The statuses of a subscription. */
export const subscriptionStatuses = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'paused',
  'completed',
  'canceled',
  'expired',
] as const

/** The status of a subscription. */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** The statuses that each status may be followed by; everything else is refused and changes nothing. */
export const subscriptionMoves: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  incomplete: ['trialing', 'active', 'expired', 'canceled'],
  trialing: ['active', 'past_due', 'canceled'],
  active: ['past_due', 'paused', 'completed', 'canceled', 'expired'],
  past_due: ['active', 'canceled'],
  paused: ['active', 'canceled'],
  completed: [],
  canceled: [],
  expired: [],
}

/** Whether a subscription may get from a status to another. */
export const mayMove = (from: SubscriptionStatus, to: SubscriptionStatus): boolean =>
  subscriptionMoves[from].includes(to)

/** The statuses in which a subscription runs: it may still be charged. */
export const runningStatuses = [
  'trialing',
  'active',
  'past_due',
  'paused',
] as const satisfies readonly SubscriptionStatus[]

/** Whether a subscription runs. */
export const isRunning = ({ status }: { readonly status: SubscriptionStatus }): boolean =>
  runningStatuses.some(one => one === status)

/** How a subscription is paid. */
export const collections = ['automatic', 'manual', 'complimentary'] as const

/** How access is while a subscription is paused. */
export const pauseAccesses = ['stop', 'keep'] as const

/** What a subscription is of, and the prefixes of the ids. */
export const subscribedPrefixes = {
  membership_plan: 'mpl',
  course: 'crs',
  digital_product: 'dpr',
} as const satisfies Readonly<Record<string, IdPrefix>>

/** The type of what a subscription is of. */
export type SubscribedType = keyof typeof subscribedPrefixes

/** The states of a period. */
export const periodStates = ['asked', 'paid', 'failed', 'waived', 'canceled'] as const

/** A charge is under way, so the subscription cannot be changed this moment. */
export const chargeUnderWay = problem(
  409,
  'charge_under_way',
  'A charge is under way',
  'A period of the subscription is being charged. Try again when the payment has arrived or failed, which takes a minute.',
)

type Interval = { readonly interval: 'week' | 'month' | 'year' | null; readonly interval_count: number | null }

/** What periods are reckoned from: the local time at which the period with this number begins. */
export type Anchor = {
  readonly anchor_local: string | null
  readonly anchor_zone: string | null
  readonly anchor_number: number
}

/** The edition of the time zones by which instants are computed. */
export const zonesEdition = process.versions.tz ?? 'unknown'

/** What the clock shows in a zone at an instant, to the second. */
export const secondAt = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })

const toInstant = (plain: Temporal.PlainDateTime, zone: string): Date =>
  new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)

/**
 * When a period begins: so many intervals after the anchor, never after the period before. The 31st is the last day of a
 * shorter month, and the 31st again in the next longer one.
 */
export const periodStart = (anchor: Anchor, { interval, interval_count }: Interval, number: number): Date => {
  const { anchor_local: local, anchor_zone: zone, anchor_number: first } = anchor
  if (local === null || zone === null || interval === null) throw new Error('periods have an anchor and an interval')
  const steps = (number - first) * (interval_count ?? 1)
  return toInstant(Temporal.PlainDateTime.from(local).add({ [`${interval}s`]: steps }, { overflow: 'constrain' }), zone)
}

/** The same time of the day a number of local days after an instant. */
export const localDaysAfter = (at: Date, days: number, zone: string): Date =>
  toInstant(Temporal.PlainDateTime.from(secondAt(at, zone)).add({ days }), zone)

/** A local time of day, that of an anchor, a number of local days after an instant. */
export const anchorTimeAfter = (at: Date, days: number, { anchor_local, anchor_zone }: Anchor): Date => {
  if (anchor_local === null || anchor_zone === null) return new Date(at.getTime() + days * 24 * 3600 * 1000)
  const day = Temporal.PlainDateTime.from(secondAt(at, anchor_zone)).toPlainDate().add({ days })
  return toInstant(day.toPlainDateTime(Temporal.PlainDateTime.from(anchor_local).toPlainTime()), anchor_zone)
}

const HOUR_MS = 3600 * 1000

/** How long somebody may take to pay the first period. */
const INCOMPLETE_MS = 23 * HOUR_MS

/** What of a subscription decides when something happens to it next. */
export type Clocked = {
  readonly status: SubscriptionStatus
  readonly member_status: string
  readonly created_at: Date
  readonly next_charge_at: Date | null
  readonly retry_at: Date | null
  readonly gives_up_at: Date | null
  readonly cancel_at: Date | null
  readonly ends_at: Date | null
  readonly resumes_at: Date | null
}

/** What happens to a subscription by the clock. */
export type ClockStep = 'expire' | 'cancel' | 'end' | 'resume' | 'charge' | 'retry' | 'give_up'

// Nothing is charged while a member is suspended: that waits. What runs for somebody who was deleted ends instead, also where a
// payment that was under way started it after the deletion.
const listDues = (row: Clocked): readonly (readonly [step: ClockStep, at: Date | null])[] => {
  if (row.member_status === 'deleted' && isRunning(row)) return [['cancel', row.created_at]]
  const ends = [
    ['cancel', row.cancel_at],
    ['end', row.ends_at],
  ] as const
  const waits = row.member_status === 'suspended'
  switch (row.status) {
    case 'incomplete':
      return [['expire', new Date(row.created_at.getTime() + INCOMPLETE_MS)]]
    case 'trialing':
    case 'active':
      return [...ends, ['charge', waits ? null : row.next_charge_at]]
    case 'past_due':
      return [
        ...ends,
        waits ? ['retry', null] : row.retry_at === null ? ['give_up', row.gives_up_at] : ['retry', row.retry_at],
      ]
    case 'paused':
      return [...ends, ['resume', row.resumes_at]]
    default:
      return []
  }
}

const duesInOrder = (row: Clocked) =>
  listDues(row)
    .flatMap(([step, at]) => (at === null ? [] : [{ step, at }]))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())

/** When something happens to a subscription next by the clock; undefined when nothing does. */
export const dueAt = (row: Clocked): Date | undefined => duesInOrder(row)[0]?.at

/**
 * What is due of a subscription at an instant, the earliest first; of two at the same instant the one that ends it, so that who
 * canceled is not charged again.
 */
export const stepAt = (row: Clocked, now: Date): ClockStep | undefined =>
  duesInOrder(row).find(({ at }) => at <= now)?.step

const DAY_MS = 24 * HOUR_MS

/** When a debit for the next period is announced: two days before; undefined when the next period is not charged by itself. */
export const announceAt = (row: Clocked & { readonly collection: string }): Date | undefined => {
  const { next_charge_at: at, collection } = row
  if (at === null || collection !== 'automatic' || stepAt(row, at) !== 'charge') return undefined
  return new Date(at.getTime() - 2 * DAY_MS)
}

/** When a period is charged that begins at an instant: at once then, and at least a day after the charge before it. */
export const chargeAt = (start: Date, lastCharged: Date | undefined): Date =>
  lastCharged === undefined ? start : new Date(Math.max(start.getTime(), lastCharged.getTime() + DAY_MS))

/** A code that reduces periods, after one of them was paid with it. */
export const periodsLeftAfter = (left: number | null): number | null => (left === null ? null : Math.max(0, left - 1))
