import { Temporal } from 'temporal-polyfill'

/** A time on the wall of a place. */
export type WallTime = { readonly local: string; readonly zone: string }

const plainOf = (local: string): Temporal.PlainDateTime | undefined => {
  try {
    return Temporal.PlainDateTime.from(local)
  } catch {
    return undefined
  }
}

/** Whether a local time is one of the calendar. */
export const isLocalTime = (local: string): boolean => plainOf(local) !== undefined

/**
 * The instant of a local time by the time-zone rules of today. One that a change of the clocks skips is as much later; of
 * one that comes twice it is the first (RFC 5545 §3.3.5).
 */
export const instantOf = ({ local, zone }: WallTime): Date | undefined => {
  const plain = plainOf(local)
  if (plain === undefined) return undefined
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
}
