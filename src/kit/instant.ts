/**
 * The milliseconds since 1970 of an instant such as `2026-11-21T09:30:00.000Z`; undefined for an invalid date or time.
 */
export const millisecondsOf = (text: string): number | undefined => {
  // There is no year 0, and PostgreSQL has none.
  if (text.startsWith('0000')) return undefined
  const at = Date.parse(text)
  // A parser reads the 30th of February as the 2nd of March.
  return !Number.isNaN(at) && new Date(at).toISOString() === text ? at : undefined
}

/** An instant on the wire; null for none. */
export const instant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** Whether two instants are the same; none is the same as none. */
export const isSameInstant = (one: Date | null | undefined, other: Date | null | undefined): boolean =>
  one?.getTime() === other?.getTime()
