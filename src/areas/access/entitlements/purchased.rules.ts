import type { OfferedAccess } from '#src/contract/offer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** When access that begins at an instant ends; undefined without an end. A day has 24 hours. */
export const endOfAccess = (access: OfferedAccess, from: Date): Date | undefined => {
  if (access === null || 'forSubscription' in access) return undefined
  return 'days' in access ? new Date(from.getTime() + access.days * DAY_MS) : access.until
}
