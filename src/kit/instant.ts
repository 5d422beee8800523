const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/**
 * The milliseconds since 1970 of an instant such as `2026-11-21T09:30:00.000Z`; undefined for an invalid date or time.
 */
export const millisecondsOf = (text: string): number | undefined => {
  // There is no year 0, and PostgreSQL has none.
  if (!INSTANT.test(text) || text.startsWith('0000')) return undefined
  const at = Date.parse(text)
  // A parser reads the 30th of February as the 2nd of March, and 24:00 as the next day.
  return new Date(at).getUTCDate() === Number(text.slice(8, 10)) ? at : undefined
}

/** An instant on the wire; null for none. */
export const instant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** Whether two instants are the same; none is the same as none. */
export const isSameInstant = (one: Date | null | undefined, other: Date | null | undefined): boolean =>
  one?.getTime() === other?.getTime()
