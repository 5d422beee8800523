/** The milliseconds since 1970 of an instant such as `2026-11-21T09:30:00.000Z`; undefined for a day or time that is none. */
export const millisecondsOf = (text: string): number | undefined => {
  // There is no year 0, and PostgreSQL has none.
  if (text.startsWith('0000')) return undefined
  const at = Date.parse(text)
  // A parser takes the 30th of February for the 2nd of March.
  return !Number.isNaN(at) && new Date(at).toISOString() === text ? at : undefined
}

/** An instant on the wire; null for none. */
export const instant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null
