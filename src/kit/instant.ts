const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

// A parser reads the 30th of February as the 2nd of March. Every month has 28 days.
const hasDay = (text: string): boolean => {
  const day = text.slice(8, 10)
  return day <= '28' || new Date(Date.parse(text)).getUTCDate() === Number(day)
}

/**
 * Whether a text is an instant such as `2026-11-21T09:30:00.000Z`, of a date that exists. There is no year 0, and PostgreSQL has
 * none.
 */
export const isInstant = (text: string): boolean => INSTANT.test(text) && !text.startsWith('0000') && hasDay(text)

/** Whether a text is a day such as `2026-11-21`, of a date that exists. */
export const isDate = (text: string): boolean => isInstant(`${text}T00:00:00.000Z`)

/** An instant on the wire; null for none. */
export const instant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** Whether two instants are the same; none is the same as none. */
export const isSameInstant = (one: Date | null | undefined, other: Date | null | undefined): boolean =>
  one?.getTime() === other?.getTime()
