import type { OfferedAccess } from '#src/contract/offer.ts'
import { monthsAfter } from '#src/kit/local-time.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * When access that begins at an instant ends; undefined without an end. A day has 24 hours, and a month ends at the same
 * time in the zone of the school.
 */
export const endOfAccess = (access: OfferedAccess, from: Date, zone: string): Date | undefined => {
  if (access === null || 'forSubscription' in access) return undefined
  if ('months' in access) return monthsAfter(from, access.months, zone)
  return 'days' in access ? new Date(from.getTime() + access.days * DAY_MS) : access.until
}
