const MOST_APART_MS = 60_000

/**
 * Whether the `Date` header of an answer that arrives now is more than a minute from the clock of this process, which reads it for
 * nothing else here; false without a header.
 */
export const differsFromClock = (header: string | null | undefined): boolean =>
  Math.abs(Date.parse(header ?? '') - Date.now()) > MOST_APART_MS
