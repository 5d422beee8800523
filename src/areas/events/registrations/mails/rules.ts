/** A reminder of a date, and when it is sent. */
export type DueReminder = { readonly kind: 'day_before' | 'hour_before'; readonly at: Date }

const HOUR_MS = 3_600_000

const listReminders = (startsAt: Date): DueReminder[] => [
  { kind: 'day_before', at: new Date(startsAt.getTime() - 24 * HOUR_MS) },
  { kind: 'hour_before', at: new Date(startsAt.getTime() - HOUR_MS) },
]

/** The next reminder of a date that starts then; undefined when none is left. */
export const nextReminder = (startsAt: Date, now: Date): DueReminder | undefined =>
  listReminders(startsAt).find(({ at }) => at > now)

/** The reminder that is due now: the latest one whose time has come, until the date starts. */
export const dueReminder = (
  { starts_at: startsAt }: { readonly starts_at: Date },
  now: Date,
): DueReminder | undefined => (startsAt <= now ? undefined : listReminders(startsAt).findLast(({ at }) => at <= now))

/** The statuses of those whom a message is for. */
export const audienceStatuses = {
  confirmed: ['confirmed', 'checked_in'],
  waiting: ['waitlisted', 'offered'],
} as const
